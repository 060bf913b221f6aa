package svg

import "fmt"

// drawSaving carries the higher peak over to the other panel, and says how much
// lower that one is.
func (p *page) drawSaving(c *canvas) {
	high, low, side := p.panels[0], p.panels[1], "on the left"
	_, most := high.peak()
	if _, other := low.peak(); other > most {
		high, low, side = low, high, "on the right"
	}
	at, most := high.peak()
	column, least := low.peak()
	if most == least {
		return
	}
	y := high.level(most)
	c.line("p", high.middle(at), y, high.x+high.w, y)
	c.line("p", low.x, y, low.x+low.w, y)
	c.text("m halo", start, low.x+2, y-5, "the peak "+side)
	low.drawGap(c, low.middle(column), y, fmt.Sprintf("peak %s lower (%s)", size(most-least), percent(most-least, most)))
}

// drawGap draws an arrow from a line down to the panel's own peak.
func (p *panel) drawGap(c *canvas, x, y float64, text string) {
	_, bytes := p.peak()
	tip := p.level(bytes) - 22
	if tip > y+12 {
		c.line("w", x, y+1, x, tip-6)
		c.put(`<path class="v" d="M%v %vl-4 -7h8z"/>`, x, tip)
	}
	const room = 150
	anchor, from := start, x+8
	if x+room > p.x+p.w && x-room > p.x {
		anchor, from = right, x-8
	}
	c.text("halo h2", anchor, from, y+16, text)
}
