package grade

import (
	"fmt"

	"github.com/torchmem/workbook/runtime/device"
	"github.com/torchmem/workbook/runtime/gpu"
)

// Ready returns nil if there is a device to grade on. The error, one line, is about
// the machine or about how the program was built: it is nobody's failure at a task.
func Ready() error {
	name := device.Chosen()
	if name == device.Sim {
		return nil
	}
	d, err := device.Open(name, gpu.DefaultProfile())
	if err == nil {
		err = device.Close(d)
	}
	if err != nil {
		return fmt.Errorf("nothing is graded: %s names the device, and %w", device.Variable, err)
	}
	return nil
}
