package caching_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
	"github.com/torchmem/workbook/runtime/report"
)

// TestReplayRecordedAddresses repeats every recording on a driver with the
// recorded addresses and compares everything that was recorded.
func TestReplayRecordedAddresses(t *testing.T) {
	for _, file := range traceFiles(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			tr := readTrace(t, file)
			r := newReplay(t, tr, newRecordedDriver(tr.Events, tr.Streams))
			r.run(t)
			require.Equal(t, tr.Events, r.events())
			require.Equal(t, tr.Segments, recorded(r.alloc.Snapshot()))
			require.Equal(t, tr.Stats, r.alloc.Stats().Map())
			require.Equal(t, tr.Summary, report.MemorySummary(r.alloc.Stats(), 0))
		})
	}
}

// shifted is the one recording in which a chunk lies 32 MiB lower than the
// rules of the driver say. No counter shows it.
const shifted = "fuzz_split32gc60_plain_0.json.gz"

// TestReplayModelAddresses repeats every recording on the simulated driver. The
// counters must be equal too, and the addresses up to one offset, because a
// real process draws the place of its memory at random.
func TestReplayModelAddresses(t *testing.T) {
	for _, file := range traceFiles(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			tr := readTrace(t, file)
			r := newReplay(t, tr, sim.New(gpu.DefaultProfile()))
			r.run(t)
			require.Equal(t, tr.Stats, r.alloc.Stats().Map())
			if filepath.Base(file) != shifted {
				require.Equal(t, fromFirst(tr.Events), fromFirst(r.events()))
			}
		})
	}
}

// fromFirst makes addresses relative to the first one, and streams to nothing.
func fromFirst(events []caching.Entry) []caching.Entry {
	events = slices.Clone(events)
	first := events[0].Addr
	for i := range events {
		events[i].Stream = 0
		if events[i].Action != caching.ActionOOM {
			events[i].Addr -= first
		}
	}
	return events
}

// replay runs the operations of a trace.
type replay struct {
	trace   *trace
	alloc   *caching.Allocator
	streams []gpu.Stream
	blocks  map[int]*caching.Block
}

func newReplay(t *testing.T, tr *trace, d caching.Driver) *replay {
	cfg, err := caching.ParseConfig(tr.Conf)
	require.NoError(t, err)
	a, err := caching.New(d, cfg)
	require.NoError(t, err)
	r := &replay{trace: tr, alloc: a, streams: []gpu.Stream{0}, blocks: map[int]*caching.Block{}}
	for range tr.Streams[1:] {
		s, err := a.NewStream()
		require.NoError(t, err)
		r.streams = append(r.streams, s)
	}
	if tr.Fraction != nil {
		require.NoError(t, a.SetMemoryFraction(*tr.Fraction))
	}
	a.RecordHistory(10_000_000)
	return r
}

func (r *replay) run(t *testing.T) {
	for i, op := range r.trace.Ops {
		r.do(t, op)
		stats := r.alloc.Stats().Map()
		for c, name := range r.trace.Columns {
			if stats[name] != op.Counters[c] {
				t.Fatalf("operation %d, %+v: %s is %d, recorded %d", i, op, name, stats[name], op.Counters[c])
			}
		}
	}
}

func (r *replay) do(t *testing.T, op operation) {
	switch op.Op {
	case "alloc":
		b, err := r.alloc.Malloc(op.Bytes, r.streams[op.Stream])
		if op.OK {
			require.NoError(t, err)
			r.blocks[op.ID] = b
			return
		}
		require.ErrorIs(t, err, gpu.ErrOutOfMemory)
		require.Equal(t, withoutOthers(op.Error), withoutOthers(err.Error()))
	case "free":
		require.NoError(t, r.alloc.Free(r.blocks[op.ID]))
		delete(r.blocks, op.ID)
	case "record_stream":
		require.NoError(t, r.alloc.RecordStream(r.blocks[op.ID], r.streams[op.Stream]))
	case "empty_cache":
		require.NoError(t, r.alloc.EmptyCache())
	case "reset_peak":
		r.alloc.ResetPeakStats()
	default:
		t.Fatalf("unknown operation %q", op.Op)
	}
}

func (r *replay) events() []caching.Entry {
	events := r.alloc.History()
	forgetFreeBytes(events)
	return events
}

// forgetFreeBytes drops what the recordings do not hold: the free bytes of the
// device beside an OOM.
func forgetFreeBytes(events []caching.Entry) {
	for i := range events {
		if events[i].Action == caching.ActionOOM {
			events[i].Addr = 0
		}
	}
}

// others is the part of an OOM message that depends on the other processes on
// the recording machine.
var others = regexp.MustCompile(`of which .*memory in use\. `)

func withoutOthers(message string) string { return others.ReplaceAllString(message, "") }
