package sim

import (
	"slices"

	"github.com/torchmem/workbook/runtime/gpu"
)

// # How cudaMalloc chooses an address
//
// The driver holds memory in chunks, each a whole number of 32 MiB. A request
// goes to the newest chunk that has a hole for it, into the smallest hole that
// fits, at the hole's low end. When no chunk has one, a new chunk is made for
// the request. A chunk that becomes empty is given back at once.

const (
	mib       = 1 << 20
	chunkUnit = 32 * mib
	// ceiling is where the first new chunk ends. A real process draws it
	// at random; only distances matter.
	ceiling gpu.Ptr = 0x7f0200000000
)

// span is a range of addresses, in bytes.
type span struct {
	at   gpu.Ptr
	size int64
}

func (s span) end() gpu.Ptr { return s.at + gpu.Ptr(s.size) }

// chunk is one range that the driver took from the system.
type chunk struct {
	span
	// holes are the free parts, by address, never adjacent.
	holes []span
}

// arena is all that cudaMalloc manages.
type arena struct {
	// byAge holds the chunks in the order of their creation.
	byAge []*chunk
	// byAddress holds those below the ceiling, the highest first.
	byAddress []*chunk
	// taken says where each live piece lies.
	taken map[gpu.Ptr]piece
}

type piece struct {
	size int64
	from *chunk
}

func newArena() arena { return arena{taken: map[gpu.Ptr]piece{}} }

// leftByContext is the state after the context and the default stream were
// made: two old chunks above the ceiling, each with a hole.
func (a *arena) leftByContext() {
	a.byAge = append(a.byAge,
		foreign(span{ceiling + 488*mib, 24 * mib}),
		foreign(span{ceiling + 414*mib, 2 * mib}))
}

// leftByStreams is the state when streams were made too: one chunk with a
// hole.
func (a *arena) leftByStreams() {
	a.byAge = append(a.byAge, foreign(span{ceiling + 6*mib, 26 * mib}))
}

// foreign is a chunk that holds something of the driver's own beside the hole,
// so it never becomes empty.
func foreign(hole span) *chunk {
	base := hole.at / chunkUnit * chunkUnit
	return &chunk{span: span{base, chunkUnit}, holes: []span{hole}}
}

// take finds room for size bytes.
func (a *arena) take(size int64) gpu.Ptr {
	for _, c := range slices.Backward(a.byAge) {
		if p, ok := c.take(size); ok {
			a.taken[p] = piece{size, c}
			return p
		}
	}
	c := a.grow(size)
	p, _ := c.take(size)
	a.taken[p] = piece{size, c}
	return p
}

// give returns the piece at p and tells its size.
func (a *arena) give(p gpu.Ptr) (size int64, ok bool) {
	t, ok := a.taken[p]
	if !ok {
		return 0, false
	}
	delete(a.taken, p)
	t.from.give(span{p, t.size})
	if t.from.empty() {
		a.drop(t.from)
	}
	return t.size, true
}

// grow makes a chunk for size bytes. It walks the gaps between chunks from the
// ceiling down and takes the upper end of the first that is strictly larger:
// a gap of exactly the chunk's size is passed over.
func (a *arena) grow(size int64) *chunk {
	size = (size + chunkUnit - 1) / chunkUnit * chunkUnit
	top, i := ceiling, 0
	for ; i < len(a.byAddress); i++ {
		if int64(top-a.byAddress[i].end()) > size {
			break
		}
		top = a.byAddress[i].at
	}
	s := span{top - gpu.Ptr(size), size}
	c := &chunk{span: s, holes: []span{s}}
	a.byAge = append(a.byAge, c)
	a.byAddress = slices.Insert(a.byAddress, i, c)
	return c
}

func (a *arena) drop(c *chunk) {
	a.byAge = without(a.byAge, c)
	a.byAddress = without(a.byAddress, c)
}

func without(all []*chunk, c *chunk) []*chunk {
	i := slices.Index(all, c)
	return slices.Delete(all, i, i+1)
}

// take uses the smallest hole that fits, the lowest of equals.
func (c *chunk) take(size int64) (gpu.Ptr, bool) {
	best := -1
	for i, h := range c.holes {
		if h.size >= size && (best < 0 || h.size < c.holes[best].size) {
			best = i
		}
	}
	if best < 0 {
		return 0, false
	}
	h := &c.holes[best]
	p := h.at
	h.at += gpu.Ptr(size)
	h.size -= size
	if h.size == 0 {
		c.holes = slices.Delete(c.holes, best, best+1)
	}
	return p, true
}

// give makes a hole and joins it with its neighbours.
func (c *chunk) give(s span) {
	i, _ := slices.BinarySearchFunc(c.holes, s.at, func(h span, at gpu.Ptr) int {
		if h.at < at {
			return -1
		}
		return 1
	})
	c.holes = slices.Insert(c.holes, i, s)
	if i+1 < len(c.holes) && c.holes[i].end() == c.holes[i+1].at {
		c.holes[i].size += c.holes[i+1].size
		c.holes = slices.Delete(c.holes, i+1, i+2)
	}
	if i > 0 && c.holes[i-1].end() == c.holes[i].at {
		c.holes[i-1].size += c.holes[i].size
		c.holes = slices.Delete(c.holes, i, i+1)
	}
}

func (c *chunk) empty() bool { return len(c.holes) == 1 && c.holes[0] == c.span }
