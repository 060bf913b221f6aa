package svg

import (
	"slices"

	"github.com/torchmem/workbook/runtime/timeline"
)

// panel is the drawing of one recording: its place on the page and what is to be
// drawn there.
type panel struct {
	recording *timeline.Recording
	clock     *clock
	curves    timeline.Curves
	bands     []timeline.Band
	// fates has what becomes of each band.
	fates    []fate
	stack    *stack
	passages []passage
	flags    []flag
	box
	// top is the bytes at the upper edge of the plot.
	top int64
	// scaled says that the scale of bytes has figures.
	scaled bool
	// margin is the width to the right of the plot.
	margin  float64
	heading string
}

// box is the place of a plot, in pixels.
type box struct{ x, y, w, h float64 }

// headroom is the share of the plot above all curves, where the label of the peak
// is.
const headroom = 0.12

func newPanel(r *timeline.Recording, b box, margin float64) *panel {
	p := &panel{recording: r, curves: r.Curves(), box: b, margin: margin, scaled: true, heading: r.Title}
	p.bands = r.Bands()
	p.fates = fatesOf(r, p.bands)
	p.clock = newClock(r, func(event int) int64 { return p.at(event).allocated }, b.w)
	p.passages = passagesOf(r.Statements)
	p.flags = p.placeFlags()
	p.top = int64(float64(max(p.highest(), 1)) * (1 + headroom))
	return p
}

// highest returns the most bytes that any curve reaches.
func (p *panel) highest() int64 {
	start := p.at(timeline.Before)
	return max(start.allocated, start.reserved,
		slices.Max(append(p.curves.Allocated, 0)), slices.Max(append(p.curves.Reserved, 0)))
}

// lay stacks the bands, those that are at least a grain in size each for itself.
func (p *panel) lay(g grain) {
	p.stack = newStack(p, g)
}

// level returns the height of so many bytes on the page.
func (p *panel) level(bytes int64) float64 {
	return p.y + p.h - float64(bytes)/float64(p.top)*p.h
}

// floor is where the axis of time lies.
func (p *panel) floor() float64 { return p.y + p.h }

// left returns where a column begins on the page.
func (p *panel) left(column int) float64 { return p.x + p.clock.x(column) }

// counters are what the curves show at a moment, in bytes.
type counters struct{ allocated, reserved int64 }

// at returns the counters after an event.
func (p *panel) at(event int) (c counters) {
	if event >= 0 {
		return counters{p.curves.Allocated[event], p.curves.Reserved[event]}
	}
	for _, s := range p.recording.Start {
		c.allocated += s.AllocatedSize
		c.reserved += s.TotalSize
	}
	return c
}

// end returns the counters at the end.
func (p *panel) end() counters { return p.at(len(p.recording.Events) - 1) }

// peak returns the column in which most is allocated, and how much that is.
func (p *panel) peak() (column int, bytes int64) {
	for i, c := range p.clock.columns {
		if at := p.at(c.event).allocated; i == 0 || at > bytes {
			column, bytes = i, at
		}
	}
	return column, bytes
}

// height is that of the plot and the labels below it.
func (p *panel) height() float64 { return p.h + bracketRow + float64(rowsOf(p.flags))*flagRow }
