package timeline_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/timeline"
)

var settings = []string{
	"", "expandable_segments:True", "max_split_size_mb:30",
	"garbage_collection_threshold:0.3,per_process_memory_fraction:0.4",
	"roundup_power2_divisions:4,large_segment_size_mb:32",
	"expandable_segments:True,large_segment_size_mb:32,per_process_memory_fraction:0.3",
}

// eachMachine does random operations under many settings. Some recordings begin
// in the middle.
func eachMachine(t *testing.T, check func(*testing.T, *machine)) {
	for _, conf := range settings {
		for seed := range uint64(3) {
			t.Run(fmt.Sprintf("%s seed %d", conf, seed), func(t *testing.T) {
				m := newMachine(t, seed, conf)
				if seed > 0 {
					for range 60 {
						m.step()
					}
				}
				m.record()
				m.run(250)
				check(t, m)
			})
		}
	}
}

// TestSegmentsAreTheAllocators compares what the events say with what the
// allocator itself says after every operation.
func TestSegmentsAreTheAllocators(t *testing.T) {
	eachMachine(t, func(t *testing.T, m *machine) {
		require.Greater(t, len(m.recording.Events), 250)
		for _, at := range m.moments {
			requireSame(t, comparable(at.segments), comparable(m.recording.SegmentsAt(at.event)))
		}
	})
}

// requireSame names the first segment that differs: all of them fill a screen.
func requireSame(t *testing.T, want, got []caching.Segment) {
	for i := range min(len(want), len(got)) {
		require.Equal(t, want[i], got[i])
	}
	require.Len(t, got, len(want))
}

// comparable leaves out what nobody asks for: the bytes that a cached block once
// was requested with, and the stacks of segments that grow page by page.
func comparable(segments []caching.Segment) []caching.Segment {
	for i := range segments {
		s := &segments[i]
		if s.IsExpandable {
			s.Frames = nil
		}
		for j := range s.Blocks {
			if b := &s.Blocks[j]; b.State == caching.Inactive {
				b.RequestedSize = 0
			}
		}
	}
	return segments
}

// TestCurvesAreTheCounters compares the curves with memory_stats.
func TestCurvesAreTheCounters(t *testing.T) {
	eachMachine(t, func(t *testing.T, m *machine) {
		c := m.recording.Curves()
		require.Len(t, c.Allocated, len(m.recording.Events))
		for _, at := range m.moments {
			if at.event == timeline.Before {
				continue
			}
			require.Equal(t, at.stats.AllocatedBytes.All.Current, c.Allocated[at.event])
			require.Equal(t, at.stats.ActiveBytes.All.Current, c.Active[at.event])
			require.Equal(t, at.stats.ReservedBytes.All.Current, c.Reserved[at.event])
			require.GreaterOrEqual(t, at.stats.AllocatedBytes.All.Peak, c.Peak[at.event])
		}
		if len(m.recording.Start) == 0 { // else the peak may lie before
			last := m.moments[len(m.moments)-1]
			require.Equal(t, last.stats.AllocatedBytes.All.Peak, c.Peak[last.event])
		}
	})
}

// TestBandsAreTheBlocks compares the bands that are there at a moment with the
// allocator's blocks.
func TestBandsAreTheBlocks(t *testing.T) {
	eachMachine(t, func(t *testing.T, m *machine) {
		for _, at := range m.moments {
			var all []caching.BlockRecord
			for _, s := range at.segments {
				for _, b := range s.Blocks {
					if b.State != caching.Inactive {
						all = append(all, b)
					}
				}
			}
			bands := m.recording.Largest(at.event, 1<<30)
			require.Len(t, bands, len(all))
			for i, band := range bands {
				require.True(t, band.IsActive(at.event))
				if i > 0 {
					require.GreaterOrEqual(t, bands[i-1].Block, band.Block)
				}
				state := caching.ActiveAllocated
				if band.Requested <= at.event {
					state = caching.ActivePendingFree
				}
				require.Contains(t, all, caching.BlockRecord{
					Address: band.Addr, Size: band.Block, RequestedSize: band.Size, State: state, Frames: framesOf(band),
				})
			}
		}
	})
}

func framesOf(b timeline.Band) []caching.Frame {
	if b.Frames == nil {
		return []caching.Frame{}
	}
	return b.Frames
}

func TestLargestAreFew(t *testing.T) {
	m := newMachine(t, 7, "")
	m.record()
	m.run(200)
	last := len(m.recording.Events) - 1
	all := m.recording.Largest(last, 1<<30)
	require.Greater(t, len(all), 5)
	require.Equal(t, all[:5], m.recording.Largest(last, 5))
	require.Empty(t, m.recording.Largest(last, 0))
	require.Empty(t, m.recording.Largest(last, -1))
	require.Empty(t, m.recording.Largest(timeline.Before, 5))
}

// TestOddHistories are such as a ring of PyTorch leaves: they begin in the
// middle, and a block has no size but what was asked for.
func TestOddHistories(t *testing.T) {
	entry := func(action caching.Action, addr, size int64) timeline.Event {
		e := timeline.Event{}
		e.Action, e.Addr, e.Size = action, gpu.Ptr(0x1000000+addr), size
		return e
	}
	r := timeline.Recording{Events: []timeline.Event{
		entry(caching.ActionFreeRequested, 0, 100),
		entry(caching.ActionFreeCompleted, 0, 100),
		entry(caching.ActionSegmentFree, 0, 2<<20),
		entry(caching.ActionAlloc, 512, 700),
		entry(caching.ActionSegmentAlloc, 4<<20, 2<<20),
		entry(caching.ActionAlloc, 4<<20, 700),
		entry(caching.ActionFreeCompleted, 4<<20, 700),
	}}
	bands := r.Bands()
	require.Len(t, bands, 2)
	require.EqualValues(t, 1024, bands[0].Block)
	require.Equal(t, []int{3, 7, 7}, []int{bands[0].Alloc, bands[0].Requested, bands[0].Free})
	require.Equal(t, []int{5, 6, 6}, []int{bands[1].Alloc, bands[1].Requested, bands[1].Free})
	require.Equal(t, []int64{0, 0, 0, 1024, 1024, 2048, 1024}, r.Curves().Allocated)
	require.Empty(t, r.SegmentsAt(3), "no segment is known there")
	require.Len(t, r.SegmentsAt(5)[0].Blocks, 2)
	require.Len(t, r.SegmentsAt(6)[0].Blocks, 1)
}
