package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/report"
)

// The texts are those that the format strings of torch/cuda/memory.py give:
// "process {pid:>10d} uses {mem:>12.3f} MB GPU memory", with mem in units of
// 1024 * 1024 bytes. The first was printed by PyTorch 2.11 on an H200.
func TestGPUProcesses(t *testing.T) {
	require.Equal(t, "GPU:0\nprocess       7586 uses      612.000 MB GPU memory",
		report.GPUProcesses(0, []gpu.Process{{ID: 7586, Used: 612 << 20}}))
	require.Equal(t, "GPU:0\nno processes are running", report.GPUProcesses(0, nil))
	require.Equal(t, "GPU:3\n"+
		"process       4711 uses      546.000 MB GPU memory\n"+
		"process 1234567890 uses   143154.472 MB GPU memory",
		report.GPUProcesses(3, []gpu.Process{{ID: 4711, Used: 546 << 20}, {ID: 1234567890, Used: 150_108_344_000}}))
	require.Equal(t, "GPU:0\nprocess          1 uses        0.001 MB GPU memory",
		report.GPUProcesses(0, []gpu.Process{{ID: 1, Used: 577}}))
}
