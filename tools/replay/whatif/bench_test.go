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
// into a program before: for more and more live blocks, and for longer and
// longer histories. Others may use the machine too, so it counts the
// processor's time.
func BenchmarkReplay(b *testing.B) {
	for _, live := range []int{1_000, 10_000, 100_000, 1_000_000} {
		benchmark(b, fmt.Sprintf("live=%d", live), synthetic(b, max(3_000_000, 8*live), live))
	}
	for _, events := range []int{10_000, 100_000, 1_000_000, 10_000_000} {
		benchmark(b, fmt.Sprintf("events=%d", events), synthetic(b, events, 1_000))
	}
}

func benchmark(b *testing.B, name string, s *snapshot.Snapshot) {
	ctx := context.Background()
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
		b.Run(c.name+"/"+name, func(b *testing.B) {
			before := processorTime()
			for b.Loop() {
				require.NoError(b, c.run())
			}
			used := (processorTime() - before).Seconds()
			events := float64(len(s.Traces[0])) * float64(b.N)
			b.ReportMetric(events/used/1e6, "Mevents/s")
			b.ReportMetric(used/events*1e9, "ns/event")
		})
	}
}
