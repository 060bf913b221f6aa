package caching_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
	"github.com/torchmem/workbook/runtime/report"
)

const programs = "../../testdata/oracle/programs/"

// TestOutOfMemory repeats a program that runs into a limit, frees, and runs
// into the end of the device. Nobody else used the GPU when it was recorded, so
// the messages are equal in every character.
func TestOutOfMemory(t *testing.T) {
	p := readProgram(t, programs+"oom.json")
	a := newAllocator(t, "")
	row := 0
	after := func() { requireRow(t, p.Rows[row], a.Stats()); row++ }
	fails := func(size int64, text string) {
		_, err := a.Malloc(size, 0)
		require.ErrorIs(t, err, gpu.ErrOutOfMemory)
		require.EqualError(t, err, p.Text(text))
	}
	total := float64(gpu.DefaultProfile().TotalMemory)
	require.NoError(t, a.SetMemoryFraction((1<<30)/total))
	after()
	x := malloc(t, a, 600<<20)
	after()
	fails(600<<20, "oom")
	after()
	require.NoError(t, a.Free(x))
	after()
	y := malloc(t, a, 700<<20)
	after()
	require.NoError(t, a.Free(y))
	require.NoError(t, a.EmptyCache())
	after()
	fails(1<<40, "oom_1tib")
	require.NoError(t, a.SetMemoryFraction(1))
	fails(1<<40, "oom_1tib_nolimit")

	before := a.Stats()
	_, err := a.Malloc(1<<60, 0)
	require.EqualError(t, err, "CUDA out of memory. Tried to allocate more than 1EB memory.")
	require.ErrorIs(t, err, gpu.ErrOutOfMemory)
	require.Equal(t, before, a.Stats(), "an impossible request counts nothing")
}

// TestRecordStream repeats a program that frees a block while another stream
// is still at work on it.
func TestRecordStream(t *testing.T) {
	p := readProgram(t, programs+"record_stream.json")
	d := sim.New(gpu.DefaultProfile())
	a, err := caching.New(d, caching.Config{})
	require.NoError(t, err)
	s, err := a.NewStream()
	require.NoError(t, err)
	row := 0
	after := func() { requireRow(t, p.Rows[row], a.Stats()); row++ }
	x := malloc(t, a, 4_000_000)
	after()
	d.Busy(s)
	require.NoError(t, a.RecordStream(x, s))
	require.NoError(t, a.Free(x))
	after()
	require.Equal(t, caching.ActivePendingFree, a.Snapshot()[0].Blocks[0].State)
	malloc(t, a, 4_000_000)
	after()
	require.NoError(t, d.Synchronize())
	after()
	z := malloc(t, a, 4_000_000)
	after()
	require.Equal(t, x.Ptr(), z.Ptr(), "the block returns once the stream is idle")
}

// TestStatsReset repeats a program that resets the counters, with all 122 of
// them recorded at nine moments, and the snapshots.
func TestStatsReset(t *testing.T) {
	p := readProgram(t, programs+"stats_reset.json")
	a := newAllocator(t, "")
	stats := func(name string) {
		var want map[string]int64
		require.NoError(t, json.Unmarshal(p.Extra[name], &want))
		require.Equal(t, want, a.Stats().Map(), name)
	}
	free := func(b *caching.Block) { require.NoError(t, a.Free(b)) }

	// PyTorch shows no keys at all before it is asked for memory.
	x := malloc(t, a, 4_000_000)
	y := malloc(t, a, 400)
	malloc(t, a, 11_000_000)
	free(x)
	stats("del_x")
	requireSnapshot(t, p.Extra["snapshot_del_x"], a.Snapshot())
	var info []int64
	require.NoError(t, json.Unmarshal(p.Extra["mem_get_info"], &info))
	left, total := a.MemGetInfo()
	require.Equal(t, info, []int64{left, total})
	a.ResetPeakStats()
	stats("reset_peak")
	a.ResetAccumulatedStats()
	stats("reset_accumulated")
	free(y)
	stats("del_y")
	require.NoError(t, a.EmptyCache())
	stats("empty_cache")
	requireSnapshot(t, p.Extra["snapshot_end"], a.Snapshot())

	for f, name := range map[float64]string{1.5: "fraction 1.5", -0.1: "fraction -0.1"} {
		require.Equal(t, p.Text(name), "ValueError: "+a.SetMemoryFraction(f).Error())
	}
	require.NoError(t, a.SetMemoryFraction(0.5))
	require.Equal(t, 0.5, a.MemoryFraction())
	require.NoError(t, a.SetMemoryFraction(0))
	_, err := a.Malloc(4, 0)
	require.EqualError(t, err, p.Text("oom_fraction_0"))
	stats("oom")
	require.Equal(t, p.Text("summary_oom"), report.MemorySummary(a.Stats(), 0))
	a.ResetAccumulatedStats()
	stats("reset_after_oom")
}

// requireSnapshot compares a snapshot with a recorded one in every key and in
// the order of the keys, with addresses made relative to the first: a real
// process draws them at random.
func requireSnapshot(t *testing.T, want json.RawMessage, got []caching.Segment) {
	t.Helper()
	var segments []caching.Segment
	require.NoError(t, json.Unmarshal(want, &segments))
	require.Equal(t, relative(segments), relative(got))
	keys := func(data []byte) string { return string(digits.ReplaceAll(data, nil)) }
	text, err := json.Marshal(got)
	require.NoError(t, err)
	require.Equal(t, keys(spaces.ReplaceAll(want, nil)), keys(text))
}

func relative(segments []caching.Segment) []caching.Segment {
	base := segments[0].Address
	for i := range segments {
		segments[i].Address -= base
		for j := range segments[i].Blocks {
			segments[i].Blocks[j].Address -= base
		}
	}
	return segments
}

var (
	digits = regexp.MustCompile(`[0-9]`)
	spaces = regexp.MustCompile(`\s`)
)
