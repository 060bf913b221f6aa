package drivertest

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/gpu"
)

// array is host memory that a test uploads.
type array []byte

func (a array) Len() int64    { return int64(len(a)) }
func (a array) Bytes() []byte { return a }

// randomArray returns size random bytes.
func randomArray(size int64) array {
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[:], rand.Uint64())
	a := make(array, size)
	_, _ = rand.NewChaCha8(seed).Read(a) // it never fails
	return a
}

// Copies tests Upload and Download.
func Copies(t *testing.T, open Opener) {
	each(t, open, map[string]func(*testing.T, gpu.Driver){
		"Elements":       elements,
		"RoundTrips":     roundTrips,
		"Prefix":         prefix,
		"Large":          large,
		"StreamOrder":    streamOrder,
		"AcrossStreams":  acrossStreams,
		"Late":           late,
		"Discard":        discard,
		"NoDeviceMemory": noDeviceMemory,
		"Concurrent":     concurrentCopies,
	})
}

// requireHolds checks that device memory starts with the bytes.
func requireHolds(t *testing.T, d gpu.Driver, p gpu.Ptr, want []byte, s gpu.Stream) {
	t.Helper()
	got, err := d.Download(p, int64(len(want)), s)
	require.NoError(t, err)
	require.GreaterOrEqual(t, got.Len(), int64(len(want)))
	require.Len(t, got.Bytes(), int(got.Len()))
	requireSame(t, want, got.Bytes()[:len(want)])
}

// requireSame says where two long texts differ, and does not print them.
func requireSame(t *testing.T, want, got []byte) {
	t.Helper()
	if bytes.Equal(want, got) {
		return
	}
	require.Equal(t, len(want), len(got), "bytes")
	for i := range want {
		if want[i] != got[i] {
			require.Failf(t, "bytes differ", "from byte %d of %d on: %#x, not %#x", i, len(want), got[i], want[i])
		}
	}
}

// elements come back bit by bit, whatever numbers they are.
func elements(t *testing.T, d gpu.Driver) {
	for name, bits := range map[gpu.DType][]uint64{
		gpu.Float32: {0, 1 << 31, 1, 0x7f800000, 0x7fc00001, uint64(math.Float32bits(-1.5))},
		gpu.Float64: {0, 1 << 63, 1, math.Float64bits(math.Inf(-1)), math.Float64bits(math.NaN()), math.Float64bits(math.Pi)},
		gpu.Int64:   {0, 1, math.MaxUint64, math.MaxInt64, 1 << 63},
		gpu.Uint8:   {0, 1, 127, 128, 255},
		gpu.Bool:    {0, 1, 1, 0, 1},
	} {
		var a array
		for _, b := range bits {
			all := binary.LittleEndian.AppendUint64(nil, b)
			a = append(a, all[:name.Size()]...)
		}
		p := malloc(t, d, 512)
		require.NoError(t, d.Upload(p, a, 0), name.String())
		requireHolds(t, d, p, a, 0)
	}
}

// roundTrips have every size that might be special.
func roundTrips(t *testing.T, d gpu.Driver) {
	p := malloc(t, d, 8*page)
	for _, size := range []int64{0, 1, 3, 4, 7, 8, 63, 511, 512, 513, 4095, 4096, 65535, 1 << 20, page - 1, page, page + 1,
		2*page - 1, 2 * page, 2*page + 1, 4 * page, 8 * page} {
		a := randomArray(size)
		require.NoError(t, d.Upload(p, a, 0), "%d bytes", size)
		requireHolds(t, d, p, a, 0)
	}
}

// prefix is the start of what was uploaded.
func prefix(t *testing.T, d gpu.Driver) {
	p, a := malloc(t, d, page), randomArray(page)
	require.NoError(t, d.Upload(p, a, 0))
	for _, size := range []int64{1, 4, 1000, page - 1, page} {
		requireHolds(t, d, p, a[:size], 0)
	}
}

// large is more than a driver holds in buffers on its way.
func large(t *testing.T, d gpu.Driver) {
	size := int64(101<<20 + 5)
	p, a := malloc(t, d, size), randomArray(size)
	require.NoError(t, d.Upload(p, a, 0))
	requireHolds(t, d, p, a, 0)
}

// streamOrder says that the last upload wins, and that a download sees the
// uploads before it and none after it.
func streamOrder(t *testing.T, d gpu.Driver) {
	for _, s := range []gpu.Stream{0, stream(t, d)} {
		p := malloc(t, d, 4*page)
		for range 20 {
			first, second := randomArray(4*page), randomArray(4*page)
			require.NoError(t, d.Upload(p, first, s))
			early, err := d.Download(p, 4*page, s)
			require.NoError(t, err)
			require.NoError(t, d.Upload(p, second, s))
			requireSame(t, first, early.Bytes()[:4*page])
			requireHolds(t, d, p, second, s)
		}
	}
}

// acrossStreams needs a wait between them.
func acrossStreams(t *testing.T, d gpu.Driver) {
	streams := []gpu.Stream{0, stream(t, d), stream(t, d)}
	p := malloc(t, d, 16*page)
	for _, from := range streams {
		for _, to := range streams {
			a := randomArray(16 * page)
			require.NoError(t, d.Upload(p, a, from))
			require.NoError(t, d.Wait(record(t, d, from)))
			requireHolds(t, d, p, a, to)
		}
	}
}

// lateArray is host memory whose bytes are computed when they are asked for.
type lateArray struct{ bytes func() []byte }

func (lateArray) Len() int64      { return 1000 }
func (a lateArray) Bytes() []byte { return a.bytes() }

// late bytes arrive like any others.
func late(t *testing.T, d gpu.Driver) {
	p, a := malloc(t, d, page), randomArray(1000)
	require.NoError(t, d.Upload(p, lateArray{func() []byte { return a }}, 0))
	requireHolds(t, d, p, a, 0)
}

// discard says that memory can be written again after its values were given up,
// and that there need be none.
func discard(t *testing.T, d gpu.Driver) {
	p := malloc(t, d, page)
	d.Discard(p)
	d.Discard(0)
	require.NoError(t, d.Upload(p, randomArray(page), 0))
	d.Discard(p)
	a := randomArray(page)
	require.NoError(t, d.Upload(p, a, 0))
	requireHolds(t, d, p, a, 0)
}

// noDeviceMemory is taken by copies: nothing comes between a program's own
// allocations.
func noDeviceMemory(t *testing.T, d gpu.Driver) {
	p := malloc(t, d, 32*page)
	before := used(d)
	a := randomArray(32 * page)
	require.NoError(t, d.Upload(p, a, 0))
	requireHolds(t, d, p, a, 0)
	require.Equal(t, before, used(d))
}

// concurrentCopies has memory and a stream for each goroutine.
func concurrentCopies(t *testing.T, d gpu.Driver) {
	var all sync.WaitGroup
	for range 6 {
		p, s := malloc(t, d, 6*page), stream(t, d)
		all.Go(func() {
			for range 5 {
				a := randomArray(1 + rand.Int64N(6*page))
				assert.NoError(t, d.Upload(p, a, s))
				got, err := d.Download(p, a.Len(), s)
				if assert.NoError(t, err) {
					assert.True(t, string(a) == string(got.Bytes()[:a.Len()]), "%d bytes of another goroutine", a.Len())
				}
			}
		})
	}
	all.Wait()
}
