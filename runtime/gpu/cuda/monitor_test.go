//go:build cuda

package cuda_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/gpu/cuda/fakecuda"
)

// TestMonitor asks a real GPU, and the fake one, which has no NVML: there it is one
// clear line, and no fault of the driver.
func TestMonitor(t *testing.T) {
	d := open(t)
	p, err := d.Malloc(64 << 20)
	require.NoError(t, err)
	_, all, err := d.Processes()
	percent, busyErr := d.MemoryBusy()
	if fakecuda.Loaded() {
		require.Error(t, err)
		require.Error(t, busyErr)
		require.NotContains(t, err.Error(), "\n")
		require.NoError(t, d.Free(p))
		return
	}
	require.NoError(t, busyErr)
	require.True(t, percent >= 0 && percent <= 100, percent)
	if err != nil {
		require.ErrorContains(t, err, "does not tell", "a driver may keep it to itself")
		return
	}
	for _, process := range all {
		if process.ID == os.Getpid() { // not so in a container, which has numbers of its own
			require.Greater(t, process.Used, int64(64<<20))
		}
	}
	require.NoError(t, d.Free(p))
}
