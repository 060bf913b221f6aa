package torch

import (
	"errors"
	"fmt"

	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/report"
)

// errNoMonitor stands where PyTorch says that nvidia-ml-py, its way to NVML, is
// not installed.
var errNoMonitor = errors.New("the GPU's driver cannot be asked: NVML does not seem to be installed or it can't be loaded")

// ListGPUProcesses is torch.cuda.list_gpu_processes(): a text that lists the
// processes on the GPU and the memory of each. On a simulated GPU this program is
// the only one. Where the driver cannot tell, the text says so, as in PyTorch.
func (c *Cuda) ListGPUProcesses() string {
	m, err := c.monitor()
	if err != nil {
		return err.Error()
	}
	device, all, err := m.Processes()
	if err != nil {
		return err.Error()
	}
	return report.GPUProcesses(device, all)
}

// MemoryUsage is torch.cuda.memory_usage(). It counts no bytes: it is the percent
// of the time, over the last sample period of the GPU, in which its memory was
// being read or written. A simulated GPU does its work in no time, so it answers 0,
// as a GPU does that rests. It is an error that the driver cannot tell.
func (c *Cuda) MemoryUsage() (percent int, err error) {
	m, err := c.monitor()
	if err != nil {
		return 0, fmt.Errorf("memory_usage: %w", err)
	}
	if percent, err = m.MemoryBusy(); err != nil {
		return 0, fmt.Errorf("memory_usage: %w", err)
	}
	return percent, nil
}

func (c *Cuda) monitor() (gpu.Monitor, error) {
	m, ok := gpu.MonitorOf(c.driver)
	if !ok {
		return nil, errNoMonitor
	}
	return m, nil
}
