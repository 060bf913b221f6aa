package whatif

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/snapshot"
)

// recordedProgram is a program of tensors with PyTorch's counters and events
// after each statement.
type recordedProgram struct {
	Conf string `json:"conf"`
	Rows []struct {
		AllocatedPeak int64               `json:"allocated_peak"`
		ReservedPeak  int64               `json:"reserved_peak"`
		Mallocs       int64               `json:"num_device_alloc"`
		Frees         int64               `json:"num_device_free"`
		Retries       int64               `json:"num_alloc_retries"`
		Events        [][]json.RawMessage `json:"events"`
	} `json:"rows"`
}

func readProgram(t *testing.T, name string) (p recordedProgram) {
	b, err := os.ReadFile(filepath.Join("../../../testdata/oracle/programs", name+".json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(b, &p))
	return p
}

// page is what memory is mapped by in expandable segments, at least.
const page = 2 << 20

// snapshot is the program's history. The segments at its end are not recorded;
// those that expand follow from the events, page by page.
func (p recordedProgram) snapshot(t *testing.T) *snapshot.Snapshot {
	cfg, err := caching.ParseConfig(p.Conf)
	require.NoError(t, err)
	var trace []snapshot.Event
	mapped := map[gpu.Ptr]gpu.Stream{}
	for _, row := range p.Rows {
		for _, e := range row.Events {
			require.Len(t, e, 4)
			entry := caching.Entry{
				Action: decoded[caching.Action](t, e[0]), Size: decoded[int64](t, e[1]),
				Addr: decoded[gpu.Ptr](t, e[2]), Stream: decoded[gpu.Stream](t, e[3]),
			}
			trace = append(trace, snapshot.Event{Entry: entry})
			for at := entry.Addr; at < entry.Addr+gpu.Ptr(entry.Size); at += page {
				switch entry.Action {
				case caching.ActionSegmentMap:
					mapped[at] = entry.Stream
				case caching.ActionSegmentUnmap:
					delete(mapped, at)
				}
			}
		}
	}
	var segments []caching.Segment
	for at, stream := range mapped {
		segments = append(segments, caching.Segment{Address: at, TotalSize: page, Stream: stream, IsExpandable: true})
	}
	return &snapshot.Snapshot{
		Segments: segments,
		Traces:   [][]snapshot.Event{trace},
		Settings: &snapshot.Settings{Conf: p.Conf, MaxSplitSize: -1, ExpandableSegments: cfg.ExpandableSegments},
	}
}

func decoded[T any](t *testing.T, text json.RawMessage) (v T) {
	require.NoError(t, json.Unmarshal(text, &v))
	return v
}

// counted is what PyTorch needed for the program.
func (p recordedProgram) counted() Result {
	last := p.Rows[len(p.Rows)-1]
	r := Result{Mallocs: last.Mallocs, Frees: last.Frees, Retries: last.Retries, FailedAt: none, LeftAt: none}
	for _, row := range p.Rows {
		r.PeakAllocated = max(r.PeakAllocated, row.AllocatedPeak)
		r.PeakReserved = max(r.PeakReserved, row.ReservedPeak)
	}
	return r
}

// TestOtherSettingsEqualPyTorch has programs that PyTorch ran twice, with and
// without expandable segments. The history of each run, replayed under the
// settings of the other, needs what the other run needed.
func TestOtherSettingsEqualPyTorch(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/oracle/programs/expandable_*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		expanding := strings.TrimSuffix(filepath.Base(file), ".json")
		fixed := strings.TrimPrefix(expanding, "expandable_")
		for from, to := range map[string]string{expanding: fixed, fixed: expanding} {
			other := readProgram(t, to)
			cfg, err := caching.ParseConfig(other.Conf)
			require.NoError(t, err)
			got, err := studyOf(t, readProgram(t, from).snapshot(t)).under(t.Context(), other.Conf, cfg, noLimit)
			require.NoError(t, err)
			got.Idle = 0 // PyTorch has no counter for it
			require.Equal(t, other.counted(), got, "%s from the history of %s", to, from)
		}
	}
}
