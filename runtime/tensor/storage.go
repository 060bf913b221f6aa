package tensor

import (
	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/site"
)

// Storage is a piece of device or host memory that tensors show.
type Storage struct {
	device  *Device
	ptr     gpu.Ptr
	block   *caching.Block // nil on the CPU, and for no bytes
	size    int64
	tensors int
	version int
	site    site.Site
}

// newStorage takes size bytes on the device.
func newStorage(d *Device, size int64) *Storage {
	ptr, block := d.take(size)
	return &Storage{device: d, ptr: ptr, block: block, size: size, site: site.Here()}
}

// Size returns the bytes that were requested.
func (s *Storage) Size() int64 { return s.size }

// Tensors returns how many tensors show the storage.
func (s *Storage) Tensors() int { return s.tensors }

// Version counts the changes in place.
func (s *Storage) Version() int { return s.version }

// Block returns the allocator's block, or nil on the CPU.
func (s *Storage) Block() *caching.Block { return s.block }

// Site returns where in the program the storage was made.
func (s *Storage) Site() site.Site { return s.site }

// release takes one tensor away and gives the memory back after the last.
func (s *Storage) release() {
	s.tensors--
	if s.tensors > 0 {
		return
	}
	s.device.compute.Discard(s.ptr)
	s.device.memory.give(s.block)
}
