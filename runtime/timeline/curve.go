package timeline

import (
	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
)

// Curves are the counters after each event, in bytes.
type Curves struct {
	// Allocated belongs to somebody. Active is that, and what is freed but
	// waits for another stream. Reserved is what the driver gave.
	Allocated, Active, Reserved []int64
	// Peak is the most of Allocated up to that event. A program that resets
	// its peak shows in the Peak of its statements, not here.
	Peak []int64
}

// Curves computes the counters after each event. They begin with what Start
// holds.
func (r *Recording) Curves() Curves {
	n := len(r.Events)
	c := Curves{make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n)}
	t := newTally(r.Start)
	peak := t.allocated
	for i, e := range r.Events {
		t.count(e)
		peak = max(peak, t.allocated)
		c.Allocated[i], c.Active[i], c.Reserved[i], c.Peak[i] = t.allocated, t.active, t.reserved, peak
	}
	return c
}

// tally is the counters as they are, in bytes.
type tally struct {
	allocated, active, reserved int64
	// blocks has the size of each active block.
	blocks map[gpu.Ptr]tallied
}

type tallied struct {
	bytes   int64
	pending bool
}

func newTally(start []caching.Segment) *tally {
	t := &tally{blocks: map[gpu.Ptr]tallied{}}
	for _, s := range start {
		t.reserved += s.TotalSize
		for _, b := range s.Blocks {
			switch b.State {
			case caching.ActiveAllocated:
				t.allocated += b.Size
				t.take(b.Address, tallied{bytes: b.Size})
			case caching.ActivePendingFree:
				t.take(b.Address, tallied{b.Size, true})
			}
		}
	}
	return t
}

func (t *tally) take(at gpu.Ptr, b tallied) {
	t.active += b.bytes
	t.blocks[at] = b
}

func (t *tally) count(e Event) {
	switch e.Action {
	case caching.ActionAlloc:
		bytes := e.occupied()
		t.allocated += bytes
		t.take(e.Addr, tallied{bytes: bytes})
	case caching.ActionFreeRequested:
		t.letGo(e.Addr)
	case caching.ActionFreeCompleted:
		t.letGo(e.Addr)
		t.active -= t.blocks[e.Addr].bytes
		delete(t.blocks, e.Addr)
	case caching.ActionSegmentAlloc, caching.ActionSegmentMap:
		t.reserved += e.Size
	case caching.ActionSegmentFree, caching.ActionSegmentUnmap:
		t.reserved -= e.Size
	}
}

// letGo takes a block from its owner. It stays active.
func (t *tally) letGo(at gpu.Ptr) {
	if b, ok := t.blocks[at]; ok && !b.pending {
		t.allocated -= b.bytes
		t.blocks[at] = tallied{b.bytes, true}
	}
}
