package report_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
	"github.com/torchmem/workbook/runtime/report"
)

// texts returns the texts that a recorded program left.
func texts(t *testing.T, name string) map[string]string {
	data, err := os.ReadFile("../../testdata/oracle/programs/" + name + ".json")
	require.NoError(t, err)
	var p struct {
		Extra map[string]string `json:"extra"`
	}
	require.NoError(t, json.Unmarshal(data, &p))
	return p.Extra
}

func newAllocator(t *testing.T) (*caching.Allocator, *sim.Driver) {
	d := sim.New(gpu.DefaultProfile())
	a, err := caching.New(d, caching.Config{})
	require.NoError(t, err)
	return a, d
}

func malloc(t *testing.T, a *caching.Allocator, size int64) *caching.Block {
	b, err := a.Malloc(size, 0)
	require.NoError(t, err)
	return b
}

// TestMemorySummary compares both forms of the table with recorded ones.
func TestMemorySummary(t *testing.T) {
	want := texts(t, "summary")
	a, _ := newAllocator(t)
	x := malloc(t, a, 4_000_000)
	malloc(t, a, 400)
	require.NoError(t, a.Free(x))
	require.Equal(t, want["summary"], report.MemorySummary(a.Stats(), 0))
	require.Equal(t, want["summary_abbr"], report.MemorySummaryAbbreviated(a.Stats(), 0))
}

// TestMemorySummaryOfLoop has values that change their unit.
func TestMemorySummaryOfLoop(t *testing.T) {
	want := texts(t, "ex1_loop_many")
	a, _ := newAllocator(t)
	var blocks []*caching.Block
	for range 100 {
		blocks = append(blocks, malloc(t, a, 4_000_000))
	}
	require.Equal(t, want["summary_full"], report.MemorySummary(a.Stats(), 0))
	// Python clears a list from its end.
	for _, b := range slices.Backward(blocks) {
		require.NoError(t, a.Free(b))
	}
	require.Equal(t, want["summary_cleared"], report.MemorySummary(a.Stats(), 0))
	require.NoError(t, a.EmptyCache())
	require.Equal(t, want["summary_empty"], report.MemorySummary(a.Stats(), 0))
}

func TestSegmentMap(t *testing.T) {
	a, d := newAllocator(t)
	require.Equal(t, "segment map: nothing is reserved\n", report.SegmentMap(a.Snapshot(), 80))

	for range 10 {
		malloc(t, a, 4_000_000)
	}
	freed := malloc(t, a, 6<<20)
	malloc(t, a, 1)
	malloc(t, a, 33<<20)
	s, err := a.NewStream()
	require.NoError(t, err)
	d.Busy(s)
	require.NoError(t, a.RecordStream(freed, s))
	require.NoError(t, a.Free(freed))
	want := `segment map: 5 segments, 96 MiB reserved, 74 MiB allocated
    reserved pool  blocks by address                     allocated
      34 MiB large [##################################]     34 MiB
      20 MiB large [~~~~~~..............]                      0 B
       2 MiB small [#.]                                      512 B
      20 MiB large [####################]                   20 MiB x 2
  # (partly) allocated  ~ waits for a stream  . cached   1 MiB a character
`
	require.Equal(t, want, report.SegmentMap(a.Snapshot(), 80))
}

// TestSegmentMapFolds keeps a map of many segments short, and within its width.
func TestSegmentMapFolds(t *testing.T) {
	a, _ := newAllocator(t)
	for range 250 {
		malloc(t, a, 4_000_000)
	}
	text := report.SegmentMap(a.Snapshot(), 80)
	require.Contains(t, text, "x 50\n")
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	require.Len(t, lines, 4, "title, columns, one line for all, legend")
	for _, l := range lines {
		require.LessOrEqual(t, len(l), 80)
	}
}
