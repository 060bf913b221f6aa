package timeline

import (
	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
)

// SegmentsAt returns the segments as they are after an event, by address, in the
// form of torch.cuda.memory_snapshot. Event [Before] is the start. A cached block
// has no RequestedSize here: nobody asks for it.
//
// It goes through the events from the start, so it is linear in them.
func (r *Recording) SegmentsAt(event int) []caching.Segment {
	m := newMemory(r.Start)
	for _, e := range r.Events[:event+1] {
		m.follow(e)
	}
	return m.segments()
}

// follow does to the memory what an event says. What does not fit to what is
// there is left out: the history of a ring may begin in the middle.
func (m *memory) follow(e Event) {
	switch e.Action {
	case caching.ActionAlloc:
		if s := m.around(e.Addr); s != nil {
			s.put(block{e.Addr, e.occupied(), e.Size, caching.ActiveAllocated, e.Frames})
		}
	case caching.ActionFreeRequested:
		if s := m.around(e.Addr); s != nil {
			s.wait(e.Addr)
		}
	case caching.ActionFreeCompleted:
		if s := m.around(e.Addr); s != nil {
			s.drop(e.Addr)
		}
	case caching.ActionSegmentAlloc:
		m.add(newSpan(e))
	case caching.ActionSegmentMap:
		m.mapped(newSpan(e))
	case caching.ActionSegmentFree:
		m.cut(e.Addr, e.Addr+gpu.Ptr(e.Size))
	case caching.ActionSegmentUnmap:
		m.cut(e.Addr, e.Addr+gpu.Ptr(e.Size))
	}
}

// smallSegment is the size of a segment for small blocks, and of a page of an
// expandable one, in bytes. Segments for large blocks are larger.
const smallSegment = 2 << 20

func newSpan(e Event) *span {
	kind := "large"
	if e.Size == smallSegment {
		kind = "small"
	}
	return &span{
		at: e.Addr, end: e.Addr + gpu.Ptr(e.Size), kind: kind, stream: e.Stream, pool: e.Pool,
		expandable: e.Action == caching.ActionSegmentMap, frames: e.Frames,
	}
}
