package whatif

import (
	"compress/gzip"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/snapshot"
)

// Further recordings are replayed with
//
//	go test ./tools/replay/whatif -run TestTraces -traces FOLDER
var tracesFolder = flag.String("traces", "testdata/oracle/traces", "replay the traces in this `FOLDER`")

// traceFiles lists the folder that the flag names. Tests run in the folder of
// their package, people name folders from the root of the project.
func traceFiles(t *testing.T) []string {
	folder := *tracesFolder
	if _, err := os.Stat(folder); err != nil && !filepath.IsAbs(folder) {
		folder = filepath.Join("../../..", folder)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.json.gz"))
	require.NoError(t, err)
	require.NotEmpty(t, files, "no recordings in %s", folder)
	return files
}

// trace is a recording of random operations with PyTorch's counters after each.
// Its events are a history without stacks.
type trace struct {
	Conf     string            `json:"conf"`
	Columns  []string          `json:"columns"`
	Events   []caching.Entry   `json:"events"`
	Segments []caching.Segment `json:"segments"`
	Stats    map[string]int64  `json:"stats"`
	Ops      []struct {
		Counters []int64 `json:"counters"`
	} `json:"ops"`
}

func readTrace(t *testing.T, file string) *trace {
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	tr := &trace{}
	require.NoError(t, json.NewDecoder(z).Decode(tr))
	return tr
}

// snapshot is what torch.cuda.memory._snapshot would have returned.
func (tr *trace) snapshot(t *testing.T) *snapshot.Snapshot {
	cfg, err := caching.ParseConfig(tr.Conf)
	require.NoError(t, err)
	events := make([]snapshot.Event, len(tr.Events))
	for i, e := range tr.Events {
		events[i].Entry = e
	}
	return &snapshot.Snapshot{
		Segments: tr.Segments, Traces: [][]snapshot.Event{events},
		Settings: &snapshot.Settings{
			Conf: tr.Conf, MaxSplitSize: tr.Stats["max_split_size"], ExpandableSegments: cfg.ExpandableSegments,
			GarbageCollectionThreshold: cfg.GarbageCollectionThreshold, RoundupDivisions: cfg.RoundupDivisions,
		},
	}
}

// most returns the highest value of a counter. The recorder resets the peaks
// now and then.
func (tr *trace) most(name string) (n int64) {
	for i, c := range tr.Columns {
		if c == name {
			for _, op := range tr.Ops {
				n = max(n, op.Counters[i])
			}
		}
	}
	return n
}

// TestTraces replays random programs of which nothing is known but the events:
// no stacks, no limit. All that PyTorch counted comes out.
func TestTraces(t *testing.T) {
	for _, file := range traceFiles(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			tr := readTrace(t, file)
			_, got := follow(t, studyOf(t, tr.snapshot(t)), nil)
			require.Equal(t, Result{
				PeakAllocated: tr.most("allocated_bytes.all.peak"),
				PeakReserved:  tr.most("reserved_bytes.all.peak"),
				Idle:          got.Idle,
				Mallocs:       tr.Stats["num_device_alloc"],
				Frees:         tr.Stats["num_device_free"],
				Retries:       tr.Stats["num_alloc_retries"],
				FailedAt:      none, LeftAt: none,
			}, got)
		})
	}
}
