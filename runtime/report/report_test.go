package report_test

import (
	"encoding/json"
	"os"
	"slices"
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
