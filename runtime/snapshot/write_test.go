package snapshot_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/snapshot"
)

// TestWrittenAgainIsTheSameToPython reads each recording, writes it again, and
// asks Python whether both files hold the same.
func TestWrittenAgainIsTheSameToPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 on this machine: it is what reads the files")
	}
	files, err := filepath.Glob("../../testdata/oracle/snapshots/*.pickle.gz")
	require.NoError(t, err)
	require.Greater(t, len(files), 40)
	folder := t.TempDir()
	for _, file := range files {
		before, err := os.ReadFile(file)
		require.NoError(t, err)
		s, err := snapshot.Read(unpacked(t, before))
		require.NoError(t, err)
		var after bytes.Buffer
		require.NoError(t, snapshot.Write(&after, s))
		again, err := snapshot.Read(&after)
		require.NoError(t, err)
		require.Equal(t, s, again, file)
		out, err := os.Create(filepath.Join(folder, filepath.Base(file)))
		require.NoError(t, err)
		require.NoError(t, snapshot.Write(out, s))
		require.NoError(t, out.Close())
	}
	out, err := exec.Command(python, append([]string{"testdata/same.py", folder}, files...)...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "the same")
}

func unpacked(t *testing.T, packed []byte) io.Reader {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	require.NoError(t, err)
	return r
}

// TestWritesFewSteps makes sure that what is written has only the steps that
// PyTorch's page knows.
func TestWritesFewSteps(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 on this machine: its pickletools tell the steps")
	}
	file := filepath.Join(t.TempDir(), "odd.pickle")
	out, err := os.Create(file)
	require.NoError(t, err)
	require.NoError(t, snapshot.Write(out, odd()))
	require.NoError(t, out.Close())
	said, err := exec.Command(python, "testdata/steps.py", file).CombinedOutput()
	require.NoError(t, err, "%s", said)
}

// odd is a snapshot with long lists, odd texts, and numbers of every length.
func odd() *snapshot.Snapshot {
	s := &snapshot.Snapshot{Settings: snapshot.SettingsOf(caching.Config{MaxSplitSize: 30 << 20})}
	stack := []caching.Frame{
		{Filename: "</script>.go", Line: 1 << 20, Name: "main.\x00\"'<b>\u2028\xff"},
		{Filename: string(bytes.Repeat([]byte("long/"), 100)), Line: 255, Name: "ä"},
	}
	var events []snapshot.Event
	for i := range 2500 {
		e := snapshot.Event{TimeUS: int64(i), Frames: stack}
		e.Action, e.Addr, e.Size, e.Stream = caching.ActionAlloc, 1<<46+512, int64(1)<<(i%63), 1<<63
		events = append(events, e)
	}
	oom := snapshot.Event{}
	oom.Action, oom.Addr, oom.Size = caching.ActionOOM, 65535, 65536
	s.Traces = [][]snapshot.Event{append(events, oom), {}}
	s.Segments = []caching.Segment{{
		Address: 1 << 46, TotalSize: 2 << 20, SegmentType: "small", SegmentPoolID: caching.PoolID{0, 300}, Frames: stack,
		Blocks: []caching.BlockRecord{{Address: 1 << 46, Size: 2 << 20, State: caching.Inactive}},
	}}
	s.Annotations = []snapshot.Annotation{{Stage: "START", Name: "step", TimeUS: 1 << 50}}
	return s
}

func TestWriteTellsTheWritersError(t *testing.T) {
	full := errors.New("no space left")
	err := snapshot.Write(failing{full}, odd())
	require.ErrorIs(t, err, full)
	require.EqualError(t, err, "snapshot: no space left")
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
