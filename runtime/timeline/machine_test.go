package timeline_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
	"github.com/torchmem/workbook/runtime/timeline"
)

// machine does random operations on an allocator and records them.
type machine struct {
	t         *testing.T
	rng       *rand.Rand
	driver    *sim.Driver
	allocator *caching.Allocator
	streams   []gpu.Stream
	pool      caching.PoolID
	held      []*caching.Block
	recording timeline.Recording
	// moments are what the allocator said of itself after its operations.
	moments []moment
}

// moment is the allocator after so many events.
type moment struct {
	event    int
	segments []caching.Segment
	stats    caching.Stats
}

func newMachine(t *testing.T, seed uint64, conf string) *machine {
	cfg, err := caching.ParseConfig(conf)
	require.NoError(t, err)
	p := gpu.DefaultProfile()
	p.TotalMemory = p.ContextMemory + 1<<30
	m := &machine{t: t, rng: rand.New(rand.NewPCG(seed, 1)), driver: sim.New(p), streams: []gpu.Stream{0}}
	m.allocator, err = caching.New(m.driver, cfg)
	require.NoError(t, err)
	for range 2 {
		s, err := m.allocator.NewStream()
		require.NoError(t, err)
		m.streams = append(m.streams, s)
	}
	m.pool = m.allocator.NewPool()
	return m
}

// record sees everything from now on.
func (m *machine) record() {
	m.recording.Start = m.allocator.Snapshot()
	m.allocator.Trace(m.stack, func(e caching.TraceEntry) {
		m.recording.Events = append(m.recording.Events,
			timeline.Event{Entry: e.Entry, Block: e.Block, Pool: e.Pool, Frames: e.Frames})
	})
}

// stack is another one for each operation.
func (m *machine) stack() []caching.Frame {
	return []caching.Frame{{Filename: "random.go", Line: m.rng.IntN(1000), Name: "main.step"}}
}

func (m *machine) run(steps int) {
	for range steps {
		m.step()
		m.moments = append(m.moments, moment{
			len(m.recording.Events) - 1, m.allocator.Snapshot(), m.allocator.Stats(),
		})
	}
}

func (m *machine) step() {
	switch r := m.rng.IntN(100); {
	case r < 55:
		m.malloc()
	case r < 88:
		m.free()
	case r < 92:
		m.driver.Busy(m.stream())
	case r < 96:
		require.NoError(m.t, m.driver.Synchronize())
	default:
		require.NoError(m.t, m.allocator.EmptyCache())
	}
}

func (m *machine) stream() gpu.Stream { return m.streams[m.rng.IntN(len(m.streams))] }

// malloc takes a block of a few bytes up to 64 MiB, one in five from the private
// pool, and half the time tells another stream of it. It may fail.
func (m *machine) malloc() {
	if m.rng.IntN(5) == 0 {
		require.NoError(m.t, m.allocator.UsePool(m.pool))
		defer func() { require.NoError(m.t, m.allocator.EndUse(m.pool)) }()
	}
	b, err := m.allocator.Malloc(1+m.rng.Int64N(1<<(4+m.rng.IntN(23))), m.stream())
	if err != nil {
		require.ErrorIs(m.t, err, gpu.ErrOutOfMemory)
		return
	}
	if m.rng.IntN(2) == 0 {
		require.NoError(m.t, m.allocator.RecordStream(b, m.stream()))
	}
	m.held = append(m.held, b)
}

func (m *machine) free() {
	if len(m.held) == 0 {
		return
	}
	i := m.rng.IntN(len(m.held))
	require.NoError(m.t, m.allocator.Free(m.held[i]))
	m.held[i] = m.held[len(m.held)-1]
	m.held = m.held[:len(m.held)-1]
}
