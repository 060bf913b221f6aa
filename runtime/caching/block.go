package caching

import "github.com/torchmem/workbook/runtime/gpu"

// state says who may use the memory of a block.
type state uint8

const (
	// cached blocks lie on a shelf, ready for a request.
	cached state = iota
	// allocated blocks belong to the caller.
	allocated
	// pending blocks are freed, but a stream may still use them.
	pending
	// unmapped blocks are addresses of an expandable segment without memory.
	unmapped
	// recycled marks an object that stands for no memory at all.
	recycled
)

// Block is a piece of a segment. The caller of Malloc holds it until Free and
// must not use it afterwards. It fills one cache line exactly; what only a few
// blocks need is kept elsewhere.
type Block struct {
	ptr       gpu.Ptr
	size      int64
	requested int64
	// prev and next are the neighbours in the same segment, by address.
	prev, next *Block
	segment    *segment
	// leaf and place are where a cached block hangs in its ordered set.
	leaf  *leaf
	place int32
	state state
	// shared tells that other streams use the block too.
	shared bool
}

// Ptr returns the address of the first byte.
func (b *Block) Ptr() gpu.Ptr { return b.ptr }

// Size returns the bytes that the block occupies, at least what was requested.
func (b *Block) Size() int64 { return b.size }

// Requested returns the bytes that Malloc was asked for. A cached block keeps
// the number of its last use.
func (b *Block) Requested() int64 { return b.requested }

// Stream returns the stream that the block was allocated on.
func (b *Block) Stream() gpu.Stream { return b.segment.shelf.stream }

// isPart reports whether the block is less than its segment.
func (b *Block) isPart() bool { return b.prev != nil || b.next != nil }

// segment is one piece of memory from the driver, or one range of addresses
// that memory is mapped into.
type segment struct {
	ptr  gpu.Ptr
	size int64
	// shelf is where its free blocks lie: it fixes pool and stream for life.
	shelf *shelf
	// first is the block with the lowest address.
	first *Block
	// cachedAt is the pool's search count when a block of the segment last
	// entered the cache. It tells the age of a segment that is all cached.
	cachedAt int64
	// frames is the stack that asked for it first, where stacks are recorded.
	frames []Frame
	// expandable segments grow and shrink inside their range.
	expandable bool
	// index is the position in the allocator's list.
	index int
}

// addSegment starts a segment as one block, which is on no shelf yet.
func (a *Allocator) addSegment(s *segment) *Block {
	b := a.newBlock()
	b.ptr, b.size, b.segment = s.ptr, s.size, s
	s.first = b
	s.index = len(a.segments)
	a.segments = append(a.segments, s)
	if owner := s.shelf.pool.owner; owner != nil {
		owner.segments++
	}
	return b
}

// dropSegment forgets a segment and its only block.
func (a *Allocator) dropSegment(s *segment) {
	last := len(a.segments) - 1
	a.segments[s.index] = a.segments[last]
	a.segments[s.index].index = s.index
	a.segments[last] = nil
	a.segments = a.segments[:last]
	if owner := s.shelf.pool.owner; owner != nil {
		owner.segments--
	}
	a.recycle(s.first)
}

// newBlock takes an object from the spare ones, so that a steady program
// makes no garbage for Go.
func (a *Allocator) newBlock() *Block {
	b := a.spare
	if b == nil {
		return &Block{}
	}
	a.spare = b.next
	b.next = nil
	b.requested = 0
	return b
}

// recycle keeps an object whose memory another block has taken over. Freeing
// it again is noticed until the object is reused.
func (a *Allocator) recycle(b *Block) {
	b.state = recycled
	b.prev, b.segment = nil, nil
	b.next = a.spare
	a.spare = b
}

// cutFront makes the first size bytes of b a block of their own and returns
// it. b keeps the rest, and its requested size, which is stale from then on.
func (a *Allocator) cutFront(b *Block, size int64) *Block {
	front := a.newBlock()
	front.ptr, front.size, front.segment = b.ptr, size, b.segment
	front.prev, front.next = b.prev, b
	if b.prev != nil {
		b.prev.next = front
	} else {
		b.segment.first = front
	}
	b.prev = front
	b.ptr += gpu.Ptr(size)
	b.size -= size
	return front
}

// cutBack makes the last size bytes of b a block of their own and returns it.
func (a *Allocator) cutBack(b *Block, size int64) *Block {
	back := a.newBlock()
	back.ptr, back.size, back.segment = b.ptr+gpu.Ptr(b.size-size), size, b.segment
	back.prev, back.next = b, b.next
	if b.next != nil {
		b.next.prev = back
	}
	b.next = back
	b.size -= size
	return back
}

// absorbPrev joins b with the block below it, which ceases to exist.
func (a *Allocator) absorbPrev(b *Block) {
	p := b.prev
	b.ptr = p.ptr
	b.size += p.size
	b.prev = p.prev
	if b.prev != nil {
		b.prev.next = b
	} else {
		b.segment.first = b
	}
	a.recycle(p)
}

// absorbNext joins b with the block above it, which ceases to exist.
func (a *Allocator) absorbNext(b *Block) {
	n := b.next
	b.size += n.size
	b.next = n.next
	if b.next != nil {
		b.next.prev = b
	}
	a.recycle(n)
}
