package web

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
	"github.com/torchmem/workbook/runtime/site"
	"github.com/torchmem/workbook/runtime/timeline"
	"github.com/torchmem/workbook/runtime/torch"
)

// leak records a program that keeps an output in each of six rounds, and frees
// them in the end.
func leak(t *testing.T) *timeline.Recording {
	t.Helper()
	pt, err := torch.New(sim.New(gpu.DefaultProfile()), caching.Config{})
	require.NoError(t, err)
	r := pt.Record("a list of outputs")
	statement := func(text string, line int) {
		pt.EndStatement()
		r.Statement(text, site.Place{File: "lessons/06/leaks.go", Line: line})
	}
	x, outs := pt.Var("x"), pt.List("outs")
	for range 6 {
		x.Set(pt.Randn(1000, 1000).Cuda())
		statement("x = torch.randn(1000, 1000).cuda()", 10)
		outs.Append(x.Mul(2))
		statement("outs.append(x * 2)", 11)
	}
	outs.Clear()
	statement("outs.clear()", 12)
	r.Stop()
	x.Del()
	require.NoError(t, pt.Close())
	// As if a graph kept the first output, from the second round on.
	first := slices.IndexFunc(r.Recording().Events, func(e timeline.Event) bool { return e.Name == "outs" })
	r.Recording().Events[first].Holders = []timeline.Holder{{From: r.Recording().Statements[2].End, Name: "(graph)"}}
	return r.Recording()
}

// machine does random operations on an allocator, on two streams, and records
// them from the middle on.
type machine struct {
	t         *testing.T
	rng       *rand.Rand
	allocator *caching.Allocator
	side      gpu.Stream
	held      []*caching.Block
	largest   int64
}

// busy records a number of operations under some settings. A request is for at
// most so many bytes.
func busy(t *testing.T, conf string, operations int, largest int64) *timeline.Recording {
	t.Helper()
	cfg, err := caching.ParseConfig(conf)
	require.NoError(t, err)
	m := &machine{t: t, rng: rand.New(rand.NewPCG(1, 2)), largest: largest}
	m.allocator, err = caching.New(sim.New(gpu.DefaultProfile()), cfg)
	require.NoError(t, err)
	m.side, err = m.allocator.NewStream()
	require.NoError(t, err)
	for range operations / 10 {
		m.step()
	}
	r := &timeline.Recording{Title: "busy, " + cmp.Or(conf, "default settings"), Device: "a GPU", Total: 1 << 37, Start: m.allocator.Snapshot()}
	stop := m.allocator.Trace(m.stack, func(e caching.TraceEntry) {
		r.Events = append(r.Events, timeline.Event{Entry: e.Entry, Block: e.Block, Pool: e.Pool, Frames: e.Frames})
	})
	defer stop()
	for range operations {
		m.step()
	}
	return r
}

func (m *machine) stack() []caching.Frame {
	return []caching.Frame{{Filename: "train.py", Line: 1 + m.rng.IntN(5), Name: "step"}}
}

func (m *machine) step() {
	switch n := m.rng.IntN(100); {
	case n < 2:
		require.NoError(m.t, m.allocator.EmptyCache())
	case len(m.held) > 0 && (n < 45 || len(m.held) > 1500):
		i := m.rng.IntN(len(m.held))
		b := m.held[i]
		m.held[i] = m.held[len(m.held)-1]
		m.held = m.held[:len(m.held)-1]
		if n < 5 {
			require.NoError(m.t, m.allocator.RecordStream(b, m.side))
		}
		require.NoError(m.t, m.allocator.Free(b))
	default:
		size := 1 + m.rng.Int64N(m.largest)
		if n < 75 {
			size = size/100 + 1
		}
		b, err := m.allocator.Malloc(size, 0)
		require.NoError(m.t, err)
		m.held = append(m.held, b)
	}
}
