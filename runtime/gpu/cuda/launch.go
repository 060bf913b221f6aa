//go:build cuda

package cuda

import (
	"fmt"
	"unsafe"

	"gorgonia.org/cu"

	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/cuda/kernels"
)

// Launch queues a kernel. It may take several launches of the GPU, which run
// one after the other.
func (d *Driver) Launch(k gpu.Kernel, s gpu.Stream) error {
	steps, err := kernels.Plan(k) // may read host numbers, so not on the thread
	if err != nil {
		return err
	}
	return d.do(func() error {
		stream, err := d.stream(s)
		if err != nil {
			return fmt.Errorf("launch of %s on %w", k.Name, err)
		}
		for _, step := range steps {
			if err := d.launch(step, stream); err != nil {
				return err
			}
		}
		return nil
	})
}

// launch starts one function. Every argument is a word of 8 bytes, which is
// what cu reads.
func (d *Driver) launch(step kernels.Step, s cu.Stream) error {
	f, ok := d.functions[step.Function]
	if !ok {
		return fmt.Errorf("the kernels have no function %q", step.Function)
	}
	arguments := make([]unsafe.Pointer, len(step.Words))
	for i := range step.Words {
		arguments[i] = unsafe.Pointer(&step.Words[i])
	}
	grid, block := step.Grid, step.Block
	err := f.Launch(grid[0], grid[1], grid[2], block[0], block[1], block[2], step.Shared, s, arguments)
	return d.check("launch of "+step.Function, err)
}
