package caching_test

import (
	"math"
	"strings"

	"github.com/stretchr/testify/require"
	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
)

// tester is what *testing.T and *rapid.T have in common.
type tester interface {
	require.TestingT
	Helper()
}

// requireTiled checks that blocks tile their segments, that segments do not
// overlap, and that no two neighbours are free: those have to be one block.
func requireTiled(t tester, segments []caching.Segment) {
	t.Helper()
	var end gpu.Ptr
	for _, s := range segments {
		require.GreaterOrEqual(t, s.Address, end, "segments overlap")
		at, free := s.Address, false
		for _, b := range s.Blocks {
			require.Equal(t, at, b.Address, "a gap between blocks")
			require.Positive(t, b.Size)
			require.Zero(t, b.Size%512, "a block of %d bytes", b.Size)
			at += gpu.Ptr(b.Size)
			require.False(t, free && b.State == caching.Inactive, "two free neighbours")
			free = b.State == caching.Inactive
			if !free {
				require.GreaterOrEqual(t, b.Size, b.RequestedSize)
			}
		}
		require.Equal(t, s.Address+gpu.Ptr(s.TotalSize), at, "blocks do not add up to their segment")
		end = at
	}
}

// recount counts a snapshot. Only what is current can be seen there. A block is
// oversize from maxSplit bytes on.
func recount(segments []caching.Segment, maxSplit int64) caching.Stats {
	var s caching.Stats
	for _, seg := range segments {
		add := func(p *caching.PoolStats, n int64) {
			p.All.Current += n
			if seg.SegmentType == "small" {
				p.Small.Current += n
			} else {
				p.Large.Current += n
			}
		}
		add(&s.ReservedBytes, seg.TotalSize)
		if !seg.IsExpandable {
			add(&s.Segment, 1)
			if seg.TotalSize >= maxSplit {
				s.OversizeSegments.Current++
			}
		}
		for _, b := range seg.Blocks {
			if b.State == caching.ActiveAllocated {
				add(&s.Allocation, 1)
				add(&s.AllocatedBytes, b.Size)
				if b.Size >= maxSplit {
					s.OversizeAllocations.Current++
				}
			}
			if b.State != caching.Inactive {
				add(&s.Active, 1)
				add(&s.ActiveBytes, b.Size)
				add(&s.RequestedBytes, b.RequestedSize)
			} else if !seg.IsExpandable && len(seg.Blocks) > 1 {
				add(&s.InactiveSplit, 1)
				add(&s.InactiveSplitBytes, b.Size)
			}
		}
	}
	return s
}

// requireCounted checks that the counters are those of the snapshot, and that
// the driver counts the same bytes.
func requireCounted(t tester, a *caching.Allocator, segments []caching.Segment, p gpu.Profile) {
	t.Helper()
	stats := a.Stats()
	maxSplit := stats.MaxSplitSize
	if maxSplit < 0 {
		maxSplit = math.MaxInt64
	}
	got := stats.Map()
	for name, want := range recount(segments, maxSplit).Map() {
		if strings.HasSuffix(name, ".current") {
			require.Equal(t, want, got[name], name)
		}
	}
	free, total := a.MemGetInfo()
	require.Equal(t, stats.ReservedBytes.All.Current, total-p.ContextMemory-free, "the driver counts other bytes")
}

// requireEmpty checks that everything has gone back.
func requireEmpty(t tester, a *caching.Allocator, p gpu.Profile) {
	t.Helper()
	require.Empty(t, a.Snapshot())
	for name, v := range a.Stats().Map() {
		if strings.HasSuffix(name, ".current") {
			require.Zero(t, v, name)
		}
	}
	free, total := a.MemGetInfo()
	require.Equal(t, p.ContextMemory, total-free)
}

// course follows counters over time.
type course struct {
	last map[string]int64
	// base is what was current when the totals were last reset.
	base map[string]int64
}

func newCourse(s caching.Stats) *course { return &course{last: s.Map(), base: map[string]int64{}} }

// resetPeaks notes that the peaks start anew, and resetTotals that the totals
// and the numbers of events do.
func (c *course) resetPeaks(t tester, s caching.Stats) {
	c.last = s.Map()
	for name, v := range c.last {
		if stat, ok := strings.CutSuffix(name, ".peak"); ok {
			require.Equal(t, c.last[stat+".current"], v, name)
		}
	}
}

func (c *course) resetTotals(t tester, s caching.Stats) {
	c.last = s.Map()
	for name, v := range c.last {
		if stat, ok := strings.CutSuffix(name, ".allocated"); ok {
			require.Zero(t, v, name)
			require.Zero(t, c.last[stat+".freed"], name)
			c.base[stat] = c.last[stat+".current"]
		}
		if strings.HasPrefix(name, "num_") {
			require.Zero(t, v, name)
		}
	}
}

// requireOnward checks that peaks, totals and numbers of events only grow, that
// no peak is below what is current, and that what came less what went is there.
func (c *course) requireOnward(t tester, s caching.Stats) {
	t.Helper()
	now := s.Map()
	for name, v := range now {
		if stat, ok := strings.CutSuffix(name, ".current"); ok {
			require.GreaterOrEqual(t, v, int64(0), name)
			require.GreaterOrEqual(t, now[stat+".peak"], v, name)
			require.Equal(t, v, c.base[stat]+now[stat+".allocated"]-now[stat+".freed"], name)
		} else {
			require.GreaterOrEqual(t, v, c.last[name], name)
		}
	}
	c.last = now
}
