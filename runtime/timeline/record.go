package timeline

import (
	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
)

// segments spells the memory as a snapshot does.
func (m *memory) segments() []caching.Segment {
	all := make([]caching.Segment, len(m.spans))
	for i, s := range m.spans {
		all[i] = s.segment()
	}
	return all
}

func (s *span) segment() caching.Segment {
	r := caching.Segment{
		Device: s.device, Address: s.at, TotalSize: int64(s.end - s.at), Stream: s.stream,
		SegmentType: s.kind, SegmentPoolID: s.pool, IsExpandable: s.expandable, Frames: orNone(s.frames),
	}
	at := s.at
	for _, b := range s.blocks {
		r.Blocks = appendCached(r.Blocks, at, b.at)
		r.Blocks = append(r.Blocks, caching.BlockRecord{
			Address: b.at, Size: b.size, RequestedSize: b.requested, State: b.state, Frames: orNone(b.frames),
		})
		r.ActiveSize += b.size
		r.RequestedSize += b.requested
		if b.state == caching.ActiveAllocated {
			r.AllocatedSize += b.size
		}
		at = b.at + gpu.Ptr(b.size)
	}
	r.Blocks = appendCached(r.Blocks, at, s.end)
	return r
}

// appendCached adds the cached block between two addresses, if there is one.
func appendCached(blocks []caching.BlockRecord, from, to gpu.Ptr) []caching.BlockRecord {
	if from >= to {
		return blocks
	}
	return append(blocks, caching.BlockRecord{
		Address: from, Size: int64(to - from), State: caching.Inactive, Frames: orNone(nil),
	})
}

// orNone makes an empty list of no list, as snapshots have it.
func orNone(frames []caching.Frame) []caching.Frame {
	if frames == nil {
		return []caching.Frame{}
	}
	return frames
}
