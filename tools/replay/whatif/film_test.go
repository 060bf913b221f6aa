package whatif

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/snapshot"
)

// rowsOf reads what -json prints.
func rowsOf(t *testing.T, text string) (rows []map[string]any) {
	for line := range strings.Lines(text) {
		row := map[string]any{}
		require.NoError(t, json.Unmarshal([]byte(line), &row))
		rows = append(rows, row)
	}
	return rows
}

// TestSnapshotOfAReplay writes what a recording would have been under other
// settings, and replays that as it is: it needs what the replay needed.
func TestSnapshotOfAReplay(t *testing.T) {
	for _, name := range []string{"late", "ring", "tiny_all", "split", "expandable", "record_stream", "late_train", "pow2"} {
		for _, conf := range append(three, "") {
			file := filepath.Join(t.TempDir(), "replay.pickle")
			rows := rowsOf(t, run(t, Options{File: recording(name), Confs: []string{conf}, JSON: true, Snapshot: file}))
			want := rows[len(rows)-1]
			got := rowsOf(t, run(t, Options{File: file, JSON: true}))[0]
			for _, key := range []string{"peak_allocated_bytes", "peak_reserved_bytes", "idle_bytes", "num_device_alloc", "num_device_free"} {
				require.Equal(t, want[key], got[key], "%s under %q: %s", name, conf, key)
			}
			require.Equal(t, conf, got["alloc_conf"])
		}
	}
}

// TestFilmsKeepWhatWasRecorded looks at the stacks, times and addresses of a
// replay's events.
func TestFilmsKeepWhatWasRecorded(t *testing.T) {
	before := readSnapshot(t, "tiny_all")
	file := filepath.Join(t.TempDir(), "replay.pickle")
	run(t, Options{File: recording("tiny_all"), Confs: []string{expandable}, Snapshot: file})
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	after, err := snapshot.Read(f)
	require.NoError(t, err)
	recorded := map[int64]snapshot.Event{}
	for _, e := range before.Traces[0] {
		if e.Action == "alloc" {
			recorded[e.TimeUS] = e
		}
	}
	allocations := 0
	for _, e := range after.Traces[0] {
		if e.Action != "alloc" {
			continue
		}
		allocations++
		was, ok := recorded[e.TimeUS]
		require.True(t, ok)
		require.Equal(t, was.Frames, e.Frames)
		require.Less(t, e.Addr, gpu.Ptr(1<<53), "an address that a browser cannot tell from its neighbour")
	}
	require.Greater(t, allocations, 1000)
	require.True(t, after.Settings.ExpandableSegments)
}

func TestPageOfReplays(t *testing.T) {
	file := filepath.Join(t.TempDir(), "replays.html")
	run(t, Options{File: recording("late"), Confs: three, HTML: file})
	page, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(page), "as recorded: the default settings")
	for _, conf := range three {
		require.Contains(t, string(page), "under "+conf)
	}
}

// TestPageUnderALimit says what the limit is, and what did not fit.
func TestPageUnderALimit(t *testing.T) {
	file := filepath.Join(t.TempDir(), "replays.html")
	run(t, Options{File: recording("tiny_all"), Confs: []string{expandable}, Limit: 200 << 20, HTML: file})
	page, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(page), "as recorded: the default settings, within 209,715,200 bytes; fails at event 1,073: alloc of 4,194,304 bytes in forward (linear.py:134)")
	require.Contains(t, string(page), "under expandable_segments:True, within 209,715,200 bytes; fails at event 1,201: ")
}

// TestPicturesAreWhole or are not there.
func TestPicturesAreWhole(t *testing.T) {
	file := filepath.Join(t.TempDir(), "replays.html")
	for _, o := range []Options{
		{HTML: file, Snapshot: "no/such/folder/out.pickle"},
		{HTML: file, Snapshot: file},
	} {
		o.File = recording("late")
		require.Error(t, Run(context.Background(), o, &strings.Builder{}, nil))
		require.NoFileExists(t, file)
	}
	var wrong *MisuseError
	err := Run(context.Background(), Options{File: recording("late"), HTML: file, Snapshot: file}, &strings.Builder{}, nil)
	require.ErrorAs(t, err, &wrong)
	require.ErrorContains(t, err, "-html and -snapshot name the same file")
}

func TestPicturesThatCannotBe(t *testing.T) {
	o := Options{File: recording("late"), Snapshot: "no/such/folder/out.pickle"}
	require.ErrorContains(t, Run(context.Background(), o, &strings.Builder{}, nil), "no/such/folder")
	o = Options{File: recording("late"), HTML: "no/such/folder/out.html"}
	require.ErrorContains(t, Run(context.Background(), o, &strings.Builder{}, nil), "no/such/folder")
	file := filepath.Join(t.TempDir(), "out.pickle")
	o = Options{File: recording("late"), Snapshot: file, Confs: []string{expandable}, Limit: 1 << 20}
	require.ErrorContains(t, Run(context.Background(), o, &strings.Builder{}, nil),
		"under expandable_segments:True not even the blocks at the start fit: there is no snapshot of that")
}
