package svg

import "slices"

// entry is one of the legend: a swatch or a piece of a line, and what it means.
type entry struct {
	draw  func(c *canvas, class string, x, y float64)
	class string
	text  string
}

// drawLegend says what colours and lines mean. A fate that nothing had is left out.
func (p *page) drawLegend(c *canvas) {
	var entries []entry
	for f, text := range [...]string{
		held: "held at the end", piled: "piles up, round after round", freed: "freed before the end",
	} {
		if slices.ContainsFunc(p.panels, func(one *panel) bool { return one.has(fate(f)) }) {
			entries = append(entries, entry{drawSwatch, fate(f).letter() + "0", text})
		}
	}
	entries = append(entries, entry{drawStroke, "a", "allocated"}, entry{drawDashed, "r", "reserved, not in use"})
	x, y := 16.0, 46.0
	for _, e := range entries {
		e.draw(c, e.class, x, y)
		c.text("m", start, x+20, y, e.text)
		x += 20 + float64(len(e.text))*5.6 + 12
	}
}

func drawSwatch(c *canvas, class string, x, y float64) { c.rect(class, x, y-9, 14, 10) }

func drawDashed(c *canvas, class string, x, y float64) {
	drawSwatch(c, class, x, y)
	c.line("rl", x, y-9, x+14, y-9)
}

func drawStroke(c *canvas, class string, x, y float64) { c.line(class, x, y-4, x+14, y-4) }
