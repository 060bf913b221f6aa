//go:build unix

package caching_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
)

// BenchmarkReplayLive replays a history that holds a number of blocks: each
// second event frees one of them, and each other allocates another. As in the
// recorded traces, three in ten frees are of the newest block and the others are
// drawn at random. Sizes are log-uniform in 512 B to 64 KiB, so that a million
// blocks fit into the device.
func BenchmarkReplayLive(b *testing.B) {
	for _, live := range []int{1_000, 10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("live=%d", live), func(b *testing.B) {
			h := newHistory(live, 1<<22)
			r := newReplayer(b, live)
			r.replay(b, h.fill)
			// The first rounds shape the cache; a steady program has
			// them behind it.
			r.replay(b, h.events[:min(4*live, len(h.events))])
			b.ReportAllocs()
			b.ResetTimer()
			before := processorTime(b)
			for done := 0; done < b.N; {
				n := min(b.N-done, len(h.events))
				r.replay(b, h.events[:n])
				done += n
			}
			reportRate(b, b.N, processorTime(b)-before)
		})
	}
}

// BenchmarkReplayEvents replays whole histories of 1,000 live blocks, from an
// empty device on.
func BenchmarkReplayEvents(b *testing.B) {
	for _, count := range []int{10_000, 100_000, 1_000_000, 10_000_000} {
		b.Run(fmt.Sprintf("events=%d", count), func(b *testing.B) {
			h := newHistory(1_000, count-1_000)
			b.ResetTimer()
			before := processorTime(b)
			for range b.N {
				r := newReplayer(b, 1_000)
				r.replay(b, h.fill)
				r.replay(b, h.events)
			}
			reportRate(b, b.N*count, processorTime(b)-before)
		})
	}
}

// processorTime is what this process has used of the processors. Others may use
// the machine too, and what they take is not counted.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// reportRate tells the time for each event, and millions of events in a second.
func reportRate(b *testing.B, events int, used time.Duration) {
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(used.Nanoseconds())/float64(events), "ns/event")
	b.ReportMetric(float64(events)/used.Seconds()/1e6, "Mevents/s")
}

// event allocates a size for a block, or frees it when the size is zero.
type event struct {
	block int32
	size  int32
}

// history is what a program did: it fills its blocks, and then frees and
// allocates in turn.
type history struct{ fill, events []event }

// newHistory draws a history beforehand, so that a replay measures the
// allocator.
func newHistory(live, count int) history {
	rng := rand.New(rand.NewPCG(5, 6))
	size := func() int32 { return int32(math.Exp2(9 + 7*rng.Float64())) }
	var h history
	for i := range live {
		h.fill = append(h.fill, event{int32(i), size()})
	}
	victim := int32(0)
	for range count / 2 {
		if rng.IntN(10) < 7 {
			victim = int32(rng.IntN(live))
		} // else the newest, which is in the place of the last victim
		h.events = append(h.events, event{victim, 0}, event{victim, size()})
	}
	return h
}

// replayer is an allocator with the blocks of a history.
type replayer struct {
	alloc  *caching.Allocator
	blocks []*caching.Block
}

func newReplayer(b *testing.B, live int) *replayer {
	a, err := caching.New(sim.New(gpu.DefaultProfile()), caching.Config{})
	if err != nil {
		b.Fatal(err)
	}
	return &replayer{a, make([]*caching.Block, live)}
}

func (r *replayer) replay(b *testing.B, events []event) {
	for _, e := range events {
		var err error
		if e.size == 0 {
			err = r.alloc.Free(r.blocks[e.block])
		} else {
			r.blocks[e.block], err = r.alloc.Malloc(int64(e.size), 0)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}
