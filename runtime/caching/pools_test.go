package caching_test

import (
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
)

// within runs the function while a pool is in use.
func within(t testing.TB, a *caching.Allocator, id caching.PoolID, f func()) {
	t.Helper()
	require.NoError(t, a.UsePool(id))
	f()
	require.NoError(t, a.EndUse(id))
}

// TestPoolMisuse makes each mistake that there is. None changes a counter.
func TestPoolMisuse(t *testing.T) {
	a := newAllocator(t, "")
	p, q := a.NewPool(), a.NewPool()
	require.Equal(t, []caching.PoolID{{0, 1}, {0, 2}}, []caching.PoolID{p, q})
	unknown := caching.PoolID{0, 9}
	for _, f := range []func(caching.PoolID) error{a.UsePool, a.ReleasePool} {
		require.EqualError(t, f(unknown), "memory pool (0, 9) does not exist or is released")
		require.EqualError(t, f(caching.PoolID{}), "memory pool (0, 0) does not exist or is released")
	}
	require.EqualError(t, a.EndUse(p), "endAllocatePool: not currently recording to mempool_id")
	within(t, a, p, func() {
		require.EqualError(t, a.EndUse(q), "endAllocatePool: not currently recording to mempool_id")
		require.EqualError(t, a.ReleasePool(q), "memory pool (0, 2) cannot be released while another one is in use")
	})
	require.Equal(t, 1, a.PoolUseCount(q))
	require.Zero(t, a.Stats().NumSyncAllStreams)
	require.NoError(t, a.ReleasePool(q))
	for _, f := range []func(caching.PoolID) error{a.UsePool, a.ReleasePool} {
		require.EqualError(t, f(q), "memory pool (0, 2) does not exist or is released")
	}
	require.Zero(t, a.PoolUseCount(q))
	require.Equal(t, []caching.Segment{}, a.SnapshotPool(unknown))
}

// TestReleaseWithinUse releases a pool that is in use: the end of the use makes
// it releasable, and the next EmptyCache gives back what it has.
func TestReleaseWithinUse(t *testing.T) {
	a := newAllocator(t, "")
	p := a.NewPool()
	within(t, a, p, func() {
		b := malloc(t, a, 100)
		require.NoError(t, a.Free(b))
		require.NoError(t, a.ReleasePool(p))
		require.Equal(t, 1, a.PoolUseCount(p))
		require.EqualError(t, a.ReleasePool(p), "memory pool (0, 1) does not exist or is released")
	})
	require.EqualValues(t, 2<<20, a.Stats().ReservedBytes.All.Current)
	require.NoError(t, a.EmptyCache())
	require.Zero(t, a.Stats().ReservedBytes.All.Current)
}

// unwilling is a device whose events cannot be waited for at first.
type unwilling struct {
	*sim.Driver
	refuse int
}

func (d *unwilling) Wait(e gpu.Event) error {
	if d.refuse--; d.refuse >= 0 {
		return errors.New("not now")
	}
	return d.Driver.Wait(e)
}

// TestNothingIsLostWhereAWaitFails releases a pool whose blocks another stream
// uses. The wait fails; a later one returns them all.
func TestNothingIsLostWhereAWaitFails(t *testing.T) {
	d := &unwilling{Driver: sim.New(gpu.DefaultProfile()), refuse: 1}
	a, err := caching.New(d, caching.DefaultConfig())
	require.NoError(t, err)
	s, err := d.NewStream()
	require.NoError(t, err)
	p := a.NewPool()
	var blocks []*caching.Block
	within(t, a, p, func() { blocks = append(blocks, malloc(t, a, 100), malloc(t, a, 100)) })
	d.Busy(s)
	for _, b := range blocks {
		require.NoError(t, a.RecordStream(b, s))
		require.NoError(t, a.Free(b))
	}
	require.ErrorContains(t, a.ReleasePool(p), "not now")
	require.EqualValues(t, 2, a.Stats().Active.All.Current)
	require.NoError(t, a.EmptyCache())
	require.Zero(t, a.Stats().Active.All.Current)
	require.Zero(t, a.Stats().ReservedBytes.All.Current)
}

// TestReleasedPoolsKeepTheirMemory releases pools whose segments grew in fewer
// steps than they shrink. PyTorch counts the steps and goes wrong here: it
// forgets a pool that still has memory, and then loses that memory, or it ends
// the process. Ours gives everything back.
func TestReleasedPoolsKeepTheirMemory(t *testing.T) {
	a := newAllocator(t, "expandable_segments:True")
	p := a.NewPool()
	var parts [3]*caching.Block
	within(t, a, p, func() {
		require.NoError(t, a.Free(malloc(t, a, 60<<20)))
		for i := range parts {
			parts[i] = malloc(t, a, 20<<20)
		}
	})
	require.EqualValues(t, 1, a.Stats().NumDeviceAlloc)
	require.NoError(t, a.Free(parts[0]))
	require.NoError(t, a.Free(parts[2]))
	require.NoError(t, a.ReleasePool(p))
	require.EqualValues(t, 2, a.Stats().NumDeviceFree)
	require.Equal(t, p, a.Snapshot()[0].SegmentPoolID)
	require.NoError(t, a.Free(parts[1]))
	require.NoError(t, a.EmptyCache())
	require.Empty(t, a.Snapshot())
	require.Zero(t, a.Stats().ReservedBytes.All.Current)
}

// TestThreads sends the requests of one thread to a pool and those of another
// elsewhere.
func TestThreads(t *testing.T) {
	a := newAllocator(t, "")
	p, q := a.NewPool(), a.NewPool()
	poolOf := func(b *caching.Block) caching.PoolID {
		for _, s := range a.Snapshot() {
			if s.Address <= b.Ptr() && b.Ptr() < s.Address+gpu.Ptr(s.TotalSize) {
				return s.SegmentPoolID
			}
		}
		return caching.PoolID{-1, -1}
	}
	within(t, a, p, func() {
		require.Equal(t, p, poolOf(malloc(t, a, 1)))
		a.OnThread(1, func() {
			require.Equal(t, caching.PoolID{}, poolOf(malloc(t, a, 1)))
			within(t, a, q, func() { require.Equal(t, q, poolOf(malloc(t, a, 1))) })
		})
		require.Equal(t, p, poolOf(malloc(t, a, 1)))
	})
	require.Equal(t, caching.PoolID{}, poolOf(malloc(t, a, 1)))
}

// TestNoGarbageInAPool holds the promise of TestNoGarbage for private pools.
func TestNoGarbageInAPool(t *testing.T) {
	m := newMix(t, 100)
	p := m.alloc.NewPool()
	within(t, m.alloc, p, func() {
		for range 20_000 {
			m.step(t)
		}
		require.Zero(t, testing.AllocsPerRun(10_000, func() { m.step(t) }))
	})
}

// TestConcurrentPools is for the race detector.
func TestConcurrentPools(t *testing.T) {
	a := newAllocator(t, "")
	var workers sync.WaitGroup
	for worker := range 4 {
		workers.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(worker), 1))
			for range 100 {
				p := a.NewPool(caching.UseOnOOM)
				_ = a.UsePool(p)
				b, err := a.Malloc(1+rng.Int64N(4<<20), 0)
				if err != nil {
					t.Error(err)
				}
				_ = a.EmptyCache()
				a.Snapshot()
				_ = a.EndUse(p)
				_ = a.Free(b)
				_ = a.ReleasePool(p)
			}
		})
	}
	workers.Wait()
}
