package svg

import (
	"slices"

	"github.com/torchmem/workbook/runtime/timeline"
)

// stack is the bands on top of each other.
type stack struct {
	layers []*layer
	// merged is how many allocations have no layer of their own.
	merged int
}

// layer is a band of the stack, or many that are too small for one each. Its lists
// have an entry for each column from the first to before the last.
type layer struct {
	bands          []timeline.Band
	fate           fate
	from, to       int
	bottom, height []int64
}

// grain is the size below which a band has no layer of its own, in pixels.
type grain struct{ width, height float64 }

// newStack lays the bands by their fate, and those of a pile that are held at the
// end below the others of it: so what is held at the end lies at the bottom and
// never moves.
func newStack(p *panel, g grain) *stack {
	s := &stack{}
	c, pixels := p.clock, p.h/float64(p.top)
	var layers [fates][]*layer
	var gone []*layer // of piles
	var crumbs [fates]layer
	for i, b := range p.bands {
		l := &layer{bands: []timeline.Band{b}, fate: p.fates[i], from: c.find(b.Alloc), to: c.find(b.Requested)}
		switch {
		case c.x(l.to)-c.x(l.from) < g.width || float64(b.Block)*pixels < g.height:
			crumbs[l.fate].add(l)
			s.merged++
		case l.fate == piled && !p.isLeft(b):
			gone = append(gone, l)
		default:
			layers[l.fate] = append(layers[l.fate], l)
		}
	}
	layers[piled] = append(layers[piled], gone...)
	crumbs[piled].fate, crumbs[freed].fate = piled, freed
	for f := range fates {
		s.layers = append(append(s.layers, layers[f]...), &crumbs[f])
	}
	s.layers = slices.DeleteFunc(s.layers, func(l *layer) bool { return l.from >= l.to })
	s.lay(c)
	return s
}

// add joins a layer with one that it is too small to stand beside.
func (l *layer) add(crumb *layer) {
	if crumb.from >= crumb.to {
		return // between two columns: nobody sees it
	}
	if len(l.bands) == 0 {
		l.from, l.to = crumb.from, crumb.to
	}
	l.from, l.to = min(l.from, crumb.from), max(l.to, crumb.to)
	l.bands = append(l.bands, crumb.bands...)
}

// lay finds where each layer lies in each column, in bytes.
func (s *stack) lay(c *clock) {
	top := make([]int64, len(c.columns))
	for _, l := range s.layers {
		l.height = l.heights(c)
		l.bottom = slices.Clone(top[l.from:l.to])
		for i, h := range l.height {
			top[l.from+i] += h
		}
	}
}

// heights adds up what begins and ends in each column.
func (l *layer) heights(c *clock) []int64 {
	change := make([]int64, l.to-l.from+1)
	for _, b := range l.bands {
		change[c.find(b.Alloc)-l.from] += b.Block
		change[c.find(b.Requested)-l.from] -= b.Block
	}
	for i := range l.to - l.from {
		if i > 0 {
			change[i] += change[i-1]
		}
	}
	return change[:l.to-l.from]
}
