package caching_test

import (
	"math/rand/v2"
	"sync"
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
		requireInvariants(t, a)
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

// TestInvariants runs random programs and checks again and again what must
// always hold.
func TestInvariants(t *testing.T) {
	for _, conf := range []string{"", "max_split_size_mb:20", "roundup_power2_divisions:4", "expandable_segments:True"} {
		t.Run(conf, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(7, 8))
			d := sim.New(gpu.DefaultProfile())
			cfg, err := caching.ParseConfig(conf)
			require.NoError(t, err)
			a, err := caching.New(d, cfg)
			require.NoError(t, err)
			other, err := a.NewStream()
			require.NoError(t, err)
			streams := []gpu.Stream{0, other}
			var live []*caching.Block
			for step := range 3000 {
				switch n := rng.IntN(20); {
				case n == 0:
					d.Busy(other)
				case n == 1:
					d.Idle(other)
				case n == 2:
					require.NoError(t, a.EmptyCache())
				case n < 11 && len(live) > 0:
					i := rng.IntN(len(live))
					if n < 5 {
						require.NoError(t, a.RecordStream(live[i], streams[rng.IntN(2)]))
					}
					require.NoError(t, a.Free(live[i]))
					live[i] = live[len(live)-1]
					live = live[:len(live)-1]
				default:
					b, err := a.Malloc(1+rng.Int64N(1<<(10+rng.IntN(16))), streams[rng.IntN(2)])
					require.NoError(t, err)
					live = append(live, b)
				}
				if step%10 == 0 {
					requireInvariants(t, a)
				}
			}
			for _, b := range live {
				require.NoError(t, a.Free(b))
			}
			require.NoError(t, a.EmptyCache())
			requireInvariants(t, a)
			requireEmpty(t, a, d)
		})
	}
}

// requireInvariants checks that blocks tile their segments, that no two free
// neighbours exist, and that the counters are sums over the blocks.
func requireInvariants(t *testing.T, a *caching.Allocator) {
	t.Helper()
	var reserved, allocated, active, requested, inactive, count int64
	for _, s := range a.Snapshot() {
		at := s.Address
		free := false
		for _, b := range s.Blocks {
			require.Equal(t, at, b.Address, "a gap between blocks")
			at += gpu.Ptr(b.Size)
			require.False(t, free && b.State == caching.Inactive, "two free neighbours")
			if free = b.State == caching.Inactive; free && len(s.Blocks) > 1 && !s.IsExpandable {
				inactive += b.Size
				count++
			}
		}
		require.Equal(t, s.Address+gpu.Ptr(s.TotalSize), at)
		reserved += s.TotalSize
		allocated += s.AllocatedSize
		active += s.ActiveSize
		requested += s.RequestedSize
	}
	stats := a.Stats()
	require.Equal(t, reserved, stats.ReservedBytes.All.Current)
	require.Equal(t, allocated, stats.AllocatedBytes.All.Current)
	require.Equal(t, active, stats.ActiveBytes.All.Current)
	require.Equal(t, requested, stats.RequestedBytes.All.Current)
	require.Equal(t, inactive, stats.InactiveSplitBytes.All.Current)
	require.Equal(t, count, stats.InactiveSplit.All.Current)
	free, total := a.MemGetInfo()
	require.Equal(t, reserved, total-gpu.DefaultProfile().ContextMemory-free)
}

// requireEmpty checks that everything has gone back.
func requireEmpty(t *testing.T, a *caching.Allocator, d *sim.Driver) {
	t.Helper()
	require.Empty(t, a.Snapshot())
	for name, v := range a.Stats().Map() {
		if len(name) > 8 && name[len(name)-8:] == ".current" {
			require.Zero(t, v, name)
		}
	}
	free, total := d.MemInfo()
	require.Equal(t, gpu.DefaultProfile().ContextMemory, total-free)
}

// TestConcurrentUse is for the race detector.
func TestConcurrentUse(t *testing.T) {
	a := newAllocator(t, "")
	s, err := a.NewStream()
	require.NoError(t, err)
	a.RecordHistory(100)
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(worker), 0))
			for range 500 {
				b, err := a.Malloc(1+rng.Int64N(4<<20), 0)
				if err != nil {
					t.Error(err)
					return
				}
				_ = a.RecordStream(b, s)
				if err := a.Free(b); err != nil {
					t.Error(err)
				}
				switch rng.IntN(50) {
				case 0:
					_ = a.EmptyCache()
				case 1:
					a.Snapshot()
				case 2:
					a.ResetPeakStats()
				default:
					a.Stats()
				}
			}
		})
	}
	wg.Wait()
	require.NoError(t, a.EmptyCache())
	require.Zero(t, a.Stats().ReservedBytes.All.Current)
}
