//go:build cuda && linux

package fakecuda_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/cuda"
	"github.com/torchmem/workbook/runtime/gpu/cuda/fakecuda"
)

const mib = 1 << 20

// open opens a driver on the fake. When the test ends the driver is closed, and
// nothing may be left.
func open(t *testing.T) *cuda.Driver {
	t.Helper()
	fakecuda.Need(t)
	require.Zero(t, fakecuda.Now(), "an earlier test has left something")
	d, err := cuda.Open(cuda.Options{})
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, d.Close())
		require.Zero(t, fakecuda.Now())
	})
	return d
}

func allocator(t *testing.T, d *cuda.Driver, settings string) *caching.Allocator {
	t.Helper()
	cfg, err := caching.ParseConfig(settings)
	require.NoError(t, err)
	a, err := caching.New(d, cfg)
	require.NoError(t, err)
	return a
}

func malloc(t *testing.T, a *caching.Allocator, size int64) *caching.Block {
	t.Helper()
	b, err := a.Malloc(size, 0)
	require.NoError(t, err)
	return b
}

// bytes is host memory that a test uploads.
type bytes []byte

func (b bytes) Len() int64    { return int64(len(b)) }
func (b bytes) Bytes() []byte { return b }

// pattern is a text that differs from place to place.
func pattern(size, seed int) bytes {
	b := make(bytes, size)
	for i := range b {
		b[i] = byte(i>>8 + i*7 + seed)
	}
	return b
}

func requireHolds(t *testing.T, d *cuda.Driver, p gpu.Ptr, want bytes) {
	t.Helper()
	got, err := d.Download(p, want.Len(), 0)
	require.NoError(t, err)
	require.True(t, string(want) == string(got.Bytes()), "the device holds something else")
}

// TestTheBooks hold what a driver has, kind by kind.
func TestTheBooks(t *testing.T) {
	d := open(t)
	base := fakecuda.Now()
	require.Equal(t, 1, base.Contexts)
	require.Equal(t, d.Profile().ContextMemory, base.Used)
	_, err := d.Malloc(10 * mib)
	require.NoError(t, err)
	_, err = d.NewStream()
	require.NoError(t, err)
	p, err := d.Reserve(64 * mib)
	require.NoError(t, err)
	require.NoError(t, d.Map(p, 6*mib))
	now := fakecuda.Now()
	require.Equal(t, base.Used+16*mib, now.Used)
	require.Equal(t, base.Memory+1, now.Memory)
	require.Equal(t, base.Streams+1, now.Streams)
	require.Equal(t, base.Reservations+1, now.Reservations)
	require.Equal(t, base.Pages+3, now.Pages)
	// Close gives back all that, as open looks.
}

// TestRefused lets the driver refuse a segment while the cache has a segment to
// give back. The allocator does so, tries again, and the program sees nothing.
func TestRefused(t *testing.T) {
	a := allocator(t, open(t), "")
	cached := malloc(t, a, 100*mib)
	require.NoError(t, a.Free(cached))
	fakecuda.Refuse(1)
	b := malloc(t, a, 200*mib)
	stats := a.Stats()
	require.Equal(t, int64(1), stats.NumAllocRetries)
	require.Zero(t, stats.NumOOMs)
	require.Equal(t, int64(200*mib), stats.ReservedBytes.All.Current)
	require.NoError(t, a.Free(b))
}

// TestRefusedTwice ends in an error, and the next request is served.
func TestRefusedTwice(t *testing.T) {
	d := open(t)
	a := allocator(t, d, "")
	held := malloc(t, a, 30*mib)
	fakecuda.Limit(fakecuda.Used() + 10*mib)
	_, err := a.Malloc(100*mib, 0)
	var full *caching.OutOfMemoryError
	require.ErrorAs(t, err, &full)
	require.Equal(t, int64(100*mib), full.Tried)
	free, total := d.MemInfo()
	require.Equal(t, free, full.Free, "the driver does not say that it would refuse")
	require.Equal(t, total, full.Total)
	require.Equal(t, int64(1), a.Stats().NumOOMs)

	fakecuda.Limit(-1)
	require.NoError(t, a.Free(malloc(t, a, 100*mib)))
	require.NoError(t, a.Free(held))
	require.NoError(t, a.EmptyCache())
	require.Equal(t, d.Profile().ContextMemory, fakecuda.Used())
}

// TestRefusedPage lets the driver refuse a page while an expandable segment
// grows. The allocator unmaps what is cached, and grows it then.
func TestRefusedPage(t *testing.T) {
	d := open(t)
	a := allocator(t, d, "expandable_segments:True")
	require.NoError(t, a.Free(malloc(t, a, 40*mib)))
	fakecuda.Refuse(5)
	b := malloc(t, a, 60*mib)
	require.Equal(t, int64(1), a.Stats().NumAllocRetries)
	require.Equal(t, int64(60*mib), fakecuda.Used()-d.Profile().ContextMemory)
	require.NoError(t, a.Free(b))
	require.NoError(t, a.EmptyCache())
	require.Equal(t, d.Profile().ContextMemory, fakecuda.Used())
}
