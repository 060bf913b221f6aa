//go:build cuda

package cuda_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
)

// newAllocator puts the caching allocator on a driver.
func newAllocator(t *testing.T, d caching.Driver, settings string) *caching.Allocator {
	t.Helper()
	cfg, err := caching.ParseConfig(settings)
	require.NoError(t, err)
	a, err := caching.New(d, cfg)
	require.NoError(t, err)
	return a
}

// fill allocates blocks until there is no room and returns them with the error.
func fill(t *testing.T, a *caching.Allocator, size int64) ([]*caching.Block, *caching.OutOfMemoryError) {
	t.Helper()
	var held []*caching.Block
	for {
		b, err := a.Malloc(size, 0)
		if err != nil {
			var full *caching.OutOfMemoryError
			require.ErrorAs(t, err, &full)
			require.ErrorIs(t, err, gpu.ErrOutOfMemory)
			return held, full
		}
		held = append(held, b)
	}
}

// TestOutOfMemory fills the GPU until it refuses, and then a simulated one of
// the same profile: as many blocks, and the same error to the letter. Both
// recover.
func TestOutOfMemory(t *testing.T) {
	for _, settings := range []string{"", "expandable_segments:True"} {
		t.Run(settings, func(t *testing.T) {
			d := open(t)
			size := d.Profile().TotalMemory / 64 / (20 << 20) * (20 << 20)
			onGPU, onSim := newAllocator(t, d, settings), newAllocator(t, sim.New(d.Profile()), settings)
			before := used(d)
			held, full := fill(t, onGPU, size)
			wanted, wantedFull := fill(t, onSim, size)
			t.Log(full)
			require.Len(t, held, len(wanted))
			require.Equal(t, wantedFull.Error(), full.Error())
			require.Equal(t, wantedFull, full)
			require.Equal(t, before+onGPU.Stats().ReservedBytes.All.Current, used(d))

			require.NoError(t, onGPU.Free(held[0]))
			again, err := onGPU.Malloc(size, 0)
			require.NoError(t, err, "what was freed can be had again")
			held[0] = again
			for _, b := range held {
				require.NoError(t, onGPU.Free(b))
			}
			require.NoError(t, onGPU.EmptyCache())
			require.Equal(t, before, used(d))
			b, err := onGPU.Malloc(size*(int64(len(held))-1), 0)
			require.NoError(t, err, "an empty GPU has room for one large block")
			require.NoError(t, onGPU.Free(b))
			require.NoError(t, onGPU.EmptyCache())
		})
	}
}

// TestLimit holds a process to a share of the GPU. The error is the simulated
// one, and the driver's figure stays below the limit too.
func TestLimit(t *testing.T) {
	d := open(t)
	const fraction, size = 0.05, 20 << 20
	onGPU, onSim := newAllocator(t, d, ""), newAllocator(t, sim.New(d.Profile()), "")
	before := used(d)
	require.NoError(t, onGPU.SetMemoryFraction(fraction))
	require.NoError(t, onSim.SetMemoryFraction(fraction))
	held, full := fill(t, onGPU, size)
	wanted, wantedFull := fill(t, onSim, size)
	t.Log(full)
	require.Len(t, held, len(wanted))
	require.Equal(t, wantedFull.Error(), full.Error())
	limit := int64(fraction * float64(d.Profile().TotalMemory))
	require.LessOrEqual(t, used(d)-before, limit)
	require.Greater(t, used(d)-before, limit-size)

	require.NoError(t, onGPU.SetMemoryFraction(1))
	b, err := onGPU.Malloc(size, 0)
	require.NoError(t, err, "without the limit there is room")
	for _, b := range append(held, b) {
		require.NoError(t, onGPU.Free(b))
	}
	require.NoError(t, onGPU.EmptyCache())
	require.Equal(t, before, used(d))
}
