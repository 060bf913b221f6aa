//go:build unix

package whatif

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
	"github.com/torchmem/workbook/runtime/snapshot"
)

// synthetic is a long recording: a program that holds some blocks, frees one of
// them and allocates another. The more it holds, the smaller they are: up to
// 16 MiB for a thousand.
func synthetic(tb testing.TB, events, live int) *snapshot.Snapshot {
	a, err := caching.New(sim.New(gpu.DefaultProfile()), caching.DefaultConfig())
	require.NoError(tb, err)
	a.RecordHistory(2*events + 4*live)
	octaves := 15 - math.Log2(max(1, float64(live)/1000))
	rng := rand.New(rand.NewPCG(1, 2))
	held := make([]*caching.Block, 0, live)
	for n := 0; n < events; {
		if len(held) == live {
			i := rng.IntN(live)
			require.NoError(tb, a.Free(held[i]))
			held[i] = held[live-1]
			held = held[:live-1]
			n += 2
		}
		b, err := a.Malloc(int64(math.Exp2(9+octaves*rng.Float64())), 0)
		require.NoError(tb, err)
		held = append(held, b)
		n++
	}
	s := &snapshot.Snapshot{Segments: a.Snapshot(), Settings: &snapshot.Settings{MaxSplitSize: -1}}
	log := a.History()
	trace := make([]snapshot.Event, len(log))
	for i, e := range log {
		trace[i].Entry = e
	}
	s.Traces = [][]snapshot.Event{trace}
	return s
}

// processorTime is what this process used of the processors.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkReplay tells how many million events are replayed in a second of one
// core, under the recorded settings and under others, and how many are turned
// into a program before. Others may use the machine too, so it counts the
// processor's time.
func BenchmarkReplay(b *testing.B) {
	ctx := context.Background()
	for _, live := range []int{100, 10_000, 1_000_000} {
		s := synthetic(b, max(3_000_000, 3*live), live)
		st, err := newStudy(ctx, s, 0, quiet)
		require.NoError(b, err)
		cfg, err := caching.ParseConfig(expandable)
		require.NoError(b, err)
		for _, c := range []struct {
			name string
			run  func() error
		}{
			{"recorded", func() error { _, err := st.recorded(ctx); return err }},
			{"expandable", func() error { _, err := st.under(ctx, expandable, cfg, noLimit); return err }},
			{"study", func() error { _, err := newStudy(ctx, s, 0, quiet); return err }},
		} {
			b.Run(fmt.Sprintf("%s/live=%d", c.name, live), func(b *testing.B) {
				before := processorTime()
				for b.Loop() {
					require.NoError(b, c.run())
				}
				used := (processorTime() - before).Seconds()
				b.ReportMetric(float64(len(s.Traces[0]))*float64(b.N)/used/1e6, "Mevents/s")
			})
		}
	}
}
