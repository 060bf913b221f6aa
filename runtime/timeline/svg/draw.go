package svg

import (
	"fmt"

	"github.com/dustin/go-humanize"
)

// draw draws the panel from the back to the front.
func (p *panel) draw(c *canvas) {
	p.drawHeading(c)
	p.drawReserved(c)
	p.drawScale(c)
	p.drawBands(c)
	p.drawCurve(c, "a", func(k counters) int64 { return k.allocated })
	p.drawCurve(c, "rl", func(k counters) int64 { return k.reserved })
	p.drawLabels(c)
	p.drawRounds(c)
	p.drawFlags(c)
	p.drawEnd(c)
}

// drawHeading says what the panel is, with the figures that a lesson prints.
func (p *panel) drawHeading(c *canvas) {
	_, peak := p.peak()
	c.text("h2", start, p.x, p.y-26, cut(p.heading, int((p.w+p.margin)/7)))
	c.text("m", start, p.x, p.y-10, fmt.Sprintf("peak %s bytes, at the end %s",
		humanize.Comma(peak), humanize.Comma(p.end().allocated)))
}

// drawReserved fills what the allocator has from the driver.
func (p *panel) drawReserved(c *canvas) {
	t := p.curve(func(k counters) int64 { return k.reserved })
	t.down(p.floor())
	t.across(p.x)
	c.put(`<path class="r" d="%vz"/>`, t.String())
}

func (p *panel) drawCurve(c *canvas, class string, of func(counters) int64) {
	c.put(`<path class="%v" d="%v"/>`, class, p.curve(of).String())
}

// curve follows a counter over the width of the plot.
func (p *panel) curve(of func(counters) int64) *track {
	t := &track{}
	for i, col := range p.clock.columns {
		y := tenth(p.level(of(p.at(col.event))))
		switch {
		case i == 0:
			t.start(p.x, y)
		case y != t.y:
			t.across(p.left(i))
			t.down(y)
		}
	}
	t.across(p.x + p.w)
	return t
}

// drawScale draws the scale of bytes. A panel that shares it has only its lines.
func (p *panel) drawScale(c *canvas) {
	step := tickStep(p.top)
	for bytes := int64(0); bytes <= p.top; bytes += step {
		y := p.level(bytes)
		c.line("g", p.x, y, p.x+p.w, y)
		if p.scaled {
			c.text("m", right, p.x-6, y+4, size(bytes))
		}
	}
	c.line("x", p.x, p.floor(), p.x+p.w, p.floor())
}

// drawPeak marks the moment with most allocated.
func (p *panel) drawPeak(c *canvas) {
	column, bytes := p.peak()
	if bytes == 0 {
		return
	}
	x, y := p.middle(column), p.level(bytes)
	c.put(`<circle class="d" cx="%v" cy="%v" r="3"/>`, x, y)
	anchor, from := middle, x
	switch {
	case x-p.x < 50:
		anchor, from = start, p.x+4
	case p.x+p.w-x < 50:
		anchor, from = right, p.x+p.w-2
	}
	c.text("halo", anchor, from, y-8, "peak "+size(bytes))
}

// middle returns the middle of a column on the page.
func (p *panel) middle(column int) float64 { return (p.left(column) + p.left(column+1)) / 2 }
