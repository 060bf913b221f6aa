package report

import (
	"fmt"
	"strings"

	"github.com/torchmem/workbook/runtime/gpu"
)

// GPUProcesses returns the text of torch.cuda.list_gpu_processes, to the
// character. It has no newline at its end, and its MB are MiB.
func GPUProcesses(device int, all []gpu.Process) string {
	lines := []string{fmt.Sprintf("GPU:%d", device)}
	if len(all) == 0 {
		lines = append(lines, "no processes are running")
	}
	for _, p := range all {
		lines = append(lines, fmt.Sprintf("process %10d uses %12.3f MB GPU memory", p.ID, float64(p.Used)/(1<<20)))
	}
	return strings.Join(lines, "\n")
}
