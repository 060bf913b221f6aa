package whatif

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/tools/replay/whatif/history"
)

// TestBoundsHoldTheLimit finds around the limit that each recording really had,
// in bytes.
func TestBoundsHoldTheLimit(t *testing.T) {
	const mib = 1 << 20
	share := 0.004
	for name, limit := range map[string]int64{
		"limit": 600 * mib, "limit_all": 600 * mib, "limit_alloc": 600 * mib, "limit_alone": 600 * mib,
		"expandable_limit": 600 * mib, "record_stream_limit": 600 * mib, "split": 600 * mib, "gc": 600 * mib,
		"gc_split": 600 * mib, "gc_streams": 600 * mib, "late_gc": 700 * mib, "late_split": 700 * mib,
		"late_expandable_limit": 700 * mib, "ring_limit": 700 * mib, "oom": 256 * mib, "oom_random": 400 * mib,
		"limit_conf": int64(share * 150_109_880_320),
	} {
		st := studyOf(t, readSnapshot(t, name))
		require.True(t, st.bounds.known(), name)
		require.LessOrEqual(t, st.bounds.least, limit, name)
		require.Greater(t, st.bounds.below, limit, name)
		require.LessOrEqual(t, st.bounds.below-st.bounds.least, limit, name)
	}
	for _, name := range []string{"tiny_all", "empty_cache_growing", "empty_cache_none", "empty_cache_random", "ring", "late", "mempools"} {
		st := studyOf(t, readSnapshot(t, name))
		require.False(t, st.bounds.known(), name)
		require.Equal(t, noLimit, st.limit, name)
	}
}

// TestCausesWithoutStacks judges the releases of recordings that have no stacks
// as those of one that has them: by the number of retries. See TestRecordings.
func TestCausesWithoutStacks(t *testing.T) {
	for _, name := range []string{"limit_all", "empty_cache_all"} {
		s := readSnapshot(t, name)
		st := studyOf(t, s)
		want := st.causes
		require.NotContains(t, causesOf(st.program), history.Unknown)
		for i := range s.Traces[0] {
			s.Traces[0][i].Frames = nil
		}
		st = studyOf(t, s)
		require.Equal(t, want, st.causes, name)
	}
}

func causesOf(p *history.Program) (all []history.Cause) {
	for _, r := range p.Releases {
		all = append(all, r.Cause)
	}
	return all
}

// TestLearn takes from each release what it tells.
func TestLearn(t *testing.T) {
	const mib = 1 << 20
	gc := caching.Config{GarbageCollectionThreshold: 0.5, MaxSplitSize: 1 << 40}
	for name, c := range map[string]struct {
		cfg  caching.Config
		rel  history.Release
		want bounds
	}{
		"failed":       {gc, history.Release{After: 100 * mib, Need: 20 * mib, Failed: true, All: true}, bounds{0, 120 * mib}},
		"no room":      {caching.Config{}, history.Release{Before: 100 * mib, Need: 20 * mib, All: true}, bounds{0, 120 * mib}},
		"small ones":   {gc, history.Release{Before: 100 * mib, Need: 20 * mib, Least: 2 * mib, All: true}, bounds{0, 120 * mib}},
		"either":       {gc, history.Release{Before: 100 * mib, Need: 20 * mib, Least: 20 * mib, All: true}, bounds{0, 200 * mib}},
		"collected":    {gc, history.Release{Before: 100 * mib, After: 60 * mib, Least: 20 * mib, Left: 1}, bounds{120 * mib, 200 * mib}},
		"all of it":    {gc, history.Release{Before: 100 * mib, After: 60 * mib, Least: 20 * mib}, bounds{0, 200 * mib}},
		"too large to": {gc, history.Release{Before: 100 * mib, After: 60 * mib, Least: 1 << 41}, bounds{0, 1 << 60}},
	} {
		b := bounds{0, 1 << 60}
		b.learn(c.rel, c.cfg)
		require.Equal(t, c.want, b, name)
	}
}
