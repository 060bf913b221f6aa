package timeline

import (
	"cmp"
	"slices"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
)

// Before is the Alloc of a [Band] that was there before the first event.
const Before = -1

// Band is one allocation: the stretch of events in which it is active.
type Band struct {
	// Alloc is the event that made it, or [Before].
	Alloc int
	// Requested is the event in which its owner let go of it, and Free the one
	// after which its memory can be used again. They differ where another
	// stream still used it. Both are len(Events) where that never happened.
	Requested, Free int

	Addr gpu.Ptr
	// Size is the bytes that were asked for, Block those that it occupies.
	Size, Block int64
	Stream      gpu.Stream
	// Frames is the stack that asked for it, the innermost call first.
	Frames []caching.Frame
	// Name is the tensor that it became, empty where nobody named it, and
	// Holders those who held it later.
	Name    string
	Holders []Holder
}

// HeldBy returns who held it after an event: its name, or who came later.
func (b Band) HeldBy(event int) string {
	held := b.Name
	for _, h := range b.Holders {
		if h.From <= event {
			held = h.Name
		}
	}
	return held
}

// IsActive reports whether the allocation occupies its memory after an event.
func (b Band) IsActive(event int) bool { return b.Alloc <= event && event < b.Free }

// Bands returns every allocation, the oldest first. Those of Start come before
// the others, by address. A free of something that nobody saw is left out.
func (r *Recording) Bands() []Band {
	bands := r.startBands()
	open := map[gpu.Ptr]int{}
	for i, b := range bands {
		open[b.Addr] = i
	}
	for i, e := range r.Events {
		switch e.Action {
		case caching.ActionAlloc:
			open[e.Addr] = len(bands)
			bands = append(bands, r.band(i))
		case caching.ActionFreeRequested:
			if at, ok := open[e.Addr]; ok {
				bands[at].Requested = i
			}
		case caching.ActionFreeCompleted:
			if at, ok := open[e.Addr]; ok {
				bands[at].Requested = min(bands[at].Requested, i)
				bands[at].Free = i
				delete(open, e.Addr)
			}
		}
	}
	return bands
}

// band is the allocation of an event, as if it never ended.
func (r *Recording) band(event int) Band {
	e, never := r.Events[event], len(r.Events)
	return Band{
		Alloc: event, Requested: never, Free: never,
		Addr: e.Addr, Size: e.Size, Block: e.occupied(), Stream: e.Stream,
		Frames: e.Frames, Name: e.Name, Holders: e.Holders,
	}
}

// startBands are the blocks that were there before the first event.
func (r *Recording) startBands() []Band {
	var bands []Band
	never := len(r.Events)
	for _, s := range r.Start {
		for _, b := range s.Blocks {
			if b.State == caching.Inactive {
				continue
			}
			requested := never
			if b.State == caching.ActivePendingFree {
				requested = Before
			}
			bands = append(bands, Band{
				Alloc: Before, Requested: requested, Free: never,
				Addr: b.Address, Size: b.RequestedSize, Block: b.Size, Stream: s.Stream,
				Frames: b.Frames,
			})
		}
	}
	return bands
}

// Largest returns the n allocations that occupy most after an event, the
// largest first, and the older first among equals. Event [Before] is the start.
func (r *Recording) Largest(event, n int) []Band {
	bands := slices.DeleteFunc(r.Bands(), func(b Band) bool { return !b.IsActive(event) })
	slices.SortStableFunc(bands, func(x, y Band) int { return cmp.Compare(y.Block, x.Block) })
	return bands[:min(max(n, 0), len(bands))]
}

// granule is what PyTorch rounds sizes up to without further settings, in
// bytes.
const granule = 512

// occupied returns the bytes that an allocation takes. Snapshots of PyTorch have
// only what was asked for.
func (e Event) occupied() int64 {
	if e.Block > 0 {
		return e.Block
	}
	return max(granule, (e.Size+granule-1)/granule*granule)
}
