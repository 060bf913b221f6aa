package caching_test

import (
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/oracle"
	"github.com/torchmem/workbook/runtime/report"
)

// poolProgram is a recording of a program with private pools. The labels of its
// rows are its statements.
type poolProgram struct {
	Program string                `json:"program"`
	Conf    string                `json:"conf"`
	Columns []string              `json:"columns"`
	Streams map[string]gpu.Stream `json:"streams"`
	Rows    []poolRow             `json:"rows"`
	// Events are those of all rows, where the rows have none.
	Events []oracle.Event `json:"events"`
	Extra  struct {
		Stats    map[string]int64  `json:"stats"`
		Summary  string            `json:"summary"`
		Snapshot []caching.Segment `json:"snapshot"`
	} `json:"extra"`
}

// poolRow is one statement: what it returned or raised, the counters after it,
// and the streams that were busy then.
type poolRow struct {
	Label    string          `json:"label"`
	Value    json.RawMessage `json:"value"`
	Raised   string          `json:"raised"`
	Counters []int64         `json:"counters"`
	Busy     []string        `json:"busy"`
	Events   []oracle.Event  `json:"events"`
}

// TestMemPools repeats every recorded program with private pools, statement by
// statement, and compares everything.
func TestMemPools(t *testing.T) {
	equal := 0
	files := filesOf(t, "testdata/oracle/programs/mempool", "*.json*")
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".gz"), func(t *testing.T) {
			p := readPoolProgram(t, file)
			r := newPoolRun(t, p)
			for i := range p.Rows {
				r.row(&p.Rows[i])
			}
			if len(p.Events) > 0 {
				r.requireEvents(p.Events, "all")
			}
			require.Equal(t, p.Extra.Stats, r.alloc.Stats().Map())
			require.Equal(t, p.Extra.Summary, report.MemorySummary(r.alloc.Stats(), 0))
			require.Equal(t, p.Extra.Snapshot, r.alloc.Snapshot())
			equal++
		})
	}
	fmt.Printf("%d of %d programs with private pools are equal\n", equal, len(files))
}

func readPoolProgram(t *testing.T, file string) *poolProgram {
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	var text io.Reader = f
	if strings.HasSuffix(file, ".gz") {
		text, err = gzip.NewReader(f)
		require.NoError(t, err)
	}
	p := new(poolProgram)
	require.NoError(t, json.NewDecoder(text).Decode(p))
	return p
}

// row runs a statement and compares.
func (r *poolRun) row(want *poolRow) {
	t := r.t
	value, err := r.statement(want.Label)
	if want.Raised != "" {
		require.Error(t, err, want.Label)
		require.Equal(t, withoutOthers(want.Raised), withoutOthers(raisedAs(err)), want.Label)
	} else {
		require.NoError(t, err, want.Label)
	}
	r.compareValue(want, value)
	stats := r.alloc.Stats().Map()
	for i, name := range r.program.Columns {
		require.Equal(t, want.Counters[i], stats[name], "%s after %q", name, want.Label)
	}
	if want.Events != nil {
		r.requireEvents(want.Events, want.Label)
	}
	r.driver.settle(want.Busy)
}

// compareValue compares what an expression is worth.
func (r *poolRun) compareValue(want *poolRow, value any) {
	if want.Value == nil {
		return
	}
	got, err := json.Marshal(value)
	require.NoError(r.t, err)
	require.JSONEq(r.t, string(want.Value), string(got), want.Label)
}

// unordered is the program in which many blocks get their events at once. In
// which order is up to PyTorch's heap, and differs from run to run.
const unordered = "unordered_deferred"

// sortCompleted puts blocks that were completed one after another in the order
// of their addresses.
func sortCompleted(events []oracle.Event) {
	for i := 0; i < len(events); i++ {
		end := i
		for end < len(events) && events[end].Action == caching.ActionFreeCompleted {
			end++
		}
		slices.SortFunc(events[i:end], func(x, y oracle.Event) int { return cmp.Compare(x.Addr, y.Addr) })
		i = end
	}
}

// raisedAs spells an error as Python shows it.
func raisedAs(err error) string {
	kind := "RuntimeError: "
	if _, ok := err.(*caching.OutOfMemoryError); ok {
		kind = "OutOfMemoryError: "
	}
	return kind + err.Error()
}

// others is the part of an OOM message that depends on the other processes on
// the recording machine.
var others = regexp.MustCompile(`of which .*memory in use\. `)

func withoutOthers(message string) string { return others.ReplaceAllString(message, "") }

// requireEvents compares one by one, so that a difference is a short text.
func (r *poolRun) requireEvents(want []oracle.Event, label string) {
	t := r.t
	t.Helper()
	got := spelled(r.newEvents())
	want = spelled(want)
	if r.program.Program == unordered {
		sortCompleted(want)
		sortCompleted(got)
	}
	for i := range min(len(want), len(got)) {
		require.Equal(t, want[i], got[i], "event %d of %q", i, label)
	}
	require.Len(t, got, len(want), label)
}

// spelled drops the free bytes of the device beside an OOM.
func spelled(events []oracle.Event) []oracle.Event {
	spelled := make([]oracle.Event, len(events))
	for i, e := range events {
		if e.Action == caching.ActionOOM {
			e.Addr = 0
		}
		spelled[i] = e
	}
	return spelled
}
