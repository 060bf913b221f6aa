package svg

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/torchmem/workbook/runtime/timeline"
)

// passage is statements that share one label: a single one, or rounds of a loop.
type passage struct {
	// from and to are its statements, the second excluded.
	from, to int
	// period is how many statements a round has, rounds how many there are.
	period, rounds int
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
		rounds := 1
		for end := at + 2*period; end <= len(statements); end += period {
			if !slices.EqualFunc(statements[end-2*period:end-period], statements[end-period:end], follows) {
				break
			}
			rounds++
		}
		if rounds >= fewestRounds {
			return passage{at, at + rounds*period, period, rounds}
		}
	}
	return passage{at, at + 1, 1, 1}
}

// follows reports whether a statement is that of the round before, or its number is
// some steps higher. Where rounds are left out, a passage ends.
func follows(before, after timeline.Statement) bool {
	text, from := cutNumber(before.Text)
	again, to := cutNumber(after.Text)
	return text == again && (to == from || to == from+1 || to == from+10)
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
