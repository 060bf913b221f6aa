//go:build cuda

package cuda

import (
	"cmp"
	"fmt"
	"slices"

	"gorgonia.org/cu"

	"github.com/torchmem/workbook/runtime/gpu"
)

// pageSize is how many bytes of device memory get an address together. It is
// the least that a GPU can do, so that any part of a range can be unmapped.
const pageSize = 2 << 20

// space is a reserved range of addresses with the pages that are mapped in it.
type space struct {
	at    gpu.Ptr
	size  int64
	pages map[gpu.Ptr]page
}

// Reserve takes a range of addresses without memory.
func (d *Driver) Reserve(size int64) (p gpu.Ptr, err error) {
	if size <= 0 || size%pageSize != 0 {
		return 0, fmt.Errorf("reserve of %d bytes: not a multiple of 2 MiB", size)
	}
	err = d.do(func() error {
		if err := d.canMap(); err != nil {
			return err
		}
		if p, err = reserveAddresses(size); err != nil {
			return d.check("cuMemAddressReserve", err)
		}
		d.spaces = append(d.spaces, &space{p, size, map[gpu.Ptr]page{}})
		return nil
	})
	return p, err
}

// canMap says so when the device cannot map memory in pages of this size.
func (d *Driver) canMap() error {
	least, err := granularity(int(d.device))
	if err != nil {
		return d.check("cuMemGetAllocationGranularity", err)
	}
	if pageSize%least != 0 {
		return fmt.Errorf("this GPU maps memory in pieces of %d bytes, not of 2 MiB", least)
	}
	return nil
}

// Release gives back what Reserve returned. It is an error while memory is
// mapped there.
func (d *Driver) Release(p gpu.Ptr) error {
	return d.do(func() error {
		i := slices.IndexFunc(d.spaces, func(s *space) bool { return s.at == p })
		if i < 0 {
			return fmt.Errorf("release of %#x: not an address that reserve returned", uint64(p))
		}
		if n := len(d.spaces[i].pages); n > 0 {
			return fmt.Errorf("release of %#x: %d bytes are still mapped", uint64(p), n*pageSize)
		}
		if err := d.check("cuMemAddressFree", freeAddresses(p, d.spaces[i].size)); err != nil {
			return err
		}
		d.spaces = slices.Delete(d.spaces, i, i+1)
		return nil
	})
}

// Map gives memory to a part of a reserved range: all of it, or none.
func (d *Driver) Map(p gpu.Ptr, size int64) error {
	return d.do(func() error {
		s, err := d.part("map", p, size)
		if err != nil {
			return err
		}
		if s.mapped(p, size) > 0 {
			return fmt.Errorf("map of %d bytes at %#x: some are mapped already", size, uint64(p))
		}
		if free, _, err := cu.MemInfo(); err == nil && size > free {
			return d.noMemory(size, gpu.ErrOutOfMemory)
		}
		if err := d.fill(s, p, size); err != nil {
			return cmp.Or(err, d.clear(s, p, size))
		}
		return nil
	})
}

// Unmap takes the memory of a part away again, when the GPU is done with it.
// All of the part is mapped.
func (d *Driver) Unmap(p gpu.Ptr, size int64) error {
	return d.do(func() error {
		s, err := d.part("unmap", p, size)
		if err != nil {
			return err
		}
		if s.mapped(p, size) < size {
			return fmt.Errorf("unmap of %d bytes at %#x: not all are mapped", size, uint64(p))
		}
		if err := d.synchronize(); err != nil {
			return err
		}
		return d.clear(s, p, size)
	})
}

// part finds the space that a part lies in.
func (d *Driver) part(verb string, p gpu.Ptr, size int64) (*space, error) {
	if size <= 0 || size%pageSize != 0 || p%pageSize != 0 {
		return nil, fmt.Errorf("%s of %d bytes at %#x: not in multiples of 2 MiB", verb, size, uint64(p))
	}
	for _, s := range d.spaces {
		if s.at <= p && p+gpu.Ptr(size) <= s.at+gpu.Ptr(s.size) {
			return s, nil
		}
	}
	return nil, fmt.Errorf("%s of %d bytes at %#x: not reserved", verb, size, uint64(p))
}

// mapped returns how many bytes of a part are mapped.
func (s *space) mapped(p gpu.Ptr, size int64) (bytes int64) {
	for at := p; at < p+gpu.Ptr(size); at += pageSize {
		if _, ok := s.pages[at]; ok {
			bytes += pageSize
		}
	}
	return bytes
}

// fill maps pages until the part is full.
func (d *Driver) fill(s *space, p gpu.Ptr, size int64) error {
	for at := p; at < p+gpu.Ptr(size); at += pageSize {
		h, err := createPage(pageSize, int(d.device))
		if err != nil {
			return d.noMemory(size, d.check("cuMemCreate", err))
		}
		if err := d.check("cuMemMap", h.mapAt(at, pageSize)); err != nil {
			return cmp.Or(err, d.check("cuMemRelease", h.release()))
		}
		s.pages[at] = h
	}
	return d.check("cuMemSetAccess", openPages(p, size, int(d.device)))
}

// clear unmaps and releases the pages of a part.
func (d *Driver) clear(s *space, p gpu.Ptr, size int64) error {
	for at := p; at < p+gpu.Ptr(size); at += pageSize {
		h, ok := s.pages[at]
		if !ok {
			continue
		}
		if err := d.check("cuMemUnmap", unmapPages(at, pageSize)); err != nil {
			return err
		}
		delete(s.pages, at)
		if err := d.check("cuMemRelease", h.release()); err != nil {
			return err
		}
	}
	return nil
}

// closeSpaces gives back every page and every range.
func (d *Driver) closeSpaces() error {
	for _, s := range d.spaces {
		if err := d.clear(s, s.at, s.size); err != nil {
			return err
		}
		if err := d.check("cuMemAddressFree", freeAddresses(s.at, s.size)); err != nil {
			return err
		}
	}
	d.spaces = nil
	return nil
}
