//go:build cuda && linux

package fakecuda_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/cuda"
	"github.com/torchmem/workbook/runtime/gpu/cuda/fakecuda"
)

// held opens a driver with a stream that does not work. Its number is that of
// the fake.
func held(t *testing.T) (d *cuda.Driver, s gpu.Stream, number int) {
	t.Helper()
	d = open(t)
	s, err := d.NewStream()
	require.NoError(t, err)
	number = fakecuda.LastStream()
	fakecuda.Hold(number)
	return d, s, number
}

func record(t *testing.T, d *cuda.Driver, s gpu.Stream) gpu.Event {
	t.Helper()
	e, err := d.Record(s)
	require.NoError(t, err)
	return e
}

func done(t *testing.T, d *cuda.Driver, e gpu.Event) bool {
	t.Helper()
	ok, err := d.Done(e)
	require.NoError(t, err)
	return ok
}

// TestEventsOfABusyStream are not done until it goes on. Other streams do not
// wait for it.
func TestEventsOfABusyStream(t *testing.T) {
	d, s, number := held(t)
	waits, other := record(t, d, s), record(t, d, 0)
	require.False(t, done(t, d, waits))
	require.True(t, done(t, d, other))
	fakecuda.LetGo(number)
	require.True(t, done(t, d, waits))

	for name, end := range map[string]func(gpu.Event) error{
		"wait":        d.Wait,
		"synchronize": func(gpu.Event) error { return d.Synchronize() },
	} {
		fakecuda.Hold(number)
		e := record(t, d, s)
		require.False(t, done(t, d, e), name)
		require.NoError(t, end(e), name)
		require.True(t, done(t, d, e), name)
	}
}

// TestUploadsOfABusyStream are read before the call returns: the program may
// change its array at once, whatever the stream does. More is uploaded than the
// driver has pinned memory for.
func TestUploadsOfABusyStream(t *testing.T) {
	d, s, number := held(t)
	const size = 3 * mib
	var at [12]gpu.Ptr
	for i := range at {
		var err error
		at[i], err = d.Malloc(size)
		require.NoError(t, err)
		array := pattern(size, i)
		require.NoError(t, d.Upload(at[i], array, s))
		clear(array)
		if i == 0 {
			got, err := d.Download(at[0], size, 0)
			require.NoError(t, err)
			require.False(t, string(pattern(size, 0)) == string(got.Bytes()), "a held stream has copied")
		}
	}
	fakecuda.LetGo(number)
	for i := range at {
		requireHolds(t, d, at[i], pattern(size, i))
	}
}

// TestDownloadOfABusyStream waits for what was uploaded before. A small one has
// to wait for itself: the pinned memory that it gets is free.
func TestDownloadOfABusyStream(t *testing.T) {
	for _, size := range []int64{mib, 10 * mib} {
		d, s, _ := held(t)
		p, err := d.Malloc(size)
		require.NoError(t, err)
		want := pattern(int(size), 1)
		require.NoError(t, d.Upload(p, want, s))
		got, err := d.Download(p, size, s)
		require.NoError(t, err)
		require.True(t, string(want) == string(got.Bytes()), "%d bytes", size)
		require.NoError(t, d.Close())
	}
}

// TestABlockWaitsForABusyStream that uses it too.
func TestABlockWaitsForABusyStream(t *testing.T) {
	d, s, number := held(t)
	a := allocator(t, d, "")
	b := malloc(t, a, 10*mib)
	at := b.Ptr()
	require.NoError(t, a.RecordStream(b, s))
	require.NoError(t, a.Free(b))
	require.Zero(t, a.Stats().AllocatedBytes.All.Current)
	require.Equal(t, int64(10*mib), a.Stats().ActiveBytes.All.Current)
	second := malloc(t, a, 10*mib)
	require.NotEqual(t, at, second.Ptr(), "the block was given out while a stream uses it")
	fakecuda.LetGo(number)
	third := malloc(t, a, 10*mib)
	require.Equal(t, at, third.Ptr())
	require.NoError(t, a.Free(second))
	require.NoError(t, a.Free(third))
}

// TestFreeWaitsForABusyStream, as a real driver's does.
func TestFreeWaitsForABusyStream(t *testing.T) {
	d, s, _ := held(t)
	p, err := d.Malloc(2 * mib)
	require.NoError(t, err)
	require.NoError(t, d.Upload(p, pattern(mib, 0), s))
	e := record(t, d, s)
	require.NoError(t, d.Free(p))
	require.True(t, done(t, d, e))
}

// TestStrayAddresses are refused by the driver and no fault.
func TestStrayAddresses(t *testing.T) {
	d := open(t)
	p, err := d.Malloc(2 * mib)
	require.NoError(t, err)
	space, err := d.Reserve(4 * mib)
	require.NoError(t, err)
	require.NoError(t, d.Map(space, 2*mib))
	for _, stray := range []gpu.Ptr{p + 2*mib - 10, 4096, space + 2*mib - 10} {
		require.ErrorContains(t, d.Upload(stray, pattern(100, 0), 0), "CUDA_ERROR_INVALID_VALUE")
	}
	require.NoError(t, d.Upload(p+2*mib-100, pattern(100, 0), 0))
	require.NoError(t, d.Upload(space+2*mib-100, pattern(100, 0), 0))
}
