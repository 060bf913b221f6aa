package torch_test

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
	"github.com/torchmem/workbook/runtime/torch"
)

func onDriver(t *testing.T, d gpu.Driver) *torch.Torch {
	t.Helper()
	program, err := torch.New(d, caching.Config{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, program.Close()) })
	return program
}

func TestListGPUProcesses(t *testing.T) {
	p := gpu.DefaultProfile()
	torch := onDriver(t, sim.New(p))
	want := func(segments int64) string {
		return fmt.Sprintf("GPU:0\nprocess %10d uses %12.3f MB GPU memory", os.Getpid(), float64(p.ProcessMemory+segments)/1024/1024)
	}
	require.Equal(t, want(0), torch.Cuda.ListGPUProcesses(), "a context takes memory too")
	x := torch.Let("x", torch.Cuda.Empty(1000, 1000))
	require.Equal(t, want(20<<20), torch.Cuda.ListGPUProcesses(), "the segment counts, not the tensor")
	x.Del()
	require.Equal(t, want(20<<20), torch.Cuda.ListGPUProcesses())
	torch.Cuda.EmptyCache()
	require.Equal(t, want(0), torch.Cuda.ListGPUProcesses())
	percent, err := torch.Cuda.MemoryUsage()
	require.NoError(t, err)
	require.Zero(t, percent, "nothing moves")
}

// silent is a driver that cannot be asked.
type silent struct{ gpu.Driver }

// counted wraps a driver and says so.
type counted struct{ gpu.Driver }

func (c counted) Unwrap() gpu.Driver { return c.Driver }

func TestWrappedDriver(t *testing.T) {
	torch := onDriver(t, counted{counted{sim.New(gpu.DefaultProfile())}})
	require.Contains(t, torch.Cuda.ListGPUProcesses(), "GPU:0\nprocess ")
}

// failing is one that answers with an error.
type failing struct {
	gpu.Driver
	err error
}

func (f failing) Processes() (int, []gpu.Process, error) { return 0, nil, f.err }
func (f failing) MemoryBusy() (int, error)               { return 0, f.err }

func TestDriversThatCannotTell(t *testing.T) {
	torch := onDriver(t, silent{sim.New(gpu.DefaultProfile())})
	require.Contains(t, torch.Cuda.ListGPUProcesses(), "NVML does not seem to be installed")
	_, err := torch.Cuda.MemoryUsage()
	require.ErrorContains(t, err, "memory_usage: the GPU's driver cannot be asked: NVML")

	broken := errors.New("cuda driver can't be loaded, is cuda enabled?")
	torch = onDriver(t, failing{sim.New(gpu.DefaultProfile()), broken})
	require.Equal(t, broken.Error(), torch.Cuda.ListGPUProcesses())
	_, err = torch.Cuda.MemoryUsage()
	require.ErrorIs(t, err, broken)
}
