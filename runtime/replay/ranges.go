package replay

import (
	"fmt"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
)

// A log does not show where a range of addresses was reserved, but where the
// first memory was mapped into it: at its start.

// addressRange is one reserved range.
type addressRange struct {
	at   gpu.Ptr
	size int64
	// sim is where the simulated driver has it, which keeps the books.
	sim gpu.Ptr
}

func (r addressRange) contains(p gpu.Ptr) bool { return p-r.at < gpu.Ptr(r.size) }

// Reserve returns the address that memory is mapped to next.
func (d *Driver) Reserve(size int64) (gpu.Ptr, error) {
	p, err := d.Driver.Reserve(size)
	if err != nil {
		return 0, err
	}
	r := addressRange{p, size, p}
	if d.next < len(d.log) {
		if e := d.nextMap(); e.Addr != 0 && d.rangeOf(e.Addr) == nil {
			r.at = e.Addr
		}
	}
	d.ranges = append(d.ranges, r)
	return r.at, nil
}

// nextMap returns the next map in the log, if nothing but finished frees lies
// before it.
func (d *Driver) nextMap() caching.Entry {
	for _, e := range d.log[d.next:] {
		switch e.Action {
		case caching.ActionFreeCompleted:
		case caching.ActionSegmentMap:
			return e
		default:
			return caching.Entry{}
		}
	}
	return caching.Entry{}
}

func (d *Driver) rangeOf(p gpu.Ptr) *addressRange {
	for i := range d.ranges {
		if d.ranges[i].contains(p) {
			return &d.ranges[i]
		}
	}
	return nil
}

// Release gives back what Reserve returned.
func (d *Driver) Release(p gpu.Ptr) error {
	for i, r := range d.ranges {
		if r.at == p {
			d.ranges = append(d.ranges[:i], d.ranges[i+1:]...)
			return d.Driver.Release(r.sim)
		}
	}
	return fmt.Errorf("release of %#x: not reserved", uint64(p))
}

// Map gives memory to a part of a range, as the recording shows.
func (d *Driver) Map(p gpu.Ptr, size int64) error {
	r := d.rangeOf(p)
	if r == nil {
		return fmt.Errorf("map of %#x: not reserved", uint64(p))
	}
	if _, err := d.expect(caching.ActionSegmentMap, size); err != nil {
		return err
	}
	return d.Driver.Map(r.sim+(p-r.at), size)
}

// Unmap takes the memory of a part away again.
func (d *Driver) Unmap(p gpu.Ptr, size int64) error {
	r := d.rangeOf(p)
	if r == nil {
		return fmt.Errorf("unmap of %#x: not reserved", uint64(p))
	}
	d.pass(caching.ActionSegmentUnmap)
	return d.Driver.Unmap(r.sim+(p-r.at), size)
}
