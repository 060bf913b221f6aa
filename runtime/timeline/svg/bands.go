package svg

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// drawBands draws the stack.
func (p *panel) drawBands(c *canvas) {
	for i, l := range p.stack.layers {
		c.put(`<path class="%v" d="%v"/>`, l.class(i), p.outline(l))
	}
}

// class is the look of a layer. Neighbours differ a little.
func (l *layer) class(i int) string { return fmt.Sprintf("%s%d", l.fate.letter(), i%2) }

// letter is how the style knows a fate.
func (f fate) letter() string { return [...]string{held: "k", piled: "l", freed: "f"}[f] }

// outline goes along the upper edge of a layer and back along the lower one.
func (p *panel) outline(l *layer) string {
	var t track
	t.start(p.left(l.from), p.level(l.bottom[0]+l.height[0]))
	for i := range l.bottom {
		if y := tenth(p.level(l.bottom[i] + l.height[i])); y != t.y {
			t.across(p.left(l.from + i))
			t.down(y)
		}
	}
	t.across(p.left(l.to))
	for i := len(l.bottom) - 1; i >= 0; i-- {
		if y := tenth(p.level(l.bottom[i])); y != t.y {
			t.across(p.left(l.from + i + 1))
			t.down(y)
		}
	}
	t.across(p.left(l.from))
	return t.String() + "z"
}

const (
	// letterWidth is the width of a letter of a label, in pixels.
	letterWidth = 6.2
	// lineHeight is the least height of a band with a label.
	lineHeight = 12
	// mostLabels is how many bands have one.
	mostLabels = 14
)

// label is the text of a band and where its middle is.
type label struct {
	class, text string
	x, y        float64
	area        float64
}

// drawLabels writes names and sizes into the largest bands.
func (p *panel) drawLabels(c *canvas) {
	var labels []label
	for _, l := range p.stack.layers {
		if label, ok := p.labelOf(l); ok {
			labels = append(labels, label)
		}
	}
	slices.SortStableFunc(labels, func(x, y label) int { return cmp.Compare(y.area, x.area) })
	for _, l := range labels[:min(len(labels), mostLabels)] {
		c.text(l.class, middle, l.x, l.y, l.text)
	}
}

// labelOf finds the text that fits into a layer, in the widest part in which it
// lies still.
func (p *panel) labelOf(l *layer) (label, bool) {
	if len(l.bands) > 1 {
		return label{}, false
	}
	from, to := l.stillest(p.clock)
	room := p.left(to) - p.left(from) - 6
	height := float64(l.height[0]) / float64(p.top) * p.h
	text := caption(l, int(room/letterWidth))
	if text == "" || height < lineHeight {
		return label{}, false
	}
	class := "t" + l.fate.letter()
	y := p.level(l.bottom[from-l.from]+l.height[0]/2) + 4
	return label{class, text, (p.left(from) + p.left(to)) / 2, y, room * height}, true
}

// caption is the name of a band with its size, or less where less fits.
func caption(l *layer, letters int) string {
	b := l.bands[0]
	bytes := size(b.Block)
	for _, text := range []string{strings.TrimSpace(b.Name + " " + bytes), b.Name, bytes} {
		if text != "" && len([]rune(text)) <= letters {
			return text
		}
	}
	return ""
}

// stillest returns the widest run of columns in which nothing below the layer
// changes.
func (l *layer) stillest(c *clock) (from, to int) {
	for at := l.from; at < l.to; {
		end := at + 1
		for end < l.to && l.bottom[end-l.from] == l.bottom[at-l.from] {
			end++
		}
		if to == 0 || c.x(end)-c.x(at) > c.x(to)-c.x(from) {
			from, to = at, end
		}
		at = end
	}
	return from, to
}
