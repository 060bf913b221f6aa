// Package device opens the GPU that a program runs on.
//
// There are two. sim is simulated and needs no GPU. cuda is the machine's own
// NVIDIA GPU, in a program that was built with the tag cuda. Nothing above can
// tell them apart by their counters; that is the point of having both.
//
// A flag names the device, or the environment variable WORKBOOK_DEVICE, which
// also reaches where no flag does: the tests that grade an exercise.
package device

import (
	"fmt"
	"io"
	"os"

	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/cuda"
	"github.com/torchmem/workbook/runtime/gpu/sim"
)

// Variable is the environment variable that names the device.
const Variable = "WORKBOOK_DEVICE"

// The devices that exist.
const (
	Sim  = "sim"
	Cuda = "cuda"
)

// Chosen returns the name that the environment gives, Sim where it gives none.
func Chosen() string {
	if name := os.Getenv(Variable); name != "" {
		return name
	}
	return Sim
}

// Check returns nil for the name of a device that this program can open. Whether
// the machine has it shows when it is opened.
func Check(name string) error {
	switch {
	case name != Sim && name != Cuda:
		return fmt.Errorf("no device %q: there are %s and %s", name, Sim, Cuda)
	case name == Cuda && !cuda.Built:
		return fmt.Errorf("device %s: %w", name, cuda.ErrNotBuilt)
	}
	return nil
}

// Open opens a device that this program has not used yet. The profile says
// which GPU is simulated; a real one has its own. The error says what is
// missing. Whoever opens a device closes it, with [Close].
func Open(name string, simulated gpu.Profile) (gpu.Driver, error) {
	if err := Check(name); err != nil {
		return nil, err
	}
	if name == Sim {
		return sim.New(simulated), nil
	}
	d, err := cuda.Open(cuda.Options{})
	if err != nil {
		return nil, err // and no *cuda.Driver, which would hide that it is nil
	}
	return d, nil
}

// Close gives a device back with all that it holds. A simulated one holds
// nothing.
func Close(d gpu.Driver) error {
	if c, ok := d.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
