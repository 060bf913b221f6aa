package svg

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// holder is a name, and what it holds at the end.
type holder struct {
	name  string
	count int
	bytes int64
}

// holders returns who holds what is left, the largest first.
func (p *panel) holders() []holder {
	var all []holder
	place := map[string]int{}
	for _, b := range p.bands {
		if !p.isLeft(b) {
			continue
		}
		at, known := place[b.Name]
		if !known {
			at = len(all)
			place[b.Name] = at
			all = append(all, holder{name: cmp.Or(b.Name, "no name")})
		}
		all[at].count++
		all[at].bytes += b.Block
	}
	slices.SortStableFunc(all, func(x, y holder) int { return cmp.Compare(y.bytes, x.bytes) })
	return all
}

// mostHolders is how many names stand at the right edge.
const mostHolders = 4

// drawEnd says at the right edge what is left, and who holds it.
func (p *panel) drawEnd(c *canvas) {
	end := p.end()
	holders := p.holders()
	shown := holders[:min(len(holders), mostHolders)]
	x, level := p.x+p.w+5, p.level(end.allocated)
	c.put(`<path class="x" d="M%v %vh4V%vh-4"/>`, x-3, level, p.floor())
	x += 5

	lines := float64(len(shown))*13 + 13
	grown := p.leftOf(piled)
	if grown > 0 {
		lines += 13
	}
	y := min(level+10, p.floor()-lines)
	c.text("m", start, x, min(p.level(end.reserved)+4, y-28), "reserved "+size(end.reserved))
	if end.allocated == 0 {
		c.text("b", start, x, p.floor(), "nothing is left")
		return
	}
	c.text("b", start, x, y, "held at the end")
	c.text("b", start, x, y+13, size(end.allocated))
	if grown > 0 {
		y += 13
		c.text("b k", start, x, y+13, "piled up "+size(grown))
	}
	for i, h := range shown {
		c.text("n", start, x, y+float64(i)*13+27, h.text(int((p.margin-12)/5.8)))
	}
}

// text spells a holder in so many letters.
func (h holder) text(letters int) string {
	bytes := size(h.bytes)
	if h.count > 1 {
		bytes = fmt.Sprintf("%d × %s", h.count, size(h.bytes/int64(h.count)))
	}
	room := letters - len([]rune(bytes)) - 1
	name := h.name
	if dot := strings.LastIndex(name, "."); dot >= 0 && len([]rune(name)) > room {
		name = name[dot+1:] // Linear.weight is a weight
	}
	return cut(name, room) + " " + bytes
}
