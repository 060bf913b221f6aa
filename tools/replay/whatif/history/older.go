package history

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/snapshot"
)

// # Blocks that were there before
//
// A block that is freed, and was not allocated before in the history, is older.
// So is a block that the snapshot shows and that no event names. Both must lie
// in segments that are older too.

// findOlder finds the blocks that are older than the history.
func (r *reader) findOlder(final []caching.Segment) error {
	if len(r.start.Segments) == 0 {
		return nil
	}
	defer r.sortOlder()
	for _, s := range final {
		r.noteClass(s, r.ofStream(s.Stream))
	}
	named := make(map[gpu.Ptr]bool, len(r.events)/4)
	for i, e := range r.events {
		if err := r.ownsOlder(e, named); err != nil {
			return fmt.Errorf("event %d: %w", i, err)
		}
	}
	for _, s := range final {
		for _, b := range s.Blocks {
			if b.State != caching.Inactive && !named[b.Address] {
				r.leftAlive(b)
			}
		}
	}
	return nil
}

// ownsOlder keeps the block of an event if no event before named it.
func (r *reader) ownsOlder(e snapshot.Event, named map[gpu.Ptr]bool) error {
	switch e.Action {
	case caching.ActionAlloc:
		named[e.Addr] = true
	case caching.ActionFreeRequested, caching.ActionFreeCompleted:
		if named[e.Addr] {
			return nil
		}
		named[e.Addr] = true
		at, ok := r.placeOf(e.Addr, e.Size)
		if !ok || !sane(e.Size) {
			return impossible(e, "no block is in use there")
		}
		r.older(Block{Addr: e.Addr, Size: e.Size, Pending: e.Action == caching.ActionFreeCompleted}, at)
	}
	return nil
}

// leftAlive keeps a block of the snapshot that no event names.
func (r *reader) leftAlive(b caching.BlockRecord) {
	at, ok := r.placeOf(b.Address, b.Size)
	if !ok || !sane(b.Size) {
		return
	}
	size := b.RequestedSize
	if size <= 0 || size > b.Size {
		size = b.Size
	}
	r.older(Block{Addr: b.Address, Size: size, Whole: b.Size, Pending: b.State != caching.ActiveAllocated}, at)
}

// older gives a slot to a block that is older than the history.
func (r *reader) older(b Block, at place) {
	s := allocated
	if b.Pending {
		s = pending
		r.waiting++
	}
	b.Lane, b.Slot, b.Until = at.lane, len(r.infos), never
	r.start.Blocks = append(r.start.Blocks, b)
	r.slots[b.Addr] = int32(b.Slot)
	r.infos = append(r.infos, info{size: b.Size, place: at, state: s, start: len(r.start.Blocks)})
	r.segments.use(at.segment, 1)
	r.noteClass(
		caching.Segment{Address: b.Addr, TotalSize: b.Size, SegmentType: classOf(b.Size)},
		func(lane int) bool { return lane == b.Lane },
	)
}

// sortOlder makes the older blocks findable by address.
func (r *reader) sortOlder() {
	r.byAddr = make([]int, len(r.start.Blocks))
	for i := range r.byAddr {
		r.byAddr[i] = i
	}
	slices.SortFunc(r.byAddr, func(x, y int) int {
		return cmp.Compare(r.start.Blocks[x].Addr, r.start.Blocks[y].Addr)
	})
}

// notice keeps where the first block behind an older one was allocated. That
// shows where the older one ends: it may be larger than what was requested.
func (r *reader) notice(e snapshot.Event, at place) {
	if at.segment == nil || !at.segment.older {
		return
	}
	n := sort.Search(len(r.byAddr), func(i int) bool { return r.start.Blocks[r.byAddr[i]].Addr >= e.Addr }) - 1
	if n < 0 {
		return
	}
	n = r.byAddr[n]
	b := &r.start.Blocks[n]
	slot, inUse := r.slots[b.Addr]
	if inUse && slot == int32(b.Slot) && r.infos[slot].start == n+1 && b.Next == 0 {
		b.Next = e.Addr
	}
}

// classOf names the pool of a block.
func classOf(size int64) string {
	if size <= smallBlock {
		return "small"
	}
	return "large"
}

// smallBlock is the largest request of the small pool.
const smallBlock = 1 << 20

// noteClass tells an older range that expands which pool it belongs to, if it
// is of the right lane. What lies there at the end hints at that, and a block
// that lies in it shows it.
func (r *reader) noteClass(s caching.Segment, right func(lane int) bool) {
	all := r.start.Segments
	i := sort.Search(len(all), func(i int) bool { return all[i].Addr > s.Address }) - 1
	for i = max(i, 0); i < len(all) && all[i].Addr < s.Address+gpu.Ptr(s.TotalSize); i++ {
		if x := &all[i]; x.Expandable && s.Address < x.Addr+gpu.Ptr(x.Size) && right(x.Lane) {
			x.Small = s.SegmentType == "small"
		}
	}
}

func (r *reader) ofStream(s gpu.Stream) func(lane int) bool {
	return func(lane int) bool { return r.lanes[lane].Stream == s }
}
