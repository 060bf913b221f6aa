package replay_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/replay"
)

// read reads a recorded trace anew, so that a test may change it.
func read(t *testing.T, name string) *replay.Trace {
	trace, err := replay.Read(traces + name + ".json.gz")
	require.NoError(t, err)
	return trace
}

func recorded(t *testing.T, trace *replay.Trace) replay.Result {
	result, err := replay.Recorded(t.Context(), trace, nil)
	require.NoError(t, err)
	return result
}

// TestDifferences changes one thing in a recording. The replay has to name it,
// with both sides.
func TestDifferences(t *testing.T) {
	const file = "fuzz_split32gc60_limit_0"
	whole := read(t, file)
	refused := slices.IndexFunc(whole.Ops, func(o replay.Operation) bool { return o.Op == replay.OpAlloc && !o.OK })
	require.Positive(t, refused)
	oom := slices.IndexFunc(whole.Events, func(e caching.Entry) bool { return e.Action == caching.ActionOOM })
	last := len(whole.Events) - 1

	for name, c := range map[string]struct {
		change    func(*replay.Trace)
		operation int
		equal     int
		what      string
		text      string
	}{
		"counter": {
			func(r *replay.Trace) { r.Ops[700].Counters[0]++ }, 700, 1499,
			"allocated_bytes.all.current", "",
		},
		"last column": {
			func(r *replay.Trace) { r.Ops[1499].Counters[42]-- }, 1499, 1499,
			"oversize_segments.current", "",
		},
		"refusal": {
			func(r *replay.Trace) {
				r.Ops[refused].Error = strings.Replace(r.Ops[refused].Error, "1024.00 MiB", "2.00 MiB", 1)
			},
			refused, 1499, "error", "2.00 MiB allowed",
		},
		"event size": {
			func(r *replay.Trace) { r.Events[oom].Size++ }, refused, 1499,
			"event", "replayed oom of",
		},
		"missing event": {
			func(r *replay.Trace) { r.Events = r.Events[:last] }, -1, 1499,
			"event", "recorded nothing",
		},
		"one more event": {
			func(r *replay.Trace) { r.Events = append(r.Events, r.Events[last]) }, 1500, 1500,
			"event", "the end: event",
		},
		"event stream": {
			func(r *replay.Trace) { r.Events[last].Stream = 7 }, -1, 1499,
			"event", "on stream 0x7",
		},
		"segment": {
			func(r *replay.Trace) { r.Segments[1].ActiveSize++ }, 1500, 1500,
			"segment 1", "ActiveSize",
		},
		"segments": {
			func(r *replay.Trace) { r.Segments = r.Segments[:2] }, 1500, 1500,
			"segments", "recorded 2",
		},
		"stale requested size": {
			func(r *replay.Trace) { r.Segments[0].Blocks[0].RequestedSize ^= 1 }, 1500, 1500,
			"segment 0, block 0", "RequestedSize",
		},
		"blocks": {
			func(r *replay.Trace) { r.Segments[0].Blocks = append(r.Segments[0].Blocks, replay.Block{}) }, 1500, 1500,
			"segment 0, blocks", "",
		},
		"statistic": {
			func(r *replay.Trace) { r.Stats["active.large_pool.freed"]++ }, 1500, 1500,
			"active.large_pool.freed", "",
		},
		"unknown statistic": {
			func(r *replay.Trace) { r.Stats["new"] = 0 }, 1500, 1500,
			"statistics", "recorded 123, replayed 122",
		},
		"summary": {
			func(r *replay.Trace) { r.Summary = strings.Replace(r.Summary, "Peak", "peak", 1) }, 1500, 1500,
			"summary, line 6", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			trace := read(t, file)
			c.change(trace)
			result := recorded(t, trace)
			require.Equal(t, 1500, result.Operations)
			require.Equal(t, c.equal, result.Equal)
			require.NotNil(t, result.First)
			if c.operation >= 0 {
				require.Equal(t, c.operation, result.First.Operation)
			}
			require.True(t, strings.HasPrefix(result.First.What, c.what), result.First.What)
			require.NotEqual(t, result.First.Recorded, result.First.Replayed)
			require.Contains(t, result.First.String(), c.text)
			require.Equal(t, 1, strings.Count(result.String(), "\n"), "two lines")
		})
	}
}

