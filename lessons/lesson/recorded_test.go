package lesson

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRecordingIsWhatTheRowsSay reads a recording back from its file.
func TestRecordingIsWhatTheRowsSay(t *testing.T) {
	file := filepath.Join(t.TempDir(), "recording.json")
	status, _, errs := run(oneTensor, "-json", "-recording", file)
	require.Zero(t, status, errs)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var r Recorded
	require.NoError(t, json.Unmarshal(text, &r), "one program is one object")
	require.Equal(t, "first", r.Program)
	require.Equal(t, "one tensor (first)", r.Recording.Title)
	c := r.Recording.Curves()
	require.Len(t, r.Recording.Statements, 2)
	for i, allocated := range []int64{4000256, 0} {
		s := r.Recording.Statements[i]
		require.Equal(t, allocated, s.Allocated)
		require.Equal(t, allocated, c.Allocated[s.End-1])
	}
	require.Equal(t, "x", r.Recording.Bands()[0].Name)
}

func TestRecordingThatCannotBeWritten(t *testing.T) {
	status, page, errs := run(oneTensor, "-recording", "no/such/folder/file")
	require.Equal(t, 1, status)
	require.NotContains(t, page, "What to notice")
	require.Contains(t, errs, "lesson 99: recording: open no/such/folder/file")
}
