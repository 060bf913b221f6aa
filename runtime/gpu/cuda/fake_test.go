//go:build cuda && linux

package cuda_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/cuda"
	"github.com/torchmem/workbook/runtime/gpu/cuda/fakecuda"
)

// These tests need a GPU that does what it is told: they run on the fake.

// TestRefusedHalfWay is a lack of memory that shows after some pages were
// mapped. They go back.
func TestRefusedHalfWay(t *testing.T) {
	fakecuda.Need(t)
	const page = 2 << 20
	d := open(t)
	p, err := d.Reserve(16 * page)
	require.NoError(t, err)
	before := fakecuda.Now()
	fakecuda.Refuse(4)
	err = d.Map(p, 10*page)
	require.ErrorIs(t, err, gpu.ErrOutOfMemory)
	require.ErrorContains(t, err, "20971520 bytes with ")
	require.NotContains(t, err.Error(), "\n")
	require.Equal(t, before, fakecuda.Now())
	require.NoError(t, d.Map(p, 10*page))
	require.NoError(t, d.Unmap(p, 10*page))
	require.NoError(t, d.Release(p))
}

// TestRefusedContext is a GPU that others have filled.
func TestRefusedContext(t *testing.T) {
	fakecuda.Need(t)
	before := fakecuda.Now()
	fakecuda.Limit(before.Used)
	d, err := cuda.Open(cuda.Options{})
	require.Nil(t, d)
	require.ErrorIs(t, err, gpu.ErrOutOfMemory)
	require.ErrorContains(t, err, "GPU 0 does not open")
	require.NotContains(t, err.Error(), "\n")
	require.Equal(t, before, fakecuda.Now())
}

// TestRefusedOpening fails when a driver is half open. Nothing of it is left.
func TestRefusedOpening(t *testing.T) {
	fakecuda.Need(t)
	before := fakecuda.Now()
	fakecuda.Refuse(3)
	d, err := cuda.Open(cuda.Options{})
	require.Nil(t, d)
	require.ErrorIs(t, err, gpu.ErrOutOfMemory)
	require.ErrorContains(t, err, "GPU 0 does not open: cuMemHostAlloc")
	require.Equal(t, before, fakecuda.Now())
}

// TestHeldUploads are more than the pinned memory holds, on a stream that does
// not work yet: none may overwrite what another has put there.
func TestHeldUploads(t *testing.T) {
	fakecuda.Need(t)
	const size = 4 << 20
	d := open(t)
	p, err := d.Malloc(6 * size)
	require.NoError(t, err)
	s, err := d.NewStream()
	require.NoError(t, err)
	fakecuda.Hold(fakecuda.LastStream())
	for i := range 6 {
		part := make(content, size)
		for j := range part {
			part[j] = byte(i + 1)
		}
		require.NoError(t, d.Upload(p+gpu.Ptr(i*size), part, s))
	}
	got, err := d.Download(p, 6*size, s)
	require.NoError(t, err)
	for i, b := range got.Bytes() {
		if want := byte(i/size + 1); b != want {
			require.Equal(t, want, b, "byte %d", i)
		}
	}
}

// TestHeldStream has an event that is not done until the stream goes on.
func TestHeldStream(t *testing.T) {
	fakecuda.Need(t)
	d := open(t)
	p, err := d.Malloc(2 << 20)
	require.NoError(t, err)
	s, err := d.NewStream()
	require.NoError(t, err)
	held := fakecuda.LastStream()
	fakecuda.Hold(held)
	require.NoError(t, d.Upload(p, make(content, 100), s))
	e, err := d.Record(s)
	require.NoError(t, err)
	done, err := d.Done(e)
	require.NoError(t, err)
	require.False(t, done)
	fakecuda.LetGo(held)
	require.NoError(t, d.Wait(e))
	done, err = d.Done(e)
	require.NoError(t, err)
	require.True(t, done)
}

// TestNothingLeft counts what a driver leaves behind: nothing of any kind.
func TestNothingLeft(t *testing.T) {
	fakecuda.Need(t)
	before := fakecuda.Now()
	for range 3 {
		d, err := cuda.Open(cuda.Options{})
		require.NoError(t, err)
		leaveBehind(t, d)
		require.NotEqual(t, before, fakecuda.Now())
		require.NoError(t, d.Close())
		require.Equal(t, before, fakecuda.Now())
	}
}

// TestFakeFault ends a driver as a real fault does. Nothing of it is left.
func TestFakeFault(t *testing.T) {
	fakecuda.Need(t)
	before := fakecuda.Now()
	d, err := cuda.Open(cuda.Options{})
	require.NoError(t, err)
	leaveBehind(t, d)
	require.NoError(t, d.LoadText(text, "spin"))
	fakecuda.Fault(1)
	require.NoError(t, d.LaunchText("spin", 0, 0), "a launch only takes its place in the queue")
	var fault *cuda.FaultError
	require.ErrorAs(t, d.Synchronize(), &fault)
	for call, err := range everyCall(d) {
		require.Same(t, fault, err, call)
	}
	require.Same(t, fault, d.Close())
	require.Equal(t, before, fakecuda.Now())
}

// TestFaultAtTheEnd is one that nobody has seen before the driver is closed.
func TestFaultAtTheEnd(t *testing.T) {
	fakecuda.Need(t)
	before := fakecuda.Now()
	d, err := cuda.Open(cuda.Options{})
	require.NoError(t, err)
	leaveBehind(t, d)
	require.NoError(t, d.LoadText(text, "spin"))
	fakecuda.Fault(1)
	require.NoError(t, d.LaunchText("spin", 0, 0))
	var fault *cuda.FaultError
	require.ErrorAs(t, d.Close(), &fault)
	require.Equal(t, "cuCtxSynchronize", fault.Call)
	require.Equal(t, before, fakecuda.Now())
}
