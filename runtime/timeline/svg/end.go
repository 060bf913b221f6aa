package svg

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/torchmem/workbook/runtime/units"
)

// holder is a name, and what it holds at the end: of piles, or else.
type holder struct {
	name  string
	piled bool
	count int
	bytes int64
}

// holders returns who holds what is left, the largest first.
func (p *panel) holders() []holder {
	var all []holder
	type key struct {
		name  string
		piled bool
	}
	place := map[key]int{}
	for i, b := range p.bands {
		if !p.isLeft(b) {
			continue
		}
		k := key{b.HeldBy(len(p.recording.Events) - 1), p.fates[i] == piled}
		at, known := place[k]
		if !known {
			at = len(all)
			place[k] = at
			all = append(all, holder{name: cmp.Or(k.name, "no name"), piled: k.piled})
		}
		all[at].count++
		all[at].bytes += b.Block
	}
	slices.SortStableFunc(all, func(x, y holder) int { return cmp.Compare(y.bytes, x.bytes) })
	return all
}

// mostHolders is how many names stand at the right edge. If there is one more, it
// takes the line that would say so.
const mostHolders = 5

// drawEnd says at the right edge what is left, and who holds it.
func (p *panel) drawEnd(c *canvas) {
	end := p.end()
	holders := p.holders()
	shown := holders
	if len(holders) > mostHolders+1 {
		shown = holders[:mostHolders]
	}
	x, level := p.x+p.w+5, p.level(end.allocated)
	c.put(`<path class="x" d="M%v %vh4V%vh-4"/>`, x-3, level, p.floor())
	x += 5

	if end.allocated == 0 {
		p.drawNothing(c, x, p.level(end.reserved))
		return
	}
	rest := restOf(holders[len(shown):])
	lines := float64(len(shown))*13 + 13
	if rest.count > 0 {
		lines += 13
	}
	grown := p.leftOf(piled)
	if grown > 0 {
		lines += 13
	}
	y := min(level+10, p.floor()-lines)
	c.text("m", start, x, min(p.level(end.reserved)+4, y-28), "reserved "+size(end.reserved))
	c.text("b", start, x, y, "held at the end")
	c.text("b", start, x, y+13, size(end.allocated))
	if grown > 0 {
		y += 13
		c.text("b k", start, x, y+13, "piled up "+size(grown))
	}
	p.drawHolders(c, shown, x, y+27)
	if rest.count > 0 {
		c.text("n", start, x, y+float64(len(shown))*13+27, units.Count(rest.count, "other")+" "+size(rest.bytes))
	}
}

// drawHolders lists holders below each other. What is of a pile has its colour.
func (p *panel) drawHolders(c *canvas, shown []holder, x, y float64) {
	for i, h := range shown {
		class, width := "n", 5.8 // of a letter
		if h.piled {
			class, width = "n k", 6.1
		}
		c.text(class, start, x, y+float64(i)*13, h.text(int((p.margin-12)/width)))
	}
}

// drawNothing says that nothing is left, beside what is reserved all the same.
func (p *panel) drawNothing(c *canvas, x, reserved float64) {
	end, y := p.end(), p.floor()
	if y-reserved < 13 {
		y = reserved - 9
	}
	c.text("b", start, x, y, "nothing is left")
	c.text("m", start, x, reserved+4, "reserved "+size(end.reserved))
}

// restOf adds up holders that have no line of their own, so that the figures at the
// edge add up to what is held.
func restOf(holders []holder) (rest holder) {
	for _, h := range holders {
		rest.count += h.count
		rest.bytes += h.bytes
	}
	return rest
}

// text spells a holder in so many letters.
func (h holder) text(letters int) string {
	bytes := size(h.bytes)
	if h.count > 1 {
		bytes = fmt.Sprintf("×%d %s", h.count, bytes)
	}
	room := letters - len([]rune(bytes)) - 1
	name := h.name
	if len([]rune(name)) > room {
		name = name[strings.LastIndex(name, ".")+1:] // Linear.weight is a weight
		name = strings.Trim(name, "()")
	}
	return cut(name, room) + " " + bytes
}
