//go:build cuda

package cuda_test

import (
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/gpu/cuda"
)

// TestOpenAndClose opens and closes 50 drivers beside one that watches the
// device. Each leaves everything behind that a driver can hold. No byte stays.
func TestOpenAndClose(t *testing.T) {
	watch := open(t)
	before, goroutines := used(watch), runtime.NumGoroutine()
	start := time.Now()
	for i := range 50 {
		d, err := cuda.Open(cuda.Options{})
		require.NoError(t, err)
		leaveBehind(t, d)
		require.Greater(t, used(watch), before+14<<20)
		require.NoError(t, d.Close())
		require.Equal(t, before, used(watch), "after driver %d", i+1)
	}
	t.Logf("%v for each driver", time.Since(start)/50)
	for end := time.Now().Add(time.Second); runtime.NumGoroutine() > goroutines && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	require.Equal(t, goroutines, runtime.NumGoroutine())
	if left, err := os.ReadDir("/proc/self/task"); err == nil {
		require.Less(t, len(left), 40, "threads")
	}
}

// leaveBehind takes memory, pages, a stream, an event and copies, and gives
// nothing back.
func leaveBehind(t *testing.T, d *cuda.Driver) {
	p, err := d.Malloc(10 << 20)
	require.NoError(t, err)
	s, err := d.NewStream()
	require.NoError(t, err)
	require.NoError(t, d.Upload(p, make(content, 10<<20), s))
	_, err = d.Record(s)
	require.NoError(t, err)
	space, err := d.Reserve(1 << 30)
	require.NoError(t, err)
	require.NoError(t, d.Map(space, 4<<20))
	pieces, pages := d.Live()
	require.Equal(t, 1, pieces)
	require.Equal(t, 2, pages)
}

// TestTwoDrivers have memory and streams of their own.
func TestTwoDrivers(t *testing.T) {
	a, b := open(t), open(t)
	p, err := a.Malloc(2 << 20)
	require.NoError(t, err)
	require.ErrorContains(t, b.Free(p), "not an address that malloc returned")
	require.NoError(t, a.Free(p))
	s, err := a.NewStream()
	require.NoError(t, err)
	_, err = b.Record(s)
	require.ErrorContains(t, err, "no such stream")
}
