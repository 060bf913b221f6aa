package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/units"
)

// Moment is the memory of a GPU at one time.
type Moment struct {
	// Title says which time: "before empty_cache".
	Title string `json:"title,omitempty"`
	// Segments are those of torch.cuda.memory_snapshot.
	Segments []caching.Segment `json:"segments"`
	// Names say who holds an allocated block, by the block's address. Any
	// text will do: what a terminal would obey is not shown. A block without
	// a name gets no label.
	Names map[gpu.Ptr]string `json:"names,omitempty"`
}

// sum spells what all segments come to. Each word group may stand on a line of
// its own.
func (m Moment) sum() []string {
	if len(m.Segments) == 0 {
		return []string{"nothing is reserved"}
	}
	var reserved, inUse int64
	blocks := 0
	for _, s := range m.Segments {
		reserved += s.TotalSize
		inUse += s.AllocatedSize
		for _, b := range s.Blocks {
			if b.State == caching.ActiveAllocated {
				blocks++
			}
		}
	}
	words := []string{units.Count(len(m.Segments), "segment") + ",", units.Size(reserved) + " reserved,", units.Size(inUse) + " allocated"}
	if blocks > 0 {
		words = append(words, "in "+units.Count(blocks, "block"))
	}
	return words
}

// state is who may use some memory. Of two that share a character the larger
// is shown, so that nothing that pins a segment is too small to be seen.
type state int

const (
	unmapped state = iota
	cached
	waiting
	allocated
)

func stateOf(s caching.BlockState) state {
	switch s {
	case caching.ActiveAllocated:
		return allocated
	case caching.ActivePendingFree:
		return waiting
	default:
		return cached
	}
}

// block is a block of a strip. It begins at an offset, in bytes.
type block struct {
	from, size int64
	state      state
	name       string
}

// strip is what one bar shows: a segment, or the ranges of an expandable one.
type strip struct {
	at                        gpu.Ptr
	label                     string
	span, reserved, allocated int64
	blocks                    []block
}

// strips returns the bars of a moment, by address.
func (m Moment) strips() []strip {
	segments := slices.Clone(m.Segments)
	slices.SortStableFunc(segments, func(a, b caching.Segment) int { return cmp.Compare(a.Address, b.Address) })
	var reserved int64
	for _, s := range segments {
		reserved += s.TotalSize
	}
	var strips []strip
	for i, s := range segments {
		if i == 0 || !sameRange(segments[i-1], s, reserved) {
			strips = append(strips, strip{at: s.Address, label: label(s)})
		}
		strips[len(strips)-1].add(s, m.Names)
	}
	return strips
}

// sameRange reports whether two neighbours are pieces of one expandable segment.
// A snapshot does not say so, and does not need to: a stream has one such segment
// in a pool. Where the addresses between them are more than all that is reserved,
// they are drawn apart, since nothing else would be left to see.
func sameRange(a, b caching.Segment, reserved int64) bool {
	return a.IsExpandable && b.IsExpandable && label(a) == label(b) && a.SegmentPoolID == b.SegmentPoolID &&
		int64(b.Address-a.Address) <= a.TotalSize+reserved
}

// add appends a segment, at its distance from the first.
func (r *strip) add(s caching.Segment, names map[gpu.Ptr]string) {
	start := int64(s.Address - r.at)
	r.span = start + s.TotalSize
	r.reserved += s.TotalSize
	r.allocated += s.AllocatedSize
	for _, b := range s.Blocks {
		drawn := block{from: start + int64(b.Address-s.Address), size: b.Size, state: stateOf(b.State)}
		if drawn.state == allocated {
			drawn.name = short(names[b.Address])
		}
		r.blocks = append(r.blocks, drawn)
	}
}

// label names the pool, and what is unusual about a segment.
func label(s caching.Segment) string {
	text := short(s.SegmentType)
	if s.IsExpandable {
		text += " expandable"
	}
	if s.Stream != 0 {
		text += fmt.Sprintf(" stream %#x", uint64(s.Stream))
	}
	return text
}
