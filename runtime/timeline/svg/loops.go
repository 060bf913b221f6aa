package svg

import "fmt"

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
	rounds := fmt.Sprintf("%d rounds", s.rounds)
	growth, steady := s.growth(p.recording.Statements)
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
	each := size(growth / int64(max(s.rounds-2, 1)))
	return verdict{class, []string{
		fmt.Sprintf("%s, each ends about %s higher", rounds, each),
		fmt.Sprintf("each round ends about %s higher", each),
		fmt.Sprintf("each round +%s", each),
	}}
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
