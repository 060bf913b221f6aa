package torch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
)

// TestMemPoolLife follows a pool from its making to the last of its memory.
func TestMemPoolLife(t *testing.T) {
	m := newTorch(t)
	p := m.Cuda.NewMemPool()
	require.Equal(t, caching.PoolID{0, 1}, p.ID())
	require.Equal(t, 1, p.UseCount())
	x := m.Var("x")
	m.Cuda.UseMemPool(p, func() {
		require.Equal(t, 2, p.UseCount())
		x.Set(m.Cuda.EmptyUint8(400))
	})
	require.Equal(t, p.ID(), p.Snapshot()[0].SegmentPoolID)
	require.Len(t, p.Snapshot(), 1)
	m.Cuda.EmptyCache()
	p.Del()
	require.EqualValues(t, 2<<20, m.Cuda.MemoryReserved(), "x lives on")
	x.Del()
	m.Cuda.EmptyCache()
	require.Zero(t, m.Cuda.MemoryReserved())
}

// TestMemPoolMistakes raises errors that a program can catch.
func TestMemPoolMistakes(t *testing.T) {
	m := newTorch(t)
	p := m.Cuda.NewMemPool()
	m.Cuda.UseMemPool(p, func() {
		require.Equal(t, "RuntimeError: beginAllocateToPool: already recording to mempool_id",
			raisedBy(m, func() { m.Cuda.UseMemPool(p, func() {}) }))
	})
	q := m.Cuda.NewMemPool()
	m.Cuda.UseMemPool(p, func() {
		require.Equal(t, "RuntimeError: memory pool (0, 2) cannot be released while another one is in use", raisedBy(m, q.Del))
	})
	require.Equal(t, 1, q.UseCount(), "a refused deletion changes nothing")
	q.Del()
	for _, f := range []func(){q.Del, func() { q.UseCount() }, func() { q.Snapshot() }, func() { m.Cuda.UseMemPool(q, func() {}) }} {
		require.Regexp(t, `^RuntimeError: the memory pool was deleted at .*\.go:\d+$`, raisedBy(m, f))
	}
}

// TestMemPoolAfterAnError ends the use of a pool when the function raises.
func TestMemPoolAfterAnError(t *testing.T) {
	m := newTorch(t)
	p := m.Cuda.NewMemPool(m.NoSplit())
	x := m.Var("x")
	require.Error(t, m.Try(func() {
		m.Cuda.UseMemPool(p, func() { x.Set(m.Cuda.EmptyUint8(1 << 40)) })
	}))
	require.Equal(t, 1, p.UseCount())
	x.Set(m.Cuda.EmptyUint8(1))
	require.Empty(t, p.Snapshot(), "x is made outside of the pool")
}
