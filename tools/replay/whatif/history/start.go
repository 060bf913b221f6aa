package history

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/snapshot"
)

// # Going backwards
//
// The snapshot shows the segments at the end. Each event of a segment says how
// they were before it: one that was allocated was not there, one that was freed
// was. So the way back from the end leads to the segments at the start, and on
// that way each allocation meets the segment that it made, which tells the pool.

// defaultPool is the id of the pools that are not private.
var defaultPool = caching.PoolID{}

// rewind finds what was reserved before the first event.
func (r *reader) rewind(final []caching.Segment) error {
	for _, s := range final {
		if !possible(s.Address, s.TotalSize) {
			return fmt.Errorf("a segment of %d bytes at %#x", s.TotalSize, uint64(s.Address))
		}
		place, err := r.spanOf(s.Address, s.TotalSize, Lane{s.Stream, s.SegmentPoolID})
		if err != nil {
			return err
		}
		if s.IsExpandable && !r.mapped.add(place) || !s.IsExpandable && !r.addSegment(place) {
			return fmt.Errorf("two segments share the address %#x", uint64(s.Address))
		}
	}
	for i := len(r.events) - 1; i >= 0; i-- {
		if err := r.undo(i, r.events[i]); err != nil {
			return fmt.Errorf("event %d: %w", i, err)
		}
	}
	r.noteStart()
	if r.reserved > maxBytes {
		return fmt.Errorf("%d bytes are reserved before the first event", r.reserved)
	}
	return nil
}

func (r *reader) spanOf(p gpu.Ptr, size int64, l Lane) (span, error) {
	lane, err := r.lane(l)
	return span{p, size, lane}, err
}

func (r *reader) addSegment(s span) bool {
	return r.segments.add(&segment{span: s, private: r.lanes[s.lane].Pool != defaultPool})
}

// undo takes the segments from after an event to before it.
func (r *reader) undo(i int, e snapshot.Event) error {
	switch e.Action {
	case caching.ActionSegmentAlloc:
		s := r.segments.at(e.Addr)
		if s == nil {
			r.recorded.Gone++
			return nil
		}
		if s.size != e.Size {
			return impossible(e, "later it has %d", s.size)
		}
		r.notePool(i, s.lane)
		r.segments.remove(s)
	case caching.ActionSegmentMap:
		s, ok := r.mapped.remove(e.Addr, e.Size)
		if !ok {
			return impossible(e, "later it is not there")
		}
		r.notePool(i, s.lane)
	case caching.ActionSegmentFree:
		return r.restore(e, r.released[i], r.addSegment)
	case caching.ActionSegmentUnmap:
		return r.restore(e, defaultPool, r.mapped.add)
	}
	return nil
}

// notePool keeps the pool of a segment that an event made.
func (r *reader) notePool(i, lane int) {
	if pool := r.lanes[lane].Pool; pool != defaultPool {
		r.pools[i] = pool
	}
}

// restore brings back what an event took away.
func (r *reader) restore(e snapshot.Event, pool caching.PoolID, add func(span) bool) error {
	if !possible(e.Addr, e.Size) {
		return impossible(e, "no segment is like that")
	}
	s, err := r.spanOf(e.Addr, e.Size, Lane{e.Stream, pool})
	if err != nil {
		return err
	}
	if !add(s) {
		return impossible(e, "later it is still there")
	}
	return nil
}

// noteStart keeps the segments that are older than the history.
func (r *reader) noteStart() {
	r.segments.tree.Scan(func(_ gpu.Ptr, s *segment) bool {
		s.older = true
		r.startWith(Segment{Addr: s.at, Size: s.size, Lane: s.lane, Small: s.size == smallSegment})
		return true
	})
	r.mapped.tree.Scan(func(_ gpu.Ptr, s span) bool {
		r.startWith(Segment{Addr: s.at, Size: s.size, Lane: s.lane, Expandable: true})
		return true
	})
	slices.SortFunc(r.start.Segments, func(x, y Segment) int { return cmp.Compare(x.Addr, y.Addr) })
	r.reserved = r.start.Reserved
	r.recorded.PeakReserved = r.reserved
}

func (r *reader) startWith(s Segment) {
	r.start.Segments = append(r.start.Segments, s)
	r.start.Reserved += s.Size
}
