package drivertest

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/gpu"
)

// Memory tests Malloc, Free and MemInfo.
func Memory(t *testing.T, open Opener) {
	each(t, open, map[string]func(*testing.T, gpu.Driver){
		"Sizes":          sizes,
		"WrongSizes":     wrongSizes,
		"WrongAddresses": wrongAddresses,
		"Books":          books,
		"RandomBooks":    randomBooks,
		"TooLarge":       tooLarge,
		"Full":           full,
		"Concurrent":     concurrentMemory,
	})
}

// sizes are handed out without overlap, aligned for every element type.
func sizes(t *testing.T, d gpu.Driver) {
	held := map[gpu.Ptr]int64{}
	for _, size := range []int64{512, 1024, 1536, page - 512, page, page + 512, 10 * page, 10*page + 512, 100 * page} {
		for range 3 {
			p := malloc(t, d, size)
			require.NotZero(t, p)
			require.Zero(t, p%256, "%d bytes at %#x", size, p)
			for q, other := range held {
				require.False(t, p < q+gpu.Ptr(other) && q < p+gpu.Ptr(size), "%d bytes at %#x overlap %d at %#x", size, p, other, q)
			}
			held[p] = size
		}
	}
	for p := range held {
		require.NoError(t, d.Free(p))
	}
}

// wrongSizes are refused, and not for a lack of memory.
func wrongSizes(t *testing.T, d gpu.Driver) {
	before := used(d)
	for _, size := range []int64{0, -1, -page} {
		_, err := d.Malloc(size)
		require.Error(t, err)
		require.NotErrorIs(t, err, gpu.ErrOutOfMemory)
	}
	require.Equal(t, before, used(d))
}

// wrongAddresses cannot be freed: any that malloc did not return, the inside of
// a piece, and a piece that was freed before.
func wrongAddresses(t *testing.T, d gpu.Driver) {
	p := malloc(t, d, page)
	before := used(d)
	for _, wrong := range []gpu.Ptr{0, 12345, p + 512, p + page} {
		require.ErrorContains(t, d.Free(wrong), "not an address that malloc returned")
	}
	require.Equal(t, before, used(d))
	require.NoError(t, d.Free(p))
	require.ErrorContains(t, d.Free(p), "not an address that malloc returned")
	require.Equal(t, before-page, used(d))
}

// books says that used memory is what was taken, no more and no less.
func books(t *testing.T, d gpu.Driver) {
	_, total := d.MemInfo()
	require.Equal(t, total, d.Profile().TotalMemory)
	base := used(d)
	require.Equal(t, base, d.Profile().ContextMemory, "a new device holds what its profile says")
	a, b := malloc(t, d, page), malloc(t, d, 10*page)
	require.Equal(t, base+11*page, used(d))
	require.NoError(t, d.Free(a))
	require.Equal(t, base+10*page, used(d))
	c := malloc(t, d, 513*page)
	require.Equal(t, base+523*page, used(d))
	require.NoError(t, d.Free(b))
	require.NoError(t, d.Free(c))
	require.Equal(t, base, used(d))
	_, after := d.MemInfo()
	require.Equal(t, total, after)
}

// randomBooks does the same with random sizes in a random order.
func randomBooks(t *testing.T, d gpu.Driver) {
	seed := kernelSeed(t)
	t.Logf("%s=%d", seedVariable, seed)
	random := rand.New(rand.NewPCG(seed, 0))
	base, taken := used(d), int64(0)
	type piece struct {
		at   gpu.Ptr
		size int64
	}
	var held []piece
	for i := range 300 {
		if len(held) > 0 && random.IntN(2) == 0 {
			j := random.IntN(len(held))
			require.NoError(t, d.Free(held[j].at))
			taken -= held[j].size
			held[j] = held[len(held)-1]
			held = held[:len(held)-1]
		} else {
			size := (1 + random.Int64N(50)) * page
			held = append(held, piece{malloc(t, d, size), size})
			taken += size
		}
		require.Equal(t, base+taken, used(d), "after operation %d", i)
	}
	for _, p := range held {
		require.NoError(t, d.Free(p.at))
	}
	require.Equal(t, base, used(d))
}

// tooLarge requests fail with the error that the allocator above looks for, and
// leave the device as it was.
func tooLarge(t *testing.T, d gpu.Driver) {
	before := used(d)
	_, total := d.MemInfo()
	for _, size := range []int64{total, total + 1, 16 * total} {
		_, err := d.Malloc(size)
		require.ErrorIs(t, err, gpu.ErrOutOfMemory)
		require.Equal(t, before, used(d))
	}
	require.NoError(t, d.Free(malloc(t, d, page)))
}

// full is a device that was filled until it refused. After a free it goes on.
func full(t *testing.T, d gpu.Driver) {
	base, piece := used(d), share(d, 16)
	var held []gpu.Ptr
	for {
		p, err := d.Malloc(piece)
		if err != nil {
			require.ErrorIs(t, err, gpu.ErrOutOfMemory)
			break
		}
		held = append(held, p)
		require.Less(t, len(held), 17, "more than the device has")
	}
	require.GreaterOrEqual(t, len(held), 1)
	free, _ := d.MemInfo()
	require.Less(t, free, piece)
	require.Equal(t, base+int64(len(held))*piece, used(d), "a refused request takes nothing")
	last := len(held) - 1
	require.NoError(t, d.Free(held[last]))
	held[last] = malloc(t, d, piece)
	for _, p := range held {
		require.NoError(t, d.Free(p))
	}
	require.Equal(t, base, used(d))
}

// concurrentMemory is memory for several goroutines: nobody gets what another
// holds.
func concurrentMemory(t *testing.T, d gpu.Driver) {
	base := used(d)
	var held sync.Map
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				p, err := d.Malloc(page)
				if !assert.NoError(t, err) {
					return
				}
				_, taken := held.LoadOrStore(p, true)
				assert.False(t, taken, "%#x was handed out twice", p)
				held.Delete(p)
				assert.NoError(t, d.Free(p))
			}
		})
	}
	all.Wait()
	require.Equal(t, base, used(d))
}
