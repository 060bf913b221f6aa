//go:build cuda

package cuda_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/gpu"
)

// TestBusyStream sees a GPU at work: an event that is not done yet, a stream
// that does not wait for another, and copies that do not wait for the host.
func TestBusyStream(t *testing.T) {
	d := openWithText(t)
	a, err := d.NewStream()
	require.NoError(t, err)
	b, err := d.NewStream()
	require.NoError(t, err)
	p, err := d.Malloc(2 << 20)
	require.NoError(t, err)
	done := func(e gpu.Event) bool {
		ok, err := d.Done(e)
		require.NoError(t, err)
		return ok
	}
	for _, busy := range []gpu.Stream{a, 0} {
		spin(t, d, busy, 300*time.Millisecond)
		held, err := d.Record(busy)
		require.NoError(t, err)
		require.NoError(t, d.Upload(p, make(content, 4096), busy), "an upload only takes its place in the queue")
		require.False(t, done(held), "the stream works")
		free, err := d.Record(b)
		require.NoError(t, err)
		require.NoError(t, d.Wait(free))
		require.False(t, done(held), "another stream does not wait for it")
		require.NoError(t, d.Wait(held))
		require.True(t, done(held))
	}
}

// TestEventObjects are few, however many events were recorded.
func TestEventObjects(t *testing.T) {
	d := open(t)
	for range 10_000 {
		e, err := d.Record(0)
		require.NoError(t, err)
		require.NoError(t, d.Wait(e))
	}
	for range 100 {
		e, err := d.Record(0)
		require.NoError(t, err)
		for done := false; !done; {
			done, err = d.Done(e)
			require.NoError(t, err)
		}
	}
	require.Equal(t, 1, d.EventObjects(), "who waits for an event, or sees that it is done, frees its object")
	var last gpu.Event
	for range 100 {
		var err error
		last, err = d.Record(0)
		require.NoError(t, err)
	}
	require.NoError(t, d.Wait(last))
	require.Equal(t, 100, d.EventObjects(), "one wait settles all that came before it")
	for range 2 {
		for range 100 {
			_, err := d.Record(0)
			require.NoError(t, err)
		}
		require.NoError(t, d.Synchronize())
		require.Equal(t, 100, d.EventObjects(), "and so does the end of all work")
	}
	_, err := d.Done(last + 1_000)
	require.ErrorContains(t, err, "never recorded")
	require.ErrorContains(t, d.Wait(0), "never recorded")
}

// TestUnknownStreams are refused by everything that takes one.
func TestUnknownStreams(t *testing.T) {
	d := open(t)
	const wrong = gpu.Stream(7)
	require.ErrorContains(t, d.Upload(0, content{1}, wrong), "no such stream")
	_, err := d.Download(0, 1, wrong)
	require.ErrorContains(t, err, "no such stream")
}

// TestWrongAddresses in copies are errors and no faults: the driver looks
// before it copies.
func TestWrongAddresses(t *testing.T) {
	d := open(t)
	require.ErrorContains(t, d.Upload(1<<40, content{1, 2, 3}, 0), "CUDA_ERROR_INVALID_VALUE")
	_, err := d.Download(1<<40, 3, 0)
	require.ErrorContains(t, err, "CUDA_ERROR_INVALID_VALUE")
	_, err = d.Download(0, -1, 0)
	require.ErrorContains(t, err, "download of -1 bytes")
	require.NoError(t, d.Synchronize())
}
