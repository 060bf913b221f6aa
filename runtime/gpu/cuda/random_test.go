//go:build cuda

package cuda_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/cuda"
)

// TestRandomOperations lets the caching allocator work on the GPU for 10,000
// random operations. After each, what the driver counts as used has grown by
// exactly what the allocator has reserved. Every block holds a number of its
// own from the beginning to the end of its life, so no two are the same memory.
func TestRandomOperations(t *testing.T) {
	for name, settings := range map[string]string{"Fixed": "", "Expandable": "expandable_segments:True"} {
		t.Run(name, func(t *testing.T) {
			r := newRun(t, settings)
			start := time.Now()
			for i := range 10_000 {
				r.step()
				require.Equal(t, r.constant, used(r.driver)-r.reserved(), "after operation %d, seed %d", i, r.seed)
			}
			t.Logf("%v; constant %d bytes; %d driver allocations, %d frees; peak reserved %d bytes", time.Since(start), r.constant,
				r.allocator.Stats().NumDeviceAlloc, r.allocator.Stats().NumDeviceFree, r.allocator.Stats().ReservedBytes.All.Peak)
			r.end()
		})
	}
}

// run is one random program.
type run struct {
	*testing.T
	*rand.Rand
	seed      uint64
	driver    *cuda.Driver
	allocator *caching.Allocator
	streams   []gpu.Stream
	held      []stamped
	bytes     int64 // of all blocks that are held
	most      int64 // that bytes may become
	constant  int64 // what is used beside what is reserved
}

// stamped is a block with the number that it holds.
type stamped struct {
	*caching.Block
	number uint64
	stream gpu.Stream
}

func newRun(t *testing.T, settings string) *run {
	d := open(t)
	require.NoError(t, d.LoadText(text, "spin"))
	seed := rand.Uint64()
	r := &run{
		T: t, Rand: rand.New(rand.NewPCG(seed, 0)), seed: seed,
		driver: d, allocator: newAllocator(t, d, settings), streams: []gpu.Stream{0},
		most: min(4<<30, d.Profile().TotalMemory/8),
	}
	for range 3 {
		s, err := r.allocator.NewStream()
		require.NoError(t, err)
		r.streams = append(r.streams, s)
	}
	r.constant = used(d)
	return r
}

func (r *run) reserved() int64 { return r.allocator.Stats().ReservedBytes.All.Current }

// step does one operation.
func (r *run) step() {
	switch n := r.IntN(100); {
	case n < 48:
		r.malloc()
	case n < 90:
		r.free()
	case n < 97:
		r.share()
	case n < 98:
		require.NoError(r, r.allocator.EmptyCache())
	case n < 99:
		require.NoError(r, r.driver.Synchronize())
	default:
		require.NoError(r, r.driver.LaunchText("spin", r.stream(), uint64(time.Millisecond)))
	}
}

func (r *run) stream() gpu.Stream { return r.streams[r.IntN(len(r.streams))] }

// size draws small sizes as often as large ones.
func (r *run) size() int64 {
	largest := []int64{4 << 10, 1 << 20, 10 << 20, 64 << 20, r.most / 15}[r.IntN(5)]
	return 16 + r.Int64N(largest)
}

// malloc takes a block and stamps it, as long as not too much is held.
func (r *run) malloc() {
	size, s := r.size(), r.stream()
	if r.bytes+size > r.most {
		r.free()
		return
	}
	b, err := r.allocator.Malloc(size, s)
	require.NoError(r, err)
	h := stamped{b, r.Uint64(), s}
	for _, p := range h.ends() {
		require.NoError(r, r.driver.Upload(p, content(h.bytes()), s))
	}
	r.held = append(r.held, h)
	r.bytes += b.Size()
}

// ends are the first and the last place for the number in a block.
func (h stamped) ends() [2]gpu.Ptr { return [2]gpu.Ptr{h.Ptr(), h.Ptr() + gpu.Ptr(h.Size()) - 8} }

func (h stamped) bytes() []byte { return binary.LittleEndian.AppendUint64(nil, h.number) }

// free looks whether a block still holds its number and gives it back.
func (r *run) free() {
	if len(r.held) == 0 {
		return
	}
	i := r.IntN(len(r.held))
	h := r.held[i]
	for _, p := range h.ends() {
		got, err := r.driver.Download(p, 8, h.stream)
		require.NoError(r, err)
		require.Equal(r, h.bytes(), got.Bytes(), "a block of %d bytes was written by another, seed %d", h.Size(), r.seed)
	}
	r.held = slices.Delete(r.held, i, i+1)
	r.bytes -= h.Size()
	require.NoError(r, r.allocator.Free(h.Block))
}

// share lets another stream use a block.
func (r *run) share() {
	if len(r.held) == 0 {
		return
	}
	require.NoError(r, r.allocator.RecordStream(r.held[r.IntN(len(r.held))].Block, r.stream()))
}

// end gives everything back: the constant is left.
func (r *run) end() {
	for len(r.held) > 0 {
		r.free()
	}
	require.NoError(r, r.allocator.EmptyCache())
	require.Zero(r, r.reserved())
	require.Equal(r, r.constant, used(r.driver))
}
