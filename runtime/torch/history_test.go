package torch_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/snapshot"
	"github.com/torchmem/workbook/runtime/tensor"
)

// TestRecordMemoryHistory does the same under each word that PyTorch knows.
func TestRecordMemoryHistory(t *testing.T) {
	m := newTorch(t)
	m.Cuda.RecordMemoryHistory()
	x := m.Let("x", m.Cuda.Empty(1000))
	s := m.Cuda.Snapshot()
	require.Len(t, s.Traces[0], 2)
	alloc := s.Traces[0][1]
	require.Equal(t, caching.ActionAlloc, alloc.Action)
	require.Equal(t, "runtime/torch.(*Cuda).EmptyOf", callOf(alloc.Frames, "runtime/torch/cuda.go").Name)
	require.Equal(t, alloc.Frames, s.Segments[0].Blocks[0].Frames)

	// Only the program's lines, and only two entries.
	m.Cuda.RecordMemoryHistory(m.Cuda.Stacks("python"), m.Cuda.MaxEntries(2), m.Cuda.ClearHistory())
	require.Empty(t, m.Cuda.Snapshot().Traces[0])
	x.Del()
	m.Let("x", m.Cuda.Empty(1000))
	trace := m.Cuda.Snapshot().Traces[0]
	require.Len(t, trace, 2, "the free_requested is overwritten")
	require.Equal(t, "runtime/torch_test.TestRecordMemoryHistory", trace[1].Frames[0].Name)
	require.Equal(t, "runtime/torch/history_test.go", trace[1].Frames[0].Filename)
	require.NotEqual(t, trace[0].Frames, trace[1].Frames, "a free has the stack of the free")

	m.Cuda.RecordMemoryHistory(m.Cuda.Context("alloc"), m.Cuda.ClearHistory())
	m.Let("y", m.Cuda.Empty(1000)).Del()
	trace = m.Cuda.Snapshot().Traces[0]
	require.Equal(t, trace[0].Frames, trace[1].Frames, "a free has the stack of its allocation")

	// The state of the blocks alone.
	m.Cuda.RecordMemoryHistory(m.Cuda.Enabled("state"), m.Cuda.Context("state"), m.Cuda.ClearHistory())
	m.Let("y", m.Cuda.Empty(1000))
	s = m.Cuda.Snapshot()
	require.Len(t, s.Traces[0], 1)
	require.Nil(t, s.Traces[0][0].Frames)
	require.NotEmpty(t, s.Segments[0].Blocks[1].Frames)

	m.Cuda.RecordMemoryHistory(m.Cuda.Context("None"), m.Cuda.ClearHistory())
	m.Let("z", m.Cuda.Empty(1000))
	s = m.Cuda.Snapshot()
	require.Len(t, s.Traces[0], 1)
	require.Nil(t, s.Traces[0][0].Frames)
	require.Empty(t, s.Segments[0].Blocks[2].Frames)

	m.Cuda.RecordMemoryHistory(m.Cuda.Enabled("None"))
	m.Let("w", m.Cuda.Empty(1000))
	require.Empty(t, m.Cuda.Snapshot().Traces[0])
}

// callOf returns the first frame in a file.
func callOf(frames []caching.Frame, file string) caching.Frame {
	for _, f := range frames {
		if f.Filename == file {
			return f
		}
	}
	return caching.Frame{}
}

func TestHistoryKnowsPyTorchsWords(t *testing.T) {
	m := newTorch(t)
	for want, mistake := range map[string]func(){
		"expected state to be 'state', 'all', or None":            func() { m.Cuda.RecordMemoryHistory(m.Cuda.Enabled("on")) },
		"expected context to be 'state', 'alloc', 'all', or None": func() { m.Cuda.RecordMemoryHistory(m.Cuda.Context("free")) },
		"expected stacks to be 'python', or 'all'":                func() { m.Cuda.RecordMemoryHistory(m.Cuda.Stacks("go")) },
		"max_entries is -1: it cannot be negative":                func() { m.Cuda.RecordMemoryHistory(m.Cuda.MaxEntries(-1)) },
	} {
		var raised *tensor.Error
		require.ErrorAs(t, m.Raises(mistake), &raised)
		require.Equal(t, want, raised.Text)
	}
}

func TestDumpSnapshot(t *testing.T) {
	m := newTorch(t)
	m.Cuda.RecordMemoryHistory()
	m.Let("x", m.Cuda.Empty(1000, 1000))
	file := filepath.Join(t.TempDir(), "dump_snapshot.pickle")
	require.NoError(t, m.Cuda.DumpSnapshot(file))
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	got, err := snapshot.Read(f)
	require.NoError(t, err)
	require.Equal(t, m.Cuda.Snapshot(), got)
	require.ErrorContains(t, m.Cuda.DumpSnapshot("no/such/folder/dump.pickle"), "snapshot: open no/such/folder")
}
