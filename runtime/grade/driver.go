package grade

import (
	"encoding/binary"
	"math"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/device"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
	"github.com/torchmem/workbook/runtime/torch"
)

// NewTorch starts a program on a fresh simulated device with default settings.
// A prediction is compared with what such a program does.
func NewTorch() (*torch.Torch, error) { return start(sim.New(gpu.DefaultProfile())) }

func start(driver gpu.Driver) (*torch.Torch, error) {
	settings, err := caching.ParseConfig("")
	if err != nil {
		return nil, err
	}
	return torch.New(driver, settings)
}

// countingDriver counts what the allocator asks the driver for. A program
// cannot reset it.
type countingDriver struct {
	gpu.Driver
	mallocs int64
}

// openDriver opens the device that the environment names, mostly the simulated
// one.
func openDriver() (*countingDriver, error) {
	d, err := device.Open(device.Chosen(), gpu.DefaultProfile())
	if err != nil {
		return nil, err
	}
	return &countingDriver{Driver: d}, nil
}

// Unwrap returns the driver that is asked about the device.
func (d *countingDriver) Unwrap() gpu.Driver { return d.Driver }

func (d *countingDriver) Malloc(size int64) (gpu.Ptr, error) {
	d.mallocs++
	return d.Driver.Malloc(size)
}

// idleDriver computes nothing: every number that is read is some number. It
// serves the cases whose numbers are not graded, so that a learner who prints a
// value of a large model does not wait for its arithmetic.
type idleDriver struct{ gpu.Driver }

// Unwrap returns the driver that is asked about the device.
func (d idleDriver) Unwrap() gpu.Driver { return d.Driver }

func (idleDriver) Upload(gpu.Ptr, gpu.Array, gpu.Stream) error { return nil }
func (idleDriver) Launch(gpu.Kernel, gpu.Stream) error         { return nil }
func (idleDriver) Discard(gpu.Ptr)                             {}

func (idleDriver) Download(_ gpu.Ptr, size int64, _ gpu.Stream) (gpu.Array, error) {
	return noise(size), nil
}

// noise is an array of so many bytes: float32 numbers between 0 and 1.
type noise int64

func (n noise) Len() int64 { return int64(n) }

func (n noise) Bytes() []byte {
	bytes := make([]byte, 0, n+4)
	for x := 0.37; len(bytes) < int(n); x = math.Mod(x+math.Phi, 1) {
		bytes = binary.LittleEndian.AppendUint32(bytes, math.Float32bits(float32(x)))
	}
	return bytes[:n]
}
