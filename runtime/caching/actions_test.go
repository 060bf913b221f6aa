package caching_test

import (
	"slices"

	"github.com/stretchr/testify/require"
	"github.com/torchmem/workbook/runtime/gpu"
	"pgregory.net/rapid"
)

// FreeMany frees every other block.
func (m *machine) FreeMany(t *rapid.T) {
	for i := len(m.held) - 1; i > 0; i -= 2 {
		m.free(t, i)
	}
}

// FreeRun frees blocks that were allocated one after the other.
func (m *machine) FreeRun(t *rapid.T) {
	from := m.drawHeld(t)
	for i := m.drawHeld(t); i >= from; i-- {
		m.free(t, i)
	}
}

// free frees a held block. If other streams use it, it has to wait for them.
func (m *machine) free(t *rapid.T, i int) {
	h := m.held[i]
	m.held = slices.Delete(m.held, i, i+1)
	require.NoError(t, m.alloc.Free(h.block))
	m.ledger.read(t, m.alloc)
	_, pending := m.ledger.pending[h.block.Ptr()]
	require.Equal(t, len(h.users)+len(h.within) > 0, pending)
	m.waits.add(h)
}

// Free frees a block, and once more, which is an error.
func (m *machine) Free(t *rapid.T) {
	i := m.drawHeld(t)
	b := m.held[i].block
	m.free(t, i)
	before := m.alloc.Stats()
	require.ErrorContains(t, m.alloc.Free(b), "invalid device pointer")
	require.ErrorContains(t, m.alloc.RecordStream(b, 0), "invalid device pointer")
	require.Equal(t, before, m.alloc.Stats())
}

// FreeLast frees the newest block, as programs mostly do.
func (m *machine) FreeLast(t *rapid.T) {
	if len(m.held) == 0 {
		t.Skip("nothing is held")
	}
	m.free(t, len(m.held)-1)
}

// RecordStream says that another stream uses a block.
func (m *machine) RecordStream(t *rapid.T) {
	h, s := m.held[m.drawHeld(t)], m.drawStream(t)
	require.NoError(t, m.alloc.RecordStream(h.block, s))
	switch {
	case s == h.stream:
	case len(m.using) > 0:
		h.within[s] = true
	default:
		h.users[s] = true
	}
}

// NewStream makes a stream. After 32 the first comes again.
func (m *machine) NewStream(t *rapid.T) {
	s, err := m.alloc.NewStream()
	require.NoError(t, err)
	if len(m.streams) <= 32 {
		require.NotContains(t, m.streams, s)
		m.streams = append(m.streams, s)
	}
}

// Busy holds a stream.
func (m *machine) Busy(t *rapid.T) {
	s := m.drawStream(t)
	m.driver.Busy(s)
	m.waits.busy[s] = true
}

// Idle lets a stream go.
func (m *machine) Idle(t *rapid.T) {
	s := m.drawStream(t)
	m.driver.Idle(s)
	m.waits.idle(s)
}

// Synchronize lets all streams go.
func (m *machine) Synchronize(t *rapid.T) {
	require.NoError(t, m.driver.Synchronize())
	m.waits.forget()
}

// EmptyCache gives back what is cached.
func (m *machine) EmptyCache(t *rapid.T) {
	require.NoError(t, m.alloc.EmptyCache())
	if len(m.using) == 0 {
		m.requireNoCache(t)
	}
}

// SetMemoryFraction changes the limit. What is reserved stays.
func (m *machine) SetMemoryFraction(t *rapid.T) {
	f := drawFraction(t)
	before := m.alloc.Stats()
	require.NoError(t, m.alloc.SetMemoryFraction(f))
	require.Equal(t, before, m.alloc.Stats())
	m.noteLimit(f)
	require.InDelta(t, f, m.alloc.MemoryFraction(), 1e-9)
	require.Error(t, m.alloc.SetMemoryFraction(-f-1))
}

// ResetPeaks and ResetTotals start counters anew.
func (m *machine) ResetPeaks(t *rapid.T) {
	m.alloc.ResetPeakStats()
	m.course.resetPeaks(t, m.alloc.Stats())
}

func (m *machine) ResetTotals(t *rapid.T) {
	m.alloc.ResetAccumulatedStats()
	m.course.resetTotals(t, m.alloc.Stats())
}

func (m *machine) drawStream(t *rapid.T) gpu.Stream {
	return rapid.SampledFrom(m.streams).Draw(t, "stream")
}

// drawHeld draws the place of a held block. There may be none.
func (m *machine) drawHeld(t *rapid.T) int {
	if len(m.held) == 0 {
		t.Skip("nothing is held")
	}
	return rapid.IntRange(0, len(m.held)-1).Draw(t, "block")
}
