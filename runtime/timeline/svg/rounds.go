package svg

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/torchmem/workbook/runtime/timeline"
)

// passage is statements that share one label: a single one, or rounds of a loop.
type passage struct {
	// from and to are its statements, the second excluded.
	from, to int
	// period is how many statements a round has, rounds how many are shown.
	period, rounds int
	// step is by how much the numbers of the rounds go up, zero where they
	// have none.
	step int
}

// fewestRounds is how often statements have to repeat to be called a loop.
const fewestRounds = 3

// longestRound is the most statements that a round may have.
const longestRound = 8

// comment is the number of the round that a lesson puts behind a statement.
var comment = regexp.MustCompile(`\s+#\s*(\d+)$`)

// passagesOf finds what repeats.
func passagesOf(statements []timeline.Statement) []passage {
	var all []passage
	for at := 0; at < len(statements); {
		p := passageAt(statements, at)
		all = append(all, p)
		at = p.to
	}
	return all
}

// passageAt returns the shortest round that repeats from here, or the statement
// alone.
func passageAt(statements []timeline.Statement, at int) passage {
	for period := 1; period <= longestRound; period++ {
		p := passage{at, at + period, period, 1, 0}
		for end := p.to + period; end <= len(statements); end += period {
			n, same := stepOf(statements[p.to-period:p.to], statements[p.to:end])
			if !same || !p.continues(n) {
				break
			}
			if p.rounds == 1 {
				p.step = n
			}
			p.rounds++
			p.to = end
		}
		if p.rounds >= fewestRounds {
			return p
		}
	}
	return passage{at, at + 1, 1, 1, 0}
}

// stepOf reports whether a round has the statements of the one before, and how much
// higher its numbers are.
func stepOf(before, after []timeline.Statement) (n int, same bool) {
	for i := range before {
		text, from := cutNumber(before[i].Text)
		again, to := cutNumber(after[i].Text)
		switch {
		case text != again, to != from && n != 0 && n != to-from:
			return 0, false
		case to != from:
			n = to - from
		}
	}
	return n, true
}

// continues reports whether the next round may be so many steps higher. A lesson
// shows every round or every tenth. Of those that it shows one by one it may leave
// some out: their numbers tell how many.
func (p passage) continues(n int) bool {
	if p.rounds == 1 {
		return n == 0 || n == 1 || n == 10
	}
	return n == p.step || p.step == 1 && n > 1
}

// total returns how many rounds there were, shown or not, and zero where nobody
// knows. If every tenth is shown, there may be some before the first that is: not
// if as much happened until then as until the next one.
func (p passage) total(statements []timeline.Statement) int {
	switch p.step {
	case 0:
		return p.rounds
	case 1:
		return p.number(statements, p.rounds-1) - p.number(statements, 0) + 1
	}
	begin := 0
	if p.from > 0 {
		begin = statements[p.from-1].End
	}
	first, second := statements[p.from+p.period-1].End, statements[p.from+2*p.period-1].End
	if p.number(statements, 0) != p.step || first-begin != second-first {
		return 0
	}
	return p.rounds * p.step
}

// number returns the number of a round, or its place where it has none.
func (p passage) number(statements []timeline.Statement, round int) int {
	if p.step == 0 {
		return round
	}
	for _, s := range statements[p.from+round*p.period:][:p.period] {
		if comment.MatchString(s.Text) {
			_, n := cutNumber(s.Text)
			return n
		}
	}
	return round
}

// cutNumber returns a statement without the number of its round.
func cutNumber(text string) (string, int) {
	found := comment.FindStringSubmatch(text)
	if found == nil {
		return text, 0
	}
	n, _ := strconv.Atoi(found[1]) // digits; too many of them are no round
	return strings.TrimSuffix(text, found[0]), n
}

// text is the label of the passage, without what the rounds differ in.
func (p passage) text(statements []timeline.Statement) string {
	if p.rounds == 1 {
		return statements[p.from].Text
	}
	var texts []string
	for _, s := range statements[p.from : p.from+p.period] {
		text, _ := cutNumber(s.Text)
		texts = append(texts, text)
	}
	return strings.Join(texts, "; ")
}

// growth returns how many bytes more are allocated at the end of the last round
// than at that of the second, and whether each round between them adds some. The
// first round does not count: it also makes what stays for all others.
func (p passage) growth(statements []timeline.Statement) (bytes int64, steady bool) {
	second := p.from + 2*p.period - 1
	steady = true
	for i := second + p.period; i < p.to; i += p.period {
		steady = steady && statements[i].Allocated > statements[i-p.period].Allocated
	}
	return statements[p.to-1].Allocated - statements[second].Allocated, steady
}

// perStep returns by how much the rounds from the second to the last end higher,
// for each one, or each ten where every tenth is shown.
func (p passage) perStep(statements []timeline.Statement, growth int64) int64 {
	steps := p.number(statements, p.rounds-1) - p.number(statements, 1)
	return growth / int64(max(steps/max(p.step, 1), 1))
}
