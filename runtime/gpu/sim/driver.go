// Package sim is a GPU driver without a GPU.
//
// It keeps the books of a real driver and nothing more: which addresses are
// taken, how many bytes are left, which streams still work. A program above it
// cannot tell that no silicon answers.
//
// # Addresses
//
// Where the driver puts a segment decides ties between equal cached blocks, so
// it decides counters. The rules of [Driver.Malloc] were read off recordings of
// a real driver; chunks.go tells them. The absolute address is random in a real
// process and fixed here, so that every run prints the same.
//
// # Time
//
// A simulated stream finishes its work at once. To see what happens while a
// stream is busy, hold it with [Driver.Busy], as torch.cuda._sleep does, and
// let it go with [Driver.Idle].
package sim

import (
	"fmt"
	"sync"

	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/host"
)

// Driver is one simulated GPU in one process. It is safe for concurrent use.
type Driver struct {
	mu      sync.Mutex
	profile gpu.Profile
	// used is what Malloc and Map handed out, in bytes.
	used    int64
	started bool
	chunks  arena
	spaces  spaces
	queues  queues
	// Machine is the arithmetic: the driver's Compute part.
	*host.Machine
}

// New starts a device that nobody has used yet.
func New(profile gpu.Profile) *Driver {
	return &Driver{profile: profile, chunks: newArena(), spaces: newSpaces(), queues: newQueues(), Machine: host.New()}
}

// Profile describes the device.
func (d *Driver) Profile() gpu.Profile { return d.profile }

// Malloc takes size bytes, as cudaMalloc does. It fails with
// [gpu.ErrOutOfMemory] when the device has no room for them.
func (d *Driver) Malloc(size int64) (gpu.Ptr, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if size <= 0 {
		return 0, fmt.Errorf("malloc of %d bytes", size)
	}
	if err := d.takeBytes(size); err != nil {
		return 0, err
	}
	d.start()
	return d.chunks.take(size), nil
}

// Free gives back what Malloc returned. Any other address is an error.
func (d *Driver) Free(p gpu.Ptr) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	size, ok := d.chunks.give(p)
	if !ok {
		return fmt.Errorf("free of %#x: not an address that malloc returned", uint64(p))
	}
	d.used -= size
	return nil
}

// MemInfo returns the free and the total bytes of the device.
func (d *Driver) MemInfo() (free, total int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.freeBytes(), d.profile.TotalMemory
}

func (d *Driver) freeBytes() int64 {
	return d.profile.TotalMemory - d.profile.ContextMemory - d.used
}

// takeBytes books physical memory. Where it appears is another matter.
func (d *Driver) takeBytes(size int64) error {
	if size > d.freeBytes() {
		return fmt.Errorf("%d bytes with %d free: %w", size, d.freeBytes(), gpu.ErrOutOfMemory)
	}
	d.used += size
	return nil
}

// start fixes what the process left behind before its first segment: making
// streams takes driver memory, and so moves the holes.
func (d *Driver) start() {
	if d.started {
		return
	}
	d.started = true
	if d.queues.created > 0 {
		d.chunks.leftByStreams()
	} else {
		d.chunks.leftByContext()
	}
}
