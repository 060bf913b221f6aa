// Package gpu says what a GPU driver does, in one small interface.
//
// A driver hands out raw device memory, keeps streams of work in order, and
// runs kernels. It knows nothing of tensors, and nothing of caching: every
// Malloc here is what cudaMalloc is, a slow call that takes memory away from
// all other processes. The package caching stands above it and makes that
// bearable.
//
// # Drivers
//
// The package sim is a driver without a GPU: its memory is bookkeeping, its
// addresses follow the recorded behaviour of a real driver, and its arithmetic
// waits until somebody reads a result. The package cuda is the driver of a real
// NVIDIA GPU. Whatever stands above cannot tell which one it has, and the
// package drivertest holds both to the same rules.
//
// # Units
//
// Sizes are bytes, held in int64 as Go's own sizes are. Addresses are [Ptr],
// never Go pointers: nothing here can be dereferenced on the host.
package gpu

import "errors"

// Ptr is an address in device memory. Zero is no address.
type Ptr uint64

// Stream is the handle of a queue of work that runs in order. The zero value
// is the default stream.
type Stream uint64

// Event is a mark in a stream. It is done once all work queued before it is.
type Event uint64

// ErrOutOfMemory is returned by Malloc when the device cannot hold the
// request. It is the one error that the caching allocator answers by emptying
// its cache and trying again.
var ErrOutOfMemory = errors.New("out of memory")

// Memory is the part of a driver that owns device memory.
type Memory interface {
	// Malloc takes size bytes of device memory. It fails with
	// ErrOutOfMemory when they do not fit.
	Malloc(size int64) (Ptr, error)
	// Free gives back what Malloc returned.
	Free(p Ptr) error
	// MemInfo returns the free and the total memory of the device, as
	// cudaMemGetInfo does: what other processes and the driver itself hold
	// counts as taken.
	MemInfo() (free, total int64)
}

// Queue is the part of a driver that orders work.
type Queue interface {
	// NewStream creates a stream of normal priority.
	NewStream() (Stream, error)
	// Record puts an event at the present end of a stream.
	Record(s Stream) (Event, error)
	// Done reports whether the work before the event has finished. It
	// does not wait.
	Done(e Event) (bool, error)
	// Wait blocks until the event is done.
	Wait(e Event) error
	// Synchronize blocks until every stream of the device is idle.
	Synchronize() error
}

// Compute is the part of a driver that moves and changes values.
type Compute interface {
	// Upload copies a host array into device memory, in stream order.
	// The driver may read the array later than the call, as long as a
	// reader of the device memory sees its values.
	Upload(dst Ptr, src Array, s Stream) error
	// Download copies size bytes of device memory to the host and waits
	// for the work that produces them.
	Download(src Ptr, size int64, s Stream) (Array, error)
	// Discard says that nobody will read the memory at p again before it
	// is written. The caching allocator reuses memory without telling the
	// driver; a driver that keeps values beside the memory forgets them
	// here.
	Discard(p Ptr)
	// Launch queues a kernel. Its name and arguments are the contract
	// that every driver shares.
	Launch(k Kernel, s Stream) error
}

// Driver is one GPU as its driver shows it.
type Driver interface {
	Memory
	Queue
	Compute
	// Profile describes the device.
	Profile() Profile
}
