package grade

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
)

// lostDriver is a GPU that answers one error to all that gives memory back, as
// a real one does after a fault.
type lostDriver struct {
	gpu.Driver
	err    error
	closed int
}

func (d *lostDriver) Free(gpu.Ptr) error { return d.err }

func (d *lostDriver) Close() error {
	d.closed++
	return d.err
}

// TestAFaultIsToldOnce when a run ends, and the device is given back.
func TestAFaultIsToldOnce(t *testing.T) {
	lost := &lostDriver{Driver: sim.New(gpu.DefaultProfile()), err: errors.New("the GPU has faulted")}
	program, err := start(lost)
	require.NoError(t, err)
	b, err := program.Cuda.Allocator().Malloc(1<<20, 0)
	require.NoError(t, err)
	require.NoError(t, program.Cuda.Allocator().Free(b))
	r := &Run{Torch: program, device: lost}
	require.EqualError(t, r.end(), "the GPU has faulted")
	require.Equal(t, 1, lost.closed)
}
