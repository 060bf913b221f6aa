// Package drivertest holds the tests that every GPU driver passes.
//
// The interface in the package gpu says in words what a driver does. This suite
// says the same in tests, and it says it once: the simulated driver and the one
// for a real GPU both run it. So what is true of one is true of the other, as far
// as a program above can see, and a lesson may run on either.
//
// The suite asks only what both can promise. The simulated driver finishes work
// at once and the real one later, so a test never asks whether an event is not
// done yet. The real driver counts memory in pages of 2 MiB, so tests that count
// bytes take whole pages. They need the GPU to themselves: what another process
// takes meanwhile looks as if this one had taken it.
package drivertest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/gpu"
)

// page is what device memory is counted in, in bytes.
const page = 2 << 20

// Opener starts a device that nobody has used yet. It closes it, where it has to
// be closed, at the end of the test that it is handed.
type Opener func(t *testing.T) gpu.Driver

// Run runs all tests of memory, queues, copies and virtual memory. Each gets a
// device of its own.
func Run(t *testing.T, open Opener) {
	t.Run("Memory", func(t *testing.T) { Memory(t, open) })
	t.Run("Queue", func(t *testing.T) { Queue(t, open) })
	t.Run("Copies", func(t *testing.T) { Copies(t, open) })
	t.Run("Virtual", func(t *testing.T) { Virtual(t, open) })
}

// each runs tests by name, each on a new device.
func each(t *testing.T, open Opener, tests map[string]func(*testing.T, gpu.Driver)) {
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

// used returns how many bytes of the device are taken.
func used(d gpu.Driver) int64 {
	free, total := d.MemInfo()
	return total - free
}

// share returns a part of the device's memory in whole pages: the n-th part.
func share(d gpu.Driver, n int64) int64 {
	_, total := d.MemInfo()
	return total / n / page * page
}

func malloc(t *testing.T, d gpu.Driver, size int64) gpu.Ptr {
	t.Helper()
	p, err := d.Malloc(size)
	require.NoError(t, err, "malloc of %d bytes", size)
	return p
}

func stream(t *testing.T, d gpu.Driver) gpu.Stream {
	t.Helper()
	s, err := d.NewStream()
	require.NoError(t, err)
	return s
}

func record(t *testing.T, d gpu.Driver, s gpu.Stream) gpu.Event {
	t.Helper()
	e, err := d.Record(s)
	require.NoError(t, err)
	return e
}
