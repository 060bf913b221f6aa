package caching_test

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
)

// tracesEnv names a folder of further recordings to replay.
const tracesEnv = "WORKBOOK_TRACES"

// trace is a recording of random operations on PyTorch's allocator.
type trace struct {
	Conf     string            `json:"conf"`
	Fraction *float64          `json:"fraction"`
	Streams  []gpu.Stream      `json:"streams"`
	Columns  []string          `json:"columns"`
	Ops      []operation       `json:"ops"`
	Events   []caching.Entry   `json:"events"`
	Segments []recordedSegment `json:"segments"`
	Stats    map[string]int64  `json:"stats"`
	Summary  string            `json:"summary"`
}

// operation is one step of a trace and the counters after it.
type operation struct {
	Op       string  `json:"op"`
	ID       int     `json:"id"`
	Bytes    int64   `json:"bytes"`
	Stream   int     `json:"stream"`
	OK       bool    `json:"ok"`
	Addr     gpu.Ptr `json:"addr"`
	Error    string  `json:"error"`
	Counters []int64 `json:"counters"`
}

// recordedSegment is the part of a snapshot that the recorder kept.
type recordedSegment struct {
	Address       gpu.Ptr         `json:"address"`
	TotalSize     int64           `json:"total_size"`
	AllocatedSize int64           `json:"allocated_size"`
	ActiveSize    int64           `json:"active_size"`
	RequestedSize int64           `json:"requested_size"`
	Stream        gpu.Stream      `json:"stream"`
	SegmentType   string          `json:"segment_type"`
	IsExpandable  bool            `json:"is_expandable"`
	Blocks        []recordedBlock `json:"blocks"`
}

type recordedBlock struct {
	Address       gpu.Ptr            `json:"address"`
	Size          int64              `json:"size"`
	RequestedSize int64              `json:"requested_size"`
	State         caching.BlockState `json:"state"`
}

// recorded reduces a snapshot to what the recordings hold.
func recorded(segments []caching.Segment) []recordedSegment {
	out := make([]recordedSegment, len(segments))
	for i, s := range segments {
		out[i] = recordedSegment{
			s.Address, s.TotalSize, s.AllocatedSize, s.ActiveSize, s.RequestedSize,
			s.Stream, s.SegmentType, s.IsExpandable, nil,
		}
		for _, b := range s.Blocks {
			out[i].Blocks = append(out[i].Blocks, recordedBlock{b.Address, b.Size, b.RequestedSize, b.State})
		}
	}
	return out
}

// traceFiles lists the recordings to replay.
func traceFiles(t *testing.T) []string {
	folder := os.Getenv(tracesEnv)
	if folder == "" {
		folder = "../../testdata/oracle/traces"
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.json.gz"))
	require.NoError(t, err)
	require.NotEmpty(t, files, "no recordings in %s", folder)
	return files
}

func readTrace(t *testing.T, file string) *trace {
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	tr := new(trace)
	require.NoError(t, json.NewDecoder(z).Decode(tr))
	return tr
}
