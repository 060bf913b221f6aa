//go:build cuda

package cuda_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/cuda"
	"github.com/torchmem/workbook/runtime/gpu/drivertest"
)

// TestConformance is the suite that every driver passes.
func TestConformance(t *testing.T) {
	drivertest.Run(t, func(t *testing.T) gpu.Driver { return open(t) })
}

// TestKernels compares every kernel with the CPU.
func TestKernels(t *testing.T) {
	needKernels(t)
	drivertest.Kernels(t, func(t *testing.T) gpu.Driver { return open(t) })
}

// TestProfile says what a GPU always is.
func TestProfile(t *testing.T) {
	d := open(t)
	p := d.Profile()
	t.Logf("%+v", p)
	require.Equal(t, "cuda", p.Name)
	require.NotEmpty(t, p.Title)
	require.Greater(t, p.TotalMemory, int64(1<<30))
	require.Positive(t, p.ContextMemory)
	require.Less(t, p.ContextMemory, p.TotalMemory)
	require.Positive(t, p.Multiprocessors)
	require.Contains(t, []int{1024, 1536, 2048}, p.ThreadsPerMultiprocessor)
	for _, known := range gpu.ProfileNames() {
		known, err := gpu.FindProfile(known)
		require.NoError(t, err)
		if known.Title != p.Title {
			continue
		}
		require.Equal(t, known.Multiprocessors, p.Multiprocessors)
		require.Equal(t, known.ThreadsPerMultiprocessor, p.ThreadsPerMultiprocessor)
		require.Equal(t, known.BlasWorkspace, p.BlasWorkspace)
		require.Equal(t, known.BlasLtWorkspace, p.BlasLtWorkspace)
		require.Equal(t, known.Verified, p.Verified)
		if known.Verified {
			require.Equal(t, known.TotalMemory, p.TotalMemory)
		}
	}
}

// TestNoSuchDevice says how many there are.
func TestNoSuchDevice(t *testing.T) {
	for _, wrong := range []int{-1, 99} {
		d, err := cuda.Open(cuda.Options{Device: wrong})
		require.Nil(t, d)
		require.ErrorContains(t, err, "the NVIDIA driver finds ")
	}
}

// TestClosed drivers say so, and may be closed again.
func TestClosed(t *testing.T) {
	d, err := cuda.Open(cuda.Options{})
	require.NoError(t, err)
	require.NoError(t, d.Close())
	require.NoError(t, d.Close())
	for call, err := range everyCall(d) {
		require.Equal(t, cuda.ErrClosed, err, call)
	}
	free, total := d.MemInfo()
	require.Zero(t, free)
	require.Equal(t, d.Profile().TotalMemory, total)
}

// TestConcurrentClose closes a driver while others use it. Each call succeeds,
// or says that the driver is closed; none hangs.
func TestConcurrentClose(t *testing.T) {
	d, err := cuda.Open(cuda.Options{})
	require.NoError(t, err)
	var started, all sync.WaitGroup
	for range 4 {
		started.Add(1)
		all.Go(func() {
			_, err := d.Malloc(2 << 20)
			assert.NoError(t, err)
			started.Done()
			for err == nil {
				_, err = d.Record(0)
			}
			assert.Equal(t, cuda.ErrClosed, err)
		})
	}
	started.Wait()
	for range 2 {
		all.Go(func() { assert.NoError(t, d.Close()) })
	}
	all.Wait()
}

// everyCall makes each call once and returns the errors.
func everyCall(d *cuda.Driver) map[string]error {
	errs := map[string]error{
		"Free":        d.Free(0),
		"Wait":        d.Wait(1),
		"Synchronize": d.Synchronize(),
		"Upload":      d.Upload(0, content{1}, 0),
		"Launch":      d.Launch(gpu.Kernel{Name: "fill", Out: gpu.Operand{Shape: []int{1}, Stride: []int{1}}, Scalars: []float64{1}}, 0),
		"Map":         d.Map(2<<20, 2<<20),
		"Unmap":       d.Unmap(2<<20, 2<<20),
		"Release":     d.Release(0),
	}
	_, errs["Malloc"] = d.Malloc(1)
	_, errs["NewStream"] = d.NewStream()
	_, errs["Record"] = d.Record(0)
	_, errs["Done"] = d.Done(1)
	_, errs["Download"] = d.Download(0, 1, 0)
	_, errs["Reserve"] = d.Reserve(2 << 20)
	return errs
}

// content is host memory that a test uploads.
type content []byte

func (c content) Len() int64    { return int64(len(c)) }
func (c content) Bytes() []byte { return c }
