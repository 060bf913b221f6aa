package caching_test

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
)

// TestConcurrentUse lets many goroutines use one allocator and hand blocks to
// each other. No memory may have two owners, and at the end the books have to
// show what all of them did together. The race detector looks on.
func TestConcurrentUse(t *testing.T) {
	for _, conf := range []string{
		"",
		"expandable_segments:True",
		"max_split_size_mb:20,garbage_collection_threshold:0.5,per_process_memory_fraction:0.003,roundup_power2_divisions:4",
	} {
		t.Run(conf, func(t *testing.T) {
			c := newCrowd(t, conf)
			var wg sync.WaitGroup
			for seed := range uint64(8) {
				wg.Go(func() { c.work(seed) })
			}
			wg.Wait()
			close(c.passed)
			for o := range c.passed {
				c.free(o)
			}
			require.False(t, t.Failed())
			c.requireBooks(t)
		})
	}
}

// crowd is an allocator that several goroutines share.
type crowd struct {
	t      *testing.T
	driver *sim.Driver
	alloc  *caching.Allocator
	other  gpu.Stream
	// passed are blocks on the way from one goroutine to another.
	passed chan owned
	// owners has the addresses that somebody holds.
	owners sync.Map

	mallocs, refused, bytes, freed atomic.Int64

	// snapshots were taken while others were at work.
	mu        sync.Mutex
	snapshots [][]caching.Segment
}

type owned struct {
	block *caching.Block
	size  int64
}

func newCrowd(t *testing.T, conf string) *crowd {
	d := sim.New(gpu.DefaultProfile())
	cfg, err := caching.ParseConfig(conf)
	require.NoError(t, err)
	a, err := caching.New(d, cfg)
	require.NoError(t, err)
	other, err := a.NewStream()
	require.NoError(t, err)
	a.RecordHistory(1000)
	return &crowd{t: t, driver: d, alloc: a, other: other, passed: make(chan owned, 100)}
}

func (c *crowd) work(seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 0))
	streams := []gpu.Stream{0, c.other}
	for range 400 {
		if o, ok := c.malloc(rng, streams[rng.IntN(2)]); ok {
			if rng.IntN(3) == 0 && c.alloc.RecordStream(o.block, streams[rng.IntN(2)]) != nil {
				c.t.Error("record_stream of a block that is held")
			}
			c.pass(o)
		}
		c.disturb(rng.IntN(40))
	}
}

// malloc allocates and takes possession.
func (c *crowd) malloc(rng *rand.Rand, s gpu.Stream) (owned, bool) {
	size := 1 + rng.Int64N(1<<(8+rng.IntN(16)))
	b, err := c.alloc.Malloc(size, s)
	if err != nil {
		c.refused.Add(1)
		return owned{}, false
	}
	if _, taken := c.owners.LoadOrStore(b.Ptr(), true); taken {
		c.t.Error("memory has two owners")
	}
	c.mallocs.Add(1)
	c.bytes.Add(size)
	return owned{b, size}, true
}

// pass hands a block to whoever comes next, and frees an older one when there
// are enough.
func (c *crowd) pass(o owned) {
	for {
		select {
		case c.passed <- o:
			return
		default:
		}
		select {
		case old := <-c.passed:
			c.free(old)
		default:
		}
	}
}

func (c *crowd) free(o owned) {
	if o.block.Requested() != o.size {
		c.t.Error("a held block has changed")
	}
	c.owners.Delete(o.block.Ptr())
	c.freed.Add(1)
	if err := c.alloc.Free(o.block); err != nil {
		c.t.Error(err)
	}
}

// disturb does one of the things that concern all blocks.
func (c *crowd) disturb(draw int) {
	switch draw {
	case 0:
		if err := c.alloc.EmptyCache(); err != nil {
			c.t.Error(err)
		}
	case 1:
		s := c.alloc.Snapshot()
		c.mu.Lock()
		c.snapshots = append(c.snapshots, s)
		c.mu.Unlock()
	case 2:
		c.alloc.ResetPeakStats()
	case 3:
		c.driver.Busy(c.other)
	case 4:
		c.driver.Idle(c.other)
	case 5:
		c.alloc.History()
	case 6:
		if s := c.alloc.Stats(); s.AllocatedBytes.All.Current > s.ReservedBytes.All.Current {
			c.t.Error("more is allocated than reserved")
		}
	case 7:
		c.alloc.MemoryFraction()
		c.alloc.MemGetInfo()
	}
}

// requireBooks checks the totals of all goroutines, and that all is back.
func (c *crowd) requireBooks(t *testing.T) {
	s := c.alloc.Stats()
	require.Equal(t, c.mallocs.Load(), s.Allocation.All.Allocated)
	require.Equal(t, c.freed.Load(), s.Allocation.All.Freed)
	require.Equal(t, c.bytes.Load(), s.RequestedBytes.All.Allocated)
	require.Equal(t, c.refused.Load(), s.NumOOMs)
	require.Equal(t, c.mallocs.Load(), c.freed.Load())
	snapshot := c.alloc.Snapshot()
	for _, s := range append(c.snapshots, snapshot) {
		requireTiled(t, s)
	}
	requireCounted(t, c.alloc, snapshot, gpu.DefaultProfile())
	require.NoError(t, c.alloc.EmptyCache())
	requireEmpty(t, c.alloc, gpu.DefaultProfile())
}
