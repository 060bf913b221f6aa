package caching_test

import (
	"math"

	"github.com/stretchr/testify/require"
	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"pgregory.net/rapid"
)

// Each method of the machine is one operation, drawn as often as any other.

// MallocAnything draws the logarithm of a size.
func (m *machine) MallocAnything(t *rapid.T) {
	m.malloc(t, int64(math.Exp2(rapid.Float64Range(0, 29).Draw(t, "log2 of the size"))))
}

// MallocSmall asks for some bytes of the small pool.
func (m *machine) MallocSmall(t *rapid.T) { m.malloc(t, rapid.Int64Range(1, 1<<20).Draw(t, "size")) }

// MallocLarge asks for some of the large pool.
func (m *machine) MallocLarge(t *rapid.T) {
	m.malloc(t, rapid.Int64Range(1<<20, 24<<20).Draw(t, "size"))
}

// MallocBorder asks for a size at which a rule changes.
func (m *machine) MallocBorder(t *rapid.T) {
	border := rapid.SampledFrom([]int64{0, 512, 1024, 1 << 20, 2 << 20, 10 << 20, 20 << 20, 32 << 20, 64 << 20}).Draw(t, "border")
	m.malloc(t, max(border+rapid.Int64Range(-1, 1).Draw(t, "beside"), 0))
}

// MallocOversize asks for about as much as makes a block oversize.
func (m *machine) MallocOversize(t *rapid.T) {
	if m.settings.maxSplit == math.MaxInt64 {
		t.Skip("no block is oversize")
	}
	m.malloc(t, m.settings.maxSplit+rapid.SampledFrom([]int64{-1, 0, 0, 1, 1 << 20, 7 << 20}).Draw(t, "beside"))
}

// MallocHuge asks for more than any device has.
func (m *machine) MallocHuge(t *rapid.T) {
	m.malloc(t, rapid.SampledFrom([]int64{1 << 40, 1<<60 - 1, 1 << 60, math.MaxInt64}).Draw(t, "size"))
}

func (m *machine) malloc(t *rapid.T, size int64) { m.mallocIn(t, size, m.present()) }

// mallocIn asks for memory and expects it in a pool.
func (m *machine) mallocIn(t *rapid.T, size int64, pool caching.PoolID) {
	s := m.drawStream(t)
	before := m.alloc.Stats()
	fit := m.bestFit(size, s, pool)
	b, err := m.alloc.Malloc(size, s)
	after := m.alloc.Stats()
	switch {
	case err != nil:
		m.requireRefusal(t, size, err, before, after)
	case size == 0:
		require.Nil(t, b)
		require.Equal(t, before, after)
	default:
		require.Zero(t, b.Ptr()%512)
		require.Equal(t, before.NumOOMs, after.NumOOMs)
		if fit != 0 {
			require.Equal(t, fit, b.Ptr(), "not the best fit")
			require.Equal(t, before.ReservedBytes, after.ReservedBytes, "the cache had a block")
		}
		m.held = append(m.held, m.hold(t, b, size, s, pool))
	}
	if grew := after.ReservedBytes.All.Current > before.ReservedBytes.All.Current; grew && !m.settings.expandable {
		require.LessOrEqual(t, after.ReservedBytes.All.Current, m.limit, "beyond the limit")
	}
}

// hold takes possession of a block.
func (m *machine) hold(t *rapid.T, b *caching.Block, size int64, s gpu.Stream, pool caching.PoolID) held {
	in := m.segmentOf(t, b)
	m.requirePool(t, in.SegmentPoolID, pool)
	if !m.settings.rounds() {
		require.Equal(t, size <= 1<<20, in.SegmentType == "small")
	}
	return held{b, size, s, in.SegmentPoolID, map[gpu.Stream]bool{}, map[gpu.Stream]bool{}}
}

// segmentOf finds the segment that a block lies in.
func (m *machine) segmentOf(t *rapid.T, b *caching.Block) caching.Segment {
	for _, s := range m.alloc.Snapshot() {
		if s.Address <= b.Ptr() && b.Ptr() < s.Address+gpu.Ptr(s.TotalSize) {
			return s
		}
	}
	require.Fail(t, "a block is in no segment")
	return caching.Segment{}
}

// bestFit looks through the snapshot for the smallest cached block that serves a
// request, the lowest of equals. It returns zero where there is none, and where
// a setting or a busy stream makes the answer another one.
func (m *machine) bestFit(size int64, s gpu.Stream, pool caching.PoolID) gpu.Ptr {
	stats := m.alloc.Stats()
	if !m.settings.plain() || size == 0 || stats.Active.All.Current != stats.Allocation.All.Current {
		return 0
	}
	rounded := (size + 511) / 512 * 512
	class := "large"
	if rounded <= 1<<20 {
		class = "small"
	}
	var best caching.BlockRecord
	for _, seg := range m.alloc.Snapshot() {
		if seg.Stream != s || seg.SegmentPoolID != pool || seg.SegmentType != class {
			continue
		}
		for _, b := range seg.Blocks {
			if b.State == caching.Inactive && b.Size >= rounded && (best.Size == 0 || b.Size < best.Size) {
				best = b
			}
		}
	}
	return best.Address
}

// requireRefusal checks that a request failed for want of memory, and that the
// cache was emptied before.
func (m *machine) requireRefusal(t *rapid.T, size int64, err error, before, after caching.Stats) {
	var oom *caching.OutOfMemoryError
	require.ErrorAs(t, err, &oom)
	require.ErrorIs(t, err, gpu.ErrOutOfMemory)
	if size >= 1<<60 {
		require.Equal(t, before, after, "an impossible request counts nothing")
		return
	}
	require.Equal(t, before.NumOOMs+1, after.NumOOMs)
	// With a private pool in use, oversize blocks go back and are not enough
	// by themselves: then nobody asks again, even if they made room.
	gaveBack := len(m.using) > 0 && after.NumDeviceFree > before.NumDeviceFree
	if free, _ := m.alloc.MemGetInfo(); !m.settings.expandable && !gaveBack {
		full := after.ReservedBytes.All.Current > m.limit-oom.Tried
		require.True(t, full || oom.Tried > free, "there was room for %d bytes", oom.Tried)
	}
	if len(m.using) == 0 {
		require.Equal(t, before.NumAllocRetries+1, after.NumAllocRetries)
		require.Equal(t, before.NumSyncAllStreams+1, after.NumSyncAllStreams)
		m.requireNoCache(t)
	}
}

// requireNoCache checks that the default pools have no segment that is free as
// a whole, and that no block waits for a stream.
func (m *machine) requireNoCache(t *rapid.T) {
	for _, s := range m.alloc.Snapshot() {
		for _, b := range s.Blocks {
			require.NotEqual(t, caching.ActivePendingFree, b.State)
		}
		if s.SegmentPoolID == (caching.PoolID{}) && !s.IsExpandable {
			require.False(t, len(s.Blocks) == 1 && s.Blocks[0].State == caching.Inactive, "a cached segment stayed")
		}
	}
}

// MallocMany asks for many blocks of about one size, so that their freeing
// leaves more cached blocks than one leaf of the ordered set holds.
func (m *machine) MallocMany(t *rapid.T) {
	size := rapid.Int64Range(1, 256<<10).Draw(t, "size")
	s := m.drawStream(t)
	for i := range rapid.Int64Range(1, 100).Draw(t, "count") {
		b, err := m.alloc.Malloc(size+512*(i%7), s)
		if err != nil {
			return
		}
		m.held = append(m.held, m.hold(t, b, size+512*(i%7), s, m.present()))
	}
}