// TestCounterHasBothSides looks at the numbers of a difference.
func TestCounterHasBothSides(t *testing.T) {
	trace := read(t, "fuzz_default_plain_0")
	right := trace.Ops[3].Counters[3]
	trace.Ops[3].Counters[3] = 1
	first := recorded(t, trace).First
	require.Equal(t, any(int64(1)), first.Recorded)
	require.Equal(t, any(right), first.Replayed)
	require.Equal(t, trace.Ops[3].String(), first.Did)
}

// TestOtherOutcome makes a success of a refusal and the other way round. What
// follows has other blocks than recorded, and must neither stop nor break.
func TestOtherOutcome(t *testing.T) {
	trace := read(t, "fuzz_default_limit_0")
	refused := slices.IndexFunc(trace.Ops, func(o replay.Operation) bool { return o.Op == replay.OpAlloc && !o.OK })
	trace.Ops[refused].OK = true
	first := recorded(t, trace).First
	require.Equal(t, "outcome", first.What)
	require.Equal(t, "success", first.Recorded)
	require.Contains(t, first.Replayed, "CUDA out of memory")

	trace = read(t, "fuzz_default_limit_0")
	trace.Ops[0].OK = false
	result := recorded(t, trace)
	require.Equal(t, 0, result.First.Operation)
	require.Equal(t, "success", result.First.Replayed)
}

// TestOtherSettings replays a recording under settings that it was not made
// with. The driver then meets requests that the recorded one never got.
func TestOtherSettings(t *testing.T) {
	for _, conf := range []string{"", "expandable_segments:True", "roundup_power2_divisions:8"} {
		trace := read(t, "fuzz_split64_limit_streams_0")
		trace.Conf = conf
		result := recorded(t, trace)
		require.Less(t, result.Equal, result.Operations, conf)
		require.NotNil(t, result.First)
	}
	trace := read(t, "fuzz_split64_limit_streams_0")
	trace.Conf = "max_split_size_mb:1"
	_, err := replay.Recorded(t.Context(), trace, nil)
	require.EqualError(t, err, `its settings "max_split_size_mb:1": CachingAllocator option max_split_size_mb too small, must be >= 20`)
}

// TestModelledAddresses makes sure that the distances of addresses are
// compared, and nothing but the distances.
func TestModelledAddresses(t *testing.T) {
	modelled := func(trace *replay.Trace) replay.Result {
		result, err := replay.Modelled(t.Context(), trace, nil)
		require.NoError(t, err)
		return result
	}
	const file = "fuzz_default_limit_streams_0"
	trace := read(t, file)
	for i := range trace.Events {
		if trace.Events[i].Action != caching.ActionOOM {
			trace.Events[i].Addr += 1 << 30
		}
	}
	for i := range trace.Segments {
		trace.Segments[i].Address += 1 << 30
		for j := range trace.Segments[i].Blocks {
			trace.Segments[i].Blocks[j].Address += 1 << 30
		}
	}
	require.Nil(t, modelled(trace).First)

	trace = read(t, file)
	trace.Events[900].Addr += 512
	result := modelled(trace)
	require.Equal(t, "event 900", result.First.What)
	require.Equal(t, 1499, result.Equal)
}

// TestProgress is told about every thousandth operation, and ends a replay that
// nobody waits for.
func TestProgress(t *testing.T) {
	trace := read(t, "fuzz_default_plain_0")
	var told []int
	ctx, cancel := context.WithCancel(t.Context())
	_, err := replay.Recorded(ctx, trace, func(done int) { told = append(told, done) })
	require.NoError(t, err)
	require.Equal(t, []int{0, 1000}, told)
	cancel()
	_, err = replay.Recorded(ctx, trace, nil)
	require.ErrorIs(t, err, context.Canceled)
}
