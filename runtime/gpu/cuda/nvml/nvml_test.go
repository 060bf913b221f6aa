//go:build cuda && linux

package nvml

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/gpu"
)

// build compiles the library that plays NVML.
func build(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), soname)
	out, err := exec.Command("cc", "-shared", "-fPIC", "-o", path, "testdata/nvml.c").CombinedOutput()
	require.NoError(t, err, string(out))
	return path
}

func TestWhatNVMLSays(t *testing.T) {
	path := build(t)
	for uuid, want := range map[string][]gpu.Process{
		"GPU-some": {{ID: 100, Used: 1 << 20}, {ID: 101, Used: 2 << 20}},
		"GPU-idle": nil,
	} {
		d, err := open(path, uuid)
		require.NoError(t, err)
		all, err := d.Processes()
		require.NoError(t, err)
		require.Equal(t, want, all)
		index, err := d.Index()
		require.NoError(t, err)
		require.Equal(t, 3, index)
		percent, err := d.MemoryBusy()
		require.NoError(t, err)
		require.Equal(t, 42, percent)
		require.NoError(t, d.Close())
	}
}

func TestMoreProcessesThanExpected(t *testing.T) {
	d, err := open(build(t), "GPU-many")
	require.NoError(t, err)
	all, err := d.Processes()
	require.NoError(t, err)
	require.Len(t, all, 40)
	require.Equal(t, gpu.Process{ID: 139, Used: 40 << 20}, all[39])
	require.NoError(t, d.Close())
}

func TestWhatIsMissing(t *testing.T) {
	path := build(t)
	_, err := open("no/such/library.so", "GPU-some")
	require.EqualError(t, err, "NVML does not seem to be installed or it can't be loaded: no/such/library.so is missing")
	_, err = open(path, "MIG-some")
	require.EqualError(t, err, "nvmlDeviceGetHandleByUUID MIG-some: Not Found (6)")
	_, err = open(path, "GPU-down")
	require.EqualError(t, err, "cuda driver can't be loaded, is cuda enabled?", "PyTorch's words")
	d, err := open(path, "GPU-vague")
	require.NoError(t, err)
	_, err = d.Processes()
	require.EqualError(t, err, "the driver does not tell how much memory the process 100 uses")
	require.NoError(t, d.Close())
}
