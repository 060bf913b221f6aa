package sim

import (
	"os"

	"github.com/torchmem/workbook/runtime/gpu"
)

var _ gpu.Monitor = (*Driver)(nil)

// Processes lists this process: nobody else can see the device. It uses what it
// allocated, and what a process takes before it allocates anything.
func (d *Driver) Processes() (device int, all []gpu.Process, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return 0, []gpu.Process{{ID: os.Getpid(), Used: d.profile.ProcessMemory + d.used}}, nil
}

// MemoryBusy returns 0. The memory is bookkeeping, nothing reads or writes it, and
// work takes no time.
func (d *Driver) MemoryBusy() (percent int, err error) { return 0, nil }
