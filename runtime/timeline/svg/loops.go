package svg

import (
	"fmt"

	"github.com/torchmem/workbook/runtime/timeline"
)

// drawRounds brackets the rounds of loops, and says what they do to the memory.
func (p *panel) drawRounds(c *canvas) {
	y := p.floor() + 5
	for _, s := range p.passages {
		if s.rounds == 1 {
			continue
		}
		from, to := p.begin(s.from), p.begin(s.to)
		for i := s.from; i <= s.to; i += s.period {
			c.line("x", p.begin(i), y-3, p.begin(i), y)
		}
		c.line("x", from, y, to, y)
		v := p.verdict(s)
		room := to - from - 5
		if s.to == len(p.recording.Statements) {
			room += p.margin // nothing hangs there
		}
		c.text(v.class, start, from+5, y+13, v.fitting(int(room/boldWidth)))
	}
}

// boldWidth is the width of a bold letter, in pixels.
const boldWidth = 6.7

// begin returns where a statement begins on the page. Behind the last one is the
// right edge.
func (p *panel) begin(statement int) float64 {
	if statement < len(p.clock.starts) {
		return p.x + p.clock.starts[statement]
	}
	return p.x + p.w
}

// verdict says what rounds do to the memory, in a longer and in shorter texts.
type verdict struct {
	class string
	texts []string
}

func (p *panel) verdict(s passage) verdict {
	statements := p.recording.Statements
	rounds := s.count(statements)
	growth, steady := s.growth(statements)
	switch {
	case growth <= 0:
		return verdict{"m", []string{rounds + ", no growth", rounds}}
	case !steady:
		return verdict{"m", []string{rounds}}
	}
	class := "m"
	if p.has(piled) {
		class = "m k"
	}
	each, alone, ends := "each", "each round", "ends"
	if s.step > 1 {
		each = fmt.Sprintf("every %d", s.step)
		alone, ends = each+" rounds", "end"
	}
	more := size(s.perStep(statements, growth))
	return verdict{class, []string{
		fmt.Sprintf("%s, %s %s about %s higher", rounds, each, ends, more),
		fmt.Sprintf("%s %s about %s higher", alone, ends, more),
		fmt.Sprintf("%s +%s", alone, more),
	}}
}

// count says how many rounds there were, as far as that is known.
func (s passage) count(statements []timeline.Statement) string {
	total := s.total(statements)
	switch {
	case total == 0:
		return fmt.Sprintf("every %dth round shown", s.step)
	case s.step == 1 && total > s.rounds:
		return fmt.Sprintf("%d rounds, %d of them not shown", total, total-s.rounds)
	}
	return fmt.Sprintf("%d rounds", total)
}

// fitting returns the longest text that fits, or the shortest.
func (v verdict) fitting(letters int) string {
	for _, text := range v.texts {
		if len([]rune(text)) <= letters {
			return text
		}
	}
	return v.texts[len(v.texts)-1]
}
