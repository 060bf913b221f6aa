package svg

import (
	"github.com/torchmem/workbook/runtime/timeline"
	"github.com/torchmem/workbook/runtime/units"
)

// page is a picture: panels with a title and a legend.
type page struct {
	title  string
	panels []*panel
	// compared says that the second panel is measured against the first.
	compared bool
}

// The measures of a page, in pixels. The width is that of a text on GitHub.
const (
	pageWidth = 800
	pageHead  = 62 // title and legend
	panelHead = 44 // heading of a panel
	scaleLeft = 66 // the scale of bytes
	margin    = 132
	gap       = 26
	bottom    = 14
)

// newColumn places recordings one below the other.
func newColumn(recordings []*timeline.Recording, o Options) *page {
	p := &page{title: o.Title}
	y := float64(pageHead)
	for _, r := range recordings {
		one := newPanel(r, box{scaleLeft, y + panelHead, pageWidth - scaleLeft - margin, 230}, margin)
		p.panels = append(p.panels, one)
		y = one.y + one.height() + gap
	}
	p.name()
	return p
}

// newPair places two side by side, with one scale of bytes.
func newPair(before, after *timeline.Recording, o Options) *page {
	const w = (pageWidth - scaleLeft - gap/2 - 2*margin) / 2
	p := &page{title: o.Title, compared: true}
	x := float64(scaleLeft)
	for _, r := range []*timeline.Recording{before, after} {
		p.panels = append(p.panels, newPanel(r, box{x, pageHead + panelHead, w, 260}, margin))
		x += w + margin + gap/2
	}
	first, second := p.panels[0], p.panels[1]
	first.top = max(first.top, second.top)
	second.top, second.scaled = first.top, false
	p.name()
	return p
}

// name gives the page the title of its recording if it has none. No title stands
// there twice.
func (p *page) name() {
	if p.title == "" && len(p.panels) > 0 {
		p.title = p.panels[0].recording.Title
	}
	for _, one := range p.panels {
		if one.heading == p.title {
			one.heading = ""
		}
	}
}

// biggest is how many bytes a picture may have for each panel. Coarser grains
// make it smaller.
const biggest = 28_000

// draw draws with grains that keep the picture small.
func (p *page) draw() string {
	g := grain{1, 1}
	text := p.drawGrain(g)
	for len(text) > biggest*max(len(p.panels), 1) && g.width < pageWidth {
		g = grain{2 * g.width, 1.5 * g.height}
		text = p.drawGrain(g)
	}
	return text
}

func (p *page) drawGrain(g grain) string {
	for _, one := range p.panels {
		one.lay(g)
	}
	c := &canvas{}
	height := p.height()
	c.put(`<svg xmlns="http://www.w3.org/2000/svg" width="%v" height="%v" viewBox="0 0 %v %v" role="img" aria-labelledby="t d">`,
		float64(pageWidth), height, float64(pageWidth), height)
	c.put(`<title id="t">%v</title>`, escape(p.title))
	c.put(`<desc id="d">%v</desc>`, escape(p.describe()))
	c.put(`<style>%v</style>`, style)
	c.put(`<rect class="bg" x=".5" y=".5" width="%v" height="%v" rx="6"/>`, float64(pageWidth-1), height-1)
	c.text("h1", start, 16, 28, p.title)
	p.drawLegend(c)
	for _, one := range p.panels {
		one.draw(c)
	}
	if p.compared {
		p.drawSaving(c)
	}
	for _, one := range p.panels {
		one.drawPeak(c)
	}
	p.drawNote(c)
	c.put(`</svg>`)
	return c.String()
}

// height is that of the page: the lowest panel, and a line for the note.
func (p *page) height() float64 {
	low := float64(pageHead)
	for _, one := range p.panels {
		low = max(low, one.y+one.height())
	}
	if p.merged() > 0 {
		low += 18
	}
	return low + bottom
}

func (p *page) merged() (n int) {
	for _, one := range p.panels {
		n += one.stack.merged
	}
	return n
}

// drawNote says what has no band of its own.
func (p *page) drawNote(c *canvas) {
	text := "Too small for bands of their own, drawn together: " + units.Count(p.merged(), "allocation") + "."
	switch p.merged() {
	case 0:
		return
	case 1:
		text = "Too small to be seen as a band: 1 allocation."
	}
	c.text("m", start, 16, p.height()-bottom, text)
}
