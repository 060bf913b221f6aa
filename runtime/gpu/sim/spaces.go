package sim

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/torchmem/workbook/runtime/gpu"
)

// # How cuMemAddressReserve chooses an address
//
// Ranges ascend from a fixed address, in multiples of 32 MiB. A request gets
// the lowest gap that fits. These addresses are the same in every process.

// firstSpace is where the lowest range begins.
const firstSpace gpu.Ptr = 0x302000000

// skippedSpace is a range that the recorded driver never handed out.
var skippedSpace = span{1 << 40, 64 * mib}

// spaces is all that Reserve manages: the taken ranges, by address.
type spaces struct{ taken []span }

func newSpaces() spaces { return spaces{taken: []span{skippedSpace}} }

// Reserve takes a range of addresses without memory.
func (d *Driver) Reserve(size int64) (gpu.Ptr, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if size <= 0 {
		return 0, fmt.Errorf("reserve of %d bytes", size)
	}
	return d.spaces.take(size), nil
}

// Release gives back what Reserve returned.
func (d *Driver) Release(p gpu.Ptr) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.spaces.taken, func(s span) bool { return s.at == p && s != skippedSpace })
	if i < 0 {
		return fmt.Errorf("release of %#x: not an address that reserve returned", uint64(p))
	}
	d.spaces.taken = slices.Delete(d.spaces.taken, i, i+1)
	return nil
}

// Map gives memory to a part of a reserved range.
func (d *Driver) Map(p gpu.Ptr, size int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.spaces.contain(span{p, size}) {
		return fmt.Errorf("map of %d bytes at %#x: not reserved", size, uint64(p))
	}
	return d.takeBytes(size)
}

// Unmap takes the memory of a part away again.
func (d *Driver) Unmap(p gpu.Ptr, size int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.spaces.contain(span{p, size}) {
		return fmt.Errorf("unmap of %d bytes at %#x: not reserved", size, uint64(p))
	}
	d.used -= size
	return nil
}

// take finds the lowest gap for size bytes.
func (s *spaces) take(size int64) gpu.Ptr {
	size = (size + chunkUnit - 1) / chunkUnit * chunkUnit
	at := firstSpace
	for _, t := range s.taken {
		if at+gpu.Ptr(size) <= t.at {
			break
		}
		at = t.end()
	}
	i, _ := slices.BinarySearchFunc(s.taken, at, func(t span, at gpu.Ptr) int { return cmp.Compare(t.at, at) })
	s.taken = slices.Insert(s.taken, i, span{at, size})
	return at
}

func (s *spaces) contain(part span) bool {
	return slices.ContainsFunc(s.taken, func(t span) bool {
		return t != skippedSpace && t.at <= part.at && part.end() <= t.end()
	})
}
