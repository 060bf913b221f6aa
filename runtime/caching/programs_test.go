package caching_test

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/oracle"
	"github.com/torchmem/workbook/runtime/replay"
)

func readProgram(t *testing.T, file string) *oracle.Program {
	p, err := oracle.Read(file)
	require.NoError(t, err)
	return p
}

// staged are the programs that a replay of events alone cannot repeat: they
// set limits or hold streams busy. Tests of their own repeat them.
var staged = map[string]bool{"oom.json": true, "record_stream.json": true, "stats_reset.json": true}

// TestReplayPrograms repeats the allocations of every recorded program and
// compares the event log and the counters after each statement.
func TestReplayPrograms(t *testing.T) {
	for _, file := range filesOf(t, *programsFolder, "*.json") {
		if staged[filepath.Base(file)] {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			replayProgram(t, readProgram(t, file))
		})
	}
}

func replayProgram(t *testing.T, p *oracle.Program) {
	events := allEvents(p)
	if len(events) == 0 {
		t.Skip("the recording has no events")
	}
	cfg, err := caching.ParseConfig(p.Conf)
	require.NoError(t, err)
	d := replay.NewDriver(gpu.DefaultProfile(), events, nil)
	a, err := caching.New(d, cfg)
	require.NoError(t, err)
	a.RecordHistory(len(events) + 100)
	live := map[gpu.Ptr]*caching.Block{}
	seen, retries := 0, int64(0)
	for _, row := range p.Rows {
		for i, e := range row.Events {
			d.Follow(logged(a))
			switch e.Action {
			case caching.ActionAlloc:
				b, err := a.Malloc(e.Size, e.Stream)
				require.NoError(t, err)
				require.Equal(t, e.Addr, b.Ptr(), "row %q", row.Label)
				live[b.Ptr()] = b
			case caching.ActionFreeRequested:
				require.NoError(t, a.Free(live[e.Addr]))
			case caching.ActionSegmentFree, caching.ActionSegmentUnmap:
				// The first of a run is a call of empty_cache, unless a
				// request emptied the cache before it failed.
				if row.NumAllocRetries == retries && (i == 0 || row.Events[i-1].Action != e.Action) {
					require.NoError(t, a.EmptyCache())
				}
			case caching.ActionOOM:
				// The program had a limit. The driver sees that the
				// recording got no memory here.
				_, err := a.Malloc(e.Size, e.Stream)
				require.ErrorIs(t, err, gpu.ErrOutOfMemory)
			}
		}
		var got []caching.Entry
		got, seen = a.HistorySince(seen)
		forgetFreeBytes(got)
		require.Len(t, got, len(row.Events), "row %q", row.Label)
		for i, e := range row.Events {
			require.Equal(t, caching.Entry(e), got[i], "row %q", row.Label)
		}
		requireRow(t, row, a.Stats())
		retries = row.NumAllocRetries
	}
}

// logged counts the entries of a history.
func logged(a *caching.Allocator) int {
	_, n := a.HistorySince(math.MaxInt)
	return n
}

// allEvents joins the events of all rows.
func allEvents(p *oracle.Program) (events []caching.Entry) {
	for _, row := range p.Rows {
		for _, e := range row.Events {
			events = append(events, caching.Entry(e))
		}
	}
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

// requireRow compares the counters that a statement leaves. Peaks are left out:
// events do not tell where a program has reset them.
func requireRow(t *testing.T, row oracle.Row, s caching.Stats) {
	t.Helper()
	got := oracle.CountersOf(s)
	got.AllocatedPeak, got.ReservedPeak = row.AllocatedPeak, row.ReservedPeak
	require.Equal(t, row.Counters, got, "after %q", row.Label)
}
