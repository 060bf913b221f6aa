package caching_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
)

func TestNothing(t *testing.T) {
	a := newAllocator(t, "")
	b, err := a.Malloc(0, 0)
	require.NoError(t, err)
	require.Nil(t, b)
	require.NoError(t, a.Free(nil))
	require.NoError(t, a.RecordStream(nil, 0))
	require.Equal(t, int64(0), a.Stats().Allocation.All.Allocated)
	require.Len(t, caching.StatNames(), 122)
}

func TestDoubleFree(t *testing.T) {
	a := newAllocator(t, "")
	x, y := malloc(t, a, 100), malloc(t, a, 100)
	require.NoError(t, a.Free(x))
	require.ErrorContains(t, a.Free(x), "invalid device pointer: 0x")
	require.ErrorContains(t, a.RecordStream(x, 1), "invalid device pointer: 0x")
	require.NoError(t, a.Free(y))
	// y joined its neighbours; x stands for no memory any more.
	require.ErrorContains(t, a.Free(x), "invalid device pointer: 0x")
	require.ErrorContains(t, a.Free(y), "invalid device pointer: 0x")
}

func TestStreamsAreAPool(t *testing.T) {
	a := newAllocator(t, "")
	seen := map[gpu.Stream]bool{}
	for range 32 {
		s, err := a.NewStream()
		require.NoError(t, err)
		require.False(t, seen[s])
		seen[s] = true
	}
	s, err := a.NewStream()
	require.NoError(t, err)
	require.True(t, seen[s], "the 33rd stream is the first again")
}

func TestHistoryIsARing(t *testing.T) {
	a := newAllocator(t, "")
	malloc(t, a, 1)
	require.Empty(t, a.History(), "off by default")
	a.RecordHistory(3)
	b := malloc(t, a, 700)
	entries, mark := a.HistorySince(0)
	require.Equal(t, []caching.Entry{{Action: caching.ActionAlloc, Addr: b.Ptr(), Size: 700}}, entries)
	require.NoError(t, a.Free(b))
	malloc(t, a, 1)
	require.Len(t, a.History(), 3, "the oldest of four is gone")
	entries, _ = a.HistorySince(mark)
	require.Len(t, entries, 3)
}

// TestEndOfDevice fills the whole device: a request that the cache blocks
// empties it, and one that the device cannot hold fails.
func TestEndOfDevice(t *testing.T) {
	for _, conf := range []string{"", "expandable_segments:True"} {
		a := newAllocator(t, conf)
		x, y := malloc(t, a, 100<<30), malloc(t, a, 30<<30)
		_, err := a.Malloc(20<<30, 0)
		var oom *caching.OutOfMemoryError
		require.ErrorAs(t, err, &oom)
		require.Equal(t, int64(20<<30), oom.Tried)
		require.Equal(t, int64(130<<30), oom.Allocated)
		require.NoError(t, a.Free(y))
		require.NoError(t, a.Free(x))
		malloc(t, a, 138<<30)
		snapshot := a.Snapshot()
		requireTiled(t, snapshot)
		requireCounted(t, a, snapshot, gpu.DefaultProfile())
	}
}

// plainDriver is a driver that cannot map memory.
type plainDriver struct{ caching.Driver }

func TestExpandableNeedsMapping(t *testing.T) {
	_, err := caching.New(plainDriver{sim.New(gpu.DefaultProfile())}, caching.Config{ExpandableSegments: true})
	require.EqualError(t, err, "expandable_segments:True: this driver cannot map memory")
}

// TestNoGarbage holds the promise that a steady program makes nothing for Go
// to collect.
func TestNoGarbage(t *testing.T) {
	m := newMix(t, 500)
	require.Zero(t, testing.AllocsPerRun(10_000, func() { m.step(t) }))
}
