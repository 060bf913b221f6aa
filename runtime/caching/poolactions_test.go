package caching_test

import (
	"slices"

	"github.com/stretchr/testify/require"
	"github.com/torchmem/workbook/runtime/caching"
	"pgregory.net/rapid"
)

// private is what the machine knows of private pools.
type private struct {
	// pools are not released, using are in use, the last begun last.
	pools, using []caching.PoolID
	lenders      []caching.PoolID
}

// NewPool makes a private pool.
func (m *machine) NewPool(t *rapid.T) {
	options := rapid.SliceOfDistinct(rapid.SampledFrom([]caching.PoolOption{caching.UseOnOOM, caching.NoSplit}), rapid.ID[caching.PoolOption]).Draw(t, "options")
	id := m.alloc.NewPool(options...)
	require.NotContains(t, m.pools, id)
	m.pools = append(m.pools, id)
	if slices.Contains(options, caching.UseOnOOM) {
		m.lenders = append(m.lenders, id)
	}
}

// UsePool sends requests to a private pool. One that is in use already would be
// refused, and would keep its memory for good.
func (m *machine) UsePool(t *rapid.T) {
	id := m.drawPool(t)
	if slices.Contains(m.using, id) {
		t.Skip("in use")
	}
	require.NoError(t, m.alloc.UsePool(id))
	m.using = append(m.using, id)
}

// EndUse ends any of the uses.
func (m *machine) EndUse(t *rapid.T) {
	if len(m.using) == 0 {
		t.Skip("nothing is in use")
	}
	m.endUse(t, rapid.IntRange(0, len(m.using)-1).Draw(t, "use"))
}

func (m *machine) endUse(t *rapid.T, i int) {
	require.NoError(t, m.alloc.EndUse(m.using[i]))
	require.Error(t, m.alloc.EndUse(m.using[i]))
	m.using = slices.Delete(m.using, i, i+1)
}

// ReleasePool ends the life of a pool. While others are in use it cannot.
func (m *machine) ReleasePool(t *rapid.T) {
	id := m.drawPool(t)
	if len(m.using) > 0 && !slices.Contains(m.using, id) {
		require.ErrorContains(t, m.alloc.ReleasePool(id), "cannot be released")
		return
	}
	require.NoError(t, m.alloc.ReleasePool(id))
	m.pools = slices.DeleteFunc(m.pools, func(other caching.PoolID) bool { return other == id })
}

// MallocOnThread asks as a thread that uses no pool.
func (m *machine) MallocOnThread(t *rapid.T) {
	if slices.ContainsFunc(m.lenders, func(id caching.PoolID) bool { return slices.Contains(m.using, id) }) {
		t.Skip("a request that finds no memory would be refused for another reason")
	}
	size := rapid.Int64Range(1, 8<<20).Draw(t, "size")
	m.alloc.OnThread(1, func() { m.mallocIn(t, size, caching.PoolID{}) })
}

func (m *machine) drawPool(t *rapid.T) caching.PoolID {
	if len(m.pools) == 0 {
		t.Skip("no pool")
	}
	return rapid.SampledFrom(m.pools).Draw(t, "pool")
}

// present is the pool that requests go to.
func (m *machine) present() caching.PoolID {
	if len(m.using) == 0 {
		return caching.PoolID{}
	}
	return m.using[len(m.using)-1]
}

// requirePool checks that a block came from the expected pool, or from one that
// lends to the default pools.
func (m *machine) requirePool(t *rapid.T, got, expected caching.PoolID) {
	lent := expected == (caching.PoolID{}) && slices.Contains(m.lenders, got)
	require.True(t, got == expected || lent, "a block of another pool")
}

// endPools ends all uses and releases all pools.
func (m *machine) endPools(t *rapid.T) {
	for len(m.using) > 0 {
		m.endUse(t, 0)
	}
	for len(m.pools) > 0 {
		require.NoError(t, m.alloc.ReleasePool(m.pools[0]))
		m.pools = m.pools[1:]
	}
}
