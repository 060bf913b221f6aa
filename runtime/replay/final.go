package replay

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/report"
)

// end compares what is recorded of the end.
func (r *run) end() *Difference {
	for _, compare := range []func() *Difference{r.log.rest, r.compareSegments, r.compareStats, r.compareSummary} {
		if d := compare(); d != nil {
			return d
		}
	}
	return nil
}

// compareSegments compares all segments and their blocks.
func (r *run) compareSegments() *Difference {
	got, want := r.alloc.Snapshot(), r.trace.Segments
	for i := range min(len(got), len(want)) {
		if d := compareSegment(fmt.Sprintf("segment %d", i), want[i], r.segment(got[i])); d != nil {
			return d
		}
	}
	return differ("segments", int64(len(want)), int64(len(got)))
}

// segment reduces a segment to what a trace holds, in the trace's terms.
func (r *run) segment(s caching.Segment) Segment {
	out := Segment{
		s.Address + r.log.distance, s.TotalSize, s.AllocatedSize, s.ActiveSize, s.RequestedSize,
		r.log.names[s.Stream], s.SegmentType, s.IsExpandable, nil,
	}
	for _, b := range s.Blocks {
		out.Blocks = append(out.Blocks, Block{b.Address + r.log.distance, b.Size, b.RequestedSize, b.State})
	}
	return out
}

func compareSegment(what string, want, got Segment) *Difference {
	for i := range min(len(want.Blocks), len(got.Blocks)) {
		if want.Blocks[i] != got.Blocks[i] {
			return &Difference{
				What:     fmt.Sprintf("%s, block %d", what, i),
				Recorded: fmt.Sprintf("%+v", want.Blocks[i]),
				Replayed: fmt.Sprintf("%+v", got.Blocks[i]),
			}
		}
	}
	if len(want.Blocks) != len(got.Blocks) {
		return &Difference{What: what + ", blocks", Recorded: int64(len(want.Blocks)), Replayed: int64(len(got.Blocks))}
	}
	want.Blocks, got.Blocks = nil, nil
	return differ(what, fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", got))
}

// compareStats compares all statistics by name.
func (r *run) compareStats() *Difference {
	got, want := r.alloc.Stats().Map(), r.trace.Stats
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if d := differ(name, want[name], got[name]); d != nil {
			return d
		}
	}
	return differ("statistics", int64(len(want)), int64(len(got)))
}

// compareSummary compares the text of memory_summary line by line.
func (r *run) compareSummary() *Difference {
	want := strings.Split(r.trace.Summary, "\n")
	got := strings.Split(report.MemorySummary(r.alloc.Stats(), 0), "\n")
	for i := range min(len(want), len(got)) {
		if d := differ(fmt.Sprintf("summary, line %d", i+1), want[i], got[i]); d != nil {
			return d
		}
	}
	return differ("lines of the summary", int64(len(want)), int64(len(got)))
}
