//go:build cuda

package cuda

import (
	"cmp"

	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/cuda/nvml"
)

var _ gpu.Monitor = (*Driver)(nil)

// Processes lists the processes on the GPU, as nvidia-smi does. In a container the
// numbers are those of the machine outside. It fails where NVML is not there.
func (d *Driver) Processes() (device int, all []gpu.Process, err error) {
	err = d.ask(func(m *nvml.Device) (err error) {
		if device, err = m.Index(); err != nil {
			return err
		}
		all, err = m.Processes()
		return err
	})
	return device, all, err
}

// MemoryBusy returns the percent of the last sample period in which the GPU's memory
// was being read or written. It fails where NVML is not there.
func (d *Driver) MemoryBusy() (percent int, err error) {
	err = d.ask(func(m *nvml.Device) (err error) {
		percent, err = m.MemoryBusy()
		return err
	})
	return percent, err
}

// ask opens NVML for as long as a question takes. Both libraries know the GPU by its
// UUID; their numbers differ where CUDA_VISIBLE_DEVICES hides some.
func (d *Driver) ask(question func(*nvml.Device) error) error {
	var uuid string
	err := d.do(func() error {
		id, err := d.device.UUID()
		uuid = "GPU-" + id.String()
		return d.check("cuDeviceGetUuid", err)
	})
	if err != nil {
		return err
	}
	m, err := nvml.Open(uuid)
	if err != nil {
		return err
	}
	return cmp.Or(question(m), m.Close())
}
