package torch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/site"
	"github.com/torchmem/workbook/runtime/timeline"
	"github.com/torchmem/workbook/runtime/torch"
)

// TestRecorder records a program that names things in every way.
func TestRecorder(t *testing.T) {
	m := newTorch(t)
	m.Let("before", m.Cuda.Empty(100))
	r := m.Record("a program")
	m.Cuda.RecordMemoryHistory() // its stacks have the workbook's own lines, those of the recorder do not
	model := m.NN.Linear(1000, 1000).Cuda()
	r.Statement("model = torch.nn.Linear(1000, 1000).cuda()", site.Running())
	x := m.Let("x", m.Randn(1000, 1000).Cuda())
	m.Let("same", x)
	outs := m.List("outs")
	outs.Append(model.Call(x))
	r.Statement("outs.append(model(x))", site.Running())
	x.Set(m.Randn(500, 500).Cuda())
	x.Mul(2).Drop()
	m.Cuda.RecordMemoryHistory(m.Cuda.Enabled("None")) // the recorder goes on
	x.Set(m.Randn(500, 500).Cuda())
	r.Statement("x = torch.randn(500, 500).cuda()", site.Running())
	m.Cuda.ResetPeakMemoryStats()

	got := r.Recording()
	require.Equal(t, "a program", got.Title)
	require.Equal(t, m.Cuda.TotalMemory(), got.Total)
	var names []string
	for _, b := range got.Bands() {
		names = append(names, b.Name)
	}
	require.Equal(t, []string{"", "Linear.weight", "Linear.bias", "x", "outs", "(cuBLAS)", "(cuBLASLt)", "x", "", "x"}, names)
	requireStatements(t, m, got)

	last := len(got.Events) - 1
	require.Equal(t, m.Cuda.MemoryAllocated(), got.Curves().Allocated[last])
	require.Equal(t, m.Cuda.MemoryReserved(), got.Curves().Reserved[last])
	require.Len(t, r.Snapshot().Traces[0], len(got.Events))
	for _, e := range got.Events {
		if e.Action == caching.ActionAlloc {
			require.Equal(t, "runtime/torch/recorder_test.go", e.Frames[0].Filename)
			require.Equal(t, "runtime/torch_test.TestRecorder", e.Frames[0].Name)
		}
	}

	r.Stop()
	m.Let("after", m.Cuda.Empty(100))
	require.Len(t, r.Recording().Events, last+1)
}

func requireStatements(t *testing.T, m *torch.Torch, got *timeline.Recording) {
	require.Len(t, got.Statements, 3)
	line := 0
	for _, s := range got.Statements {
		require.Equal(t, "runtime/torch/recorder_test.go", s.File)
		require.Greater(t, s.Line, line)
		line = s.Line
		require.Equal(t, got.Curves().Allocated[s.End-1], s.Allocated)
		require.Equal(t, got.Curves().Reserved[s.End-1], s.Reserved)
		require.Equal(t, got.Curves().Peak[s.End-1], s.Peak)
	}
	require.Equal(t, len(got.Events), got.Statements[2].End)
	require.Equal(t, "x = torch.randn(500, 500).cuda()", got.Statements[2].Text)
}
