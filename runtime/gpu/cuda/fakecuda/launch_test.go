//go:build cuda && linux

package fakecuda_test

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/cuda"
	"github.com/torchmem/workbook/runtime/gpu/cuda/fakecuda"
	"github.com/torchmem/workbook/runtime/gpu/cuda/kernels"
)

// fill is a kernel that writes one number everywhere.
func fill(at gpu.Ptr, n int, value float64) gpu.Kernel {
	return gpu.Kernel{
		Name:    "fill",
		Out:     gpu.Operand{Base: at, Type: gpu.Float32, Shape: []int{n}, Stride: []int{1}},
		Scalars: []float64{value},
	}
}

// TestLaunchesReachTheDriver as they were planned: the function, the grid, the
// block, and each word.
func TestLaunchesReachTheDriver(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	t.Setenv("FAKECUDA_LOG", log)
	d := open(t)
	s, err := d.NewStream()
	require.NoError(t, err)
	number := fakecuda.LastStream()
	p, err := d.Malloc(8 * mib)
	require.NoError(t, err)

	var want []fakecuda.Launch
	for _, k := range []gpu.Kernel{fill(p, 1_000_000, math.Pi), fill(p+512, 3, -1)} {
		steps, err := kernels.Plan(k)
		require.NoError(t, err)
		for _, step := range steps {
			want = append(want, fakecuda.Launch{
				Function: step.Function, Grid: step.Grid, Block: step.Block, Shared: step.Shared, Stream: number, Words: step.Words,
			})
		}
		require.NoError(t, d.Launch(k, s))
	}
	got, err := fakecuda.ReadLog(log)
	require.NoError(t, err)
	require.Equal(t, want, got.Launches)
	require.Equal(t, 1, got.Contexts)
	require.Nil(t, got.Left)

	require.NoError(t, d.Close())
	got, err = fakecuda.ReadLog(log)
	require.NoError(t, err)
	require.Equal(t, &fakecuda.Alive{}, got.Left)
}

// TestAKernelFaults without a word. Whatever is asked next fails, and so does
// all after, with an error that says so. A new driver starts afresh.
func TestAKernelFaults(t *testing.T) {
	fakecuda.Need(t)
	d, err := cuda.Open(cuda.Options{})
	require.NoError(t, err)
	p, err := d.Malloc(2 * mib)
	require.NoError(t, err)
	a := allocator(t, d, "")
	b := malloc(t, a, 30*mib)

	fakecuda.Fault(2)
	require.NoError(t, d.Launch(fill(p, 100, 1), 0))
	require.NoError(t, d.Synchronize())
	require.NoError(t, d.Launch(fill(p, 100, 1), 0))
	var fault *cuda.FaultError
	require.ErrorAs(t, d.Synchronize(), &fault)
	require.Equal(t, 700, fault.Code)
	require.Equal(t, "CUDA_ERROR_ILLEGAL_ADDRESS", fault.Name)

	_, err = a.Malloc(40*mib, 0)
	require.ErrorIs(t, err, fault)
	require.NotErrorIs(t, err, gpu.ErrOutOfMemory)
	require.NoError(t, a.Free(b), "a block goes to the cache, which asks nobody")
	require.ErrorIs(t, a.EmptyCache(), fault)
	require.ErrorIs(t, d.Free(p), fault)
	require.ErrorIs(t, d.Launch(fill(p, 100, 1), 0), fault)
	require.ErrorIs(t, d.Close(), fault)
	require.Zero(t, fakecuda.Now())

	d = open(t)
	_, err = d.Malloc(2 * mib)
	require.NoError(t, err)
}
