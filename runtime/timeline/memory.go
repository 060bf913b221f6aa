package timeline

import (
	"cmp"
	"slices"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
)

// memory is what is reserved at a moment.
type memory struct {
	// spans lie side by side or apart, by address.
	spans []*span
}

// span is a stretch of reserved memory: a segment, or a stretch of an
// expandable one that has memory.
type span struct {
	at, end    gpu.Ptr
	device     int
	kind       string
	stream     gpu.Stream
	pool       caching.PoolID
	expandable bool
	frames     []caching.Frame
	// blocks are the active ones, by address. What lies between is cached.
	blocks []block
}

type block struct {
	at              gpu.Ptr
	size, requested int64
	state           caching.BlockState
	frames          []caching.Frame
}

func newMemory(start []caching.Segment) *memory {
	m := &memory{}
	for _, s := range start {
		span := &span{
			s.Address, s.Address + gpu.Ptr(s.TotalSize), s.Device, s.SegmentType, s.Stream,
			s.SegmentPoolID, s.IsExpandable, s.Frames, nil,
		}
		for _, b := range s.Blocks {
			if b.State != caching.Inactive {
				span.put(block{b.Address, b.Size, b.RequestedSize, b.State, b.Frames})
			}
		}
		m.add(span)
	}
	return m
}

// find returns where the span is that begins at an address, or would be.
func (m *memory) find(p gpu.Ptr) (int, bool) {
	return slices.BinarySearchFunc(m.spans, p, func(s *span, p gpu.Ptr) int { return cmp.Compare(s.at, p) })
}

// around returns the span that an address lies in, or nil.
func (m *memory) around(p gpu.Ptr) *span {
	i, exact := m.find(p)
	if !exact {
		i--
	}
	if i < 0 || m.spans[i].end <= p {
		return nil
	}
	return m.spans[i]
}

func (m *memory) add(s *span) {
	i, _ := m.find(s.at)
	m.spans = slices.Insert(m.spans, i, s)
}

// mapped adds pages of an expandable segment. They join those beside them.
func (m *memory) mapped(s *span) {
	if next := m.around(s.end); next != nil && next.at == s.end && next.expandable {
		m.remove(next)
		s.end, s.blocks, s.kind = next.end, next.blocks, next.kind
	}
	if prev := m.around(s.at - 1); prev != nil && prev.expandable {
		prev.end = s.end
		prev.blocks = append(prev.blocks, s.blocks...)
		return
	}
	m.add(s)
}

func (m *memory) remove(s *span) {
	i, _ := m.find(s.at)
	m.spans = slices.Delete(m.spans, i, i+1)
}

// cut gives a stretch back to the driver. What lies before and behind it in its
// span stays.
func (m *memory) cut(from, to gpu.Ptr) {
	s := m.around(from)
	if s == nil || s.end < to {
		return
	}
	m.remove(s)
	if s.at < from {
		before := *s
		before.end = from
		before.blocks = slices.Clone(s.blocks[:s.first(from)])
		m.add(&before)
	}
	if to < s.end {
		behind := *s
		behind.at = to
		behind.blocks = slices.Clone(s.blocks[s.first(to):])
		m.add(&behind)
	}
}

// first returns the place of the first block at or behind an address.
func (s *span) first(p gpu.Ptr) int {
	i, _ := slices.BinarySearchFunc(s.blocks, p, func(b block, p gpu.Ptr) int { return cmp.Compare(b.at, p) })
	return i
}

func (s *span) put(b block) { s.blocks = slices.Insert(s.blocks, s.first(b.at), b) }

// wait says that the owner of a block let go of it.
func (s *span) wait(p gpu.Ptr) {
	if i := s.first(p); i < len(s.blocks) && s.blocks[i].at == p {
		s.blocks[i].state = caching.ActivePendingFree
	}
}

func (s *span) drop(p gpu.Ptr) {
	if i := s.first(p); i < len(s.blocks) && s.blocks[i].at == p {
		s.blocks = slices.Delete(s.blocks, i, i+1)
	}
}
