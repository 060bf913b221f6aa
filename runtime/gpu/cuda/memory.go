//go:build cuda

package cuda

import (
	"fmt"

	"gorgonia.org/cu"

	"github.com/torchmem/workbook/runtime/gpu"
)

// Malloc takes size bytes of device memory, as cudaMalloc does. It fails with
// [gpu.ErrOutOfMemory] when the device has no room for them. The driver counts
// in pages of 2 MiB, so a small request takes more than it asks for, and two
// small ones may share a page.
func (d *Driver) Malloc(size int64) (p gpu.Ptr, err error) {
	if size <= 0 {
		return 0, fmt.Errorf("malloc of %d bytes", size)
	}
	err = d.do(func() error {
		at, err := cu.MemAlloc(size)
		if err != nil {
			return d.noMemory(size, d.check("cuMemAlloc", err))
		}
		p = gpu.Ptr(at)
		d.live[p] = size
		return nil
	})
	return p, err
}

// noMemory says how much was asked for and how much there was.
func (d *Driver) noMemory(size int64, err error) error {
	free, _, infoErr := cu.MemInfo()
	if infoErr != nil {
		return err
	}
	return fmt.Errorf("%d bytes with %d free: %w", size, free, err)
}

// Free gives back what Malloc returned, once the GPU is done with it. Any other
// address is an error.
func (d *Driver) Free(p gpu.Ptr) error {
	return d.do(func() error {
		if _, ok := d.live[p]; !ok {
			return fmt.Errorf("free of %#x: not an address that malloc returned", uint64(p))
		}
		delete(d.live, p)
		return d.check("cuMemFree", cu.MemFree(cu.DevicePtr(p)))
	})
}
