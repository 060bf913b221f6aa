package svg

import (
	"sort"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/timeline"
)

// clock says where the events and statements of a recording stand from left to
// right, in pixels.
type clock struct {
	columns []column
	width   float64
	// starts is where each statement begins.
	starts []float64
}

// column is a stretch of the width that shows the memory after one event.
type column struct {
	event int
	x     float64
}

// slot is what takes width: an event, or the rest after a statement.
type slot struct {
	event  int
	weight float64
}

// narrowest is the least width of a column, in pixels.
const narrowest = 1

func newClock(r *timeline.Recording, allocated func(event int) int64, width float64) *clock {
	slots, first := slotsOf(r)
	total := 0.0
	for _, s := range slots {
		total += s.weight
	}
	c := &clock{width: width, starts: make([]float64, len(first))}
	x, next := 0.0, 0
	for i, s := range slots {
		for ; next < len(first) && first[next] == i; next++ {
			c.starts[next] = x
		}
		slots[i].weight = s.weight * width / total
		x += slots[i].weight
	}
	c.thin(slots, allocated)
	return c
}

// slotsOf lists what takes width, and the first slot of each statement. Every
// statement ends with a rest, so that one that does nothing is seen to do nothing.
func slotsOf(r *timeline.Recording) (slots []slot, first []int) {
	n := len(r.Events)
	rest := max(1, 0.8*float64(n)/float64(len(r.Statements)+1))
	if len(r.Statements) == 0 {
		rest = max(1, float64(n)/50)
	}
	event := 0
	until := func(end int) {
		for ; event < end; event++ {
			if !endsFree(r.Events, event) {
				slots = append(slots, slot{event, 1})
			}
		}
		slots = append(slots, slot{end - 1, rest})
	}
	if n == 0 || len(r.Start) > 0 {
		slots = append(slots, slot{timeline.Before, rest})
	}
	for _, s := range r.Statements {
		first = append(first, len(slots))
		until(s.End)
	}
	if event < n {
		until(n)
	}
	return slots, first
}

// endsFree reports whether an event only completes the one before it. Nothing is
// to be seen then.
func endsFree(events []timeline.Event, i int) bool {
	return i > 0 && events[i].Action == caching.ActionFreeCompleted &&
		events[i-1].Action == caching.ActionFreeRequested && events[i-1].Addr == events[i].Addr
}

// thin joins slots that are narrower than a column. The moment that is shown is
// the one with most allocated.
func (c *clock) thin(slots []slot, allocated func(event int) int64) {
	x := 0.0
	for i := 0; i < len(slots); {
		shown, from := slots[i].event, x
		x += slots[i].weight
		for i++; i < len(slots) && x-from < narrowest && slots[i].weight < narrowest; i++ {
			if allocated(slots[i].event) > allocated(shown) {
				shown = slots[i].event
			}
			x += slots[i].weight
		}
		c.columns = append(c.columns, column{shown, from})
	}
}

// find returns the first column that shows an event or a later one.
func (c *clock) find(event int) int {
	return sort.Search(len(c.columns), func(i int) bool { return c.columns[i].event >= event })
}

// x returns the left edge of a column. Behind the last one is the right edge of
// all.
func (c *clock) x(column int) float64 {
	if column < len(c.columns) {
		return c.columns[column].x
	}
	return c.width
}
