package caching

import (
	"cmp"
	"slices"

	"github.com/torchmem/workbook/runtime/gpu"
)

// # Expandable segments
//
// A segment of fixed size cannot serve a request that is a byte too large, no
// matter how much of it is free. An expandable segment reserves more addresses
// than the device has memory, and gets memory page by page from the front.
// Free memory at its end grows to fit the next request, so one segment for
// each pool and stream is enough, and what lies free in the middle can go back
// without its neighbours.
//
// Ranges without memory are blocks too, in the state unmapped: neighbours of
// the others, but never on a shelf.

// pageSize is how much is mapped at a time, in bytes.
func (a *Allocator) pageSize(sh *shelf) int64 {
	if sh.pool.class == small {
		return smallSegment
	}
	return a.cfg.LargeSegment
}

// expand finds or makes a cached block of at least rounded bytes at the end of
// mapped memory. What it could map before it ran out of memory stays cached.
func (a *Allocator) expand(sh *shelf, rounded int64) (*Block, error) {
	b := sh.expandableRun(rounded)
	if b == nil {
		var err error
		if b, err = a.addExpandable(sh); err != nil {
			return nil, err
		}
	}
	if b.state == unmapped {
		if err := a.mapFront(b, min(b.size, rounded)); err != nil {
			return nil, err
		}
	}
	for b.size < rounded {
		// The next range absorbs b as it gets memory.
		next := b.next
		if err := a.mapFront(next, min(rounded-b.size, next.size)); err != nil {
			return nil, err
		}
		b = next
	}
	return b, nil
}

// leastGrowth prefers, among the blocks after the best fit, one with less room
// to grow: the end of a segment is worth keeping whole.
func (s *shelf) leastGrowth(b *Block) *Block {
	for {
		next := s.blocks.first(keyOf(b).next())
		if next == nil || next.reach() >= b.reach() {
			return b
		}
		b = next
	}
}

// reach is the size of a block with the unmapped range behind it.
func (b *Block) reach() int64 {
	if b.next != nil && b.next.state == unmapped {
		return b.size + b.next.size
	}
	return b.size
}

// expandableRun returns the start of the lowest run of cached and unmapped
// blocks that has room, or nil.
func (s *shelf) expandableRun(rounded int64) *Block {
	for _, u := range s.unmapped {
		start := u
		if p := cachedOrNil(u.prev); p != nil {
			start = p
		}
		var room int64
		for b := start; b != nil && (b.state == cached || b.state == unmapped); b = b.next {
			if room += b.size; room >= rounded {
				return start
			}
		}
	}
	return nil
}

// addExpandable reserves addresses for more than the device's memory.
func (a *Allocator) addExpandable(sh *shelf) (*Block, error) {
	_, total := a.driver.MemInfo()
	page := a.pageSize(sh)
	size := (total + total/8 + page - 1) / page * page
	p, err := a.virtual.Reserve(size)
	if err != nil {
		return nil, err
	}
	b := a.addSegment(&segment{ptr: p, size: size, shelf: sh, expandable: true, frames: a.runningStack()})
	b.state = unmapped
	sh.addUnmapped(b)
	return b, nil
}

// mapFront gives memory to the pages of an unmapped block that hold its first
// want bytes. The block becomes cached, together with cached neighbours; a rest
// stays unmapped.
func (a *Allocator) mapFront(b *Block, want int64) error {
	sh := b.segment.shelf
	page := a.pageSize(sh)
	size := (want + page - 1) / page * page
	if err := a.virtual.Map(b.ptr, size); err != nil {
		return err
	}
	sh.dropUnmapped(b)
	if size < b.size {
		rest := a.cutBack(b, b.size-size)
		rest.state = unmapped
		sh.addUnmapped(rest)
	}
	if a.history != nil {
		a.history.moved(ActionSegmentMap, sh, b.ptr, size, nil)
	}
	a.reserved += size
	a.meters.reservedBytes.add(sh.pool.class, size)
	a.meters.deviceAlloc++
	if p := cachedOrNil(b.prev); p != nil {
		sh.blocks.remove(p)
		a.absorbPrev(b)
	}
	if n := cachedOrNil(b.next); n != nil {
		sh.blocks.remove(n)
		a.absorbNext(b)
	}
	sh.put(b)
	return nil
}

// unmapPages takes the memory of all whole pages in a cached block. Parts of
// pages before and after them stay cached. A segment without memory goes.
func (a *Allocator) unmapPages(b *Block) error {
	sh := b.segment.shelf
	page := a.pageSize(sh)
	start := int64(b.ptr - b.segment.ptr)
	from, to := (start+page-1)/page*page, (start+b.size)/page*page
	if from >= to {
		return nil
	}
	if err := a.virtual.Unmap(b.segment.ptr+gpu.Ptr(from), to-from); err != nil {
		return err
	}
	sh.blocks.remove(b)
	if before := from - start; before > 0 {
		sh.put(a.cutFront(b, before))
	}
	if after := b.size - (to - from); after > 0 {
		sh.put(a.cutBack(b, after))
	}
	a.reserved -= b.size
	a.meters.reservedBytes.sub(sh.pool.class, b.size)
	a.meters.deviceFree++
	if a.history != nil {
		a.history.moved(ActionSegmentUnmap, sh, b.ptr, b.size, b.segment.frames)
	}
	return a.joinUnmapped(b)
}

// joinUnmapped joins a block that lost its memory with unmapped neighbours, and
// gives the addresses back if that is the whole segment.
func (a *Allocator) joinUnmapped(b *Block) error {
	sh := b.segment.shelf
	b.state = unmapped
	if p := b.prev; p != nil && p.state == unmapped {
		sh.dropUnmapped(p)
		a.absorbPrev(b)
	}
	if n := b.next; n != nil && n.state == unmapped {
		sh.dropUnmapped(n)
		a.absorbNext(b)
	}
	if b.isPart() {
		sh.addUnmapped(b)
		return nil
	}
	defer a.dropSegment(b.segment)
	return a.virtual.Release(b.segment.ptr)
}

// addUnmapped and dropUnmapped keep the unmapped blocks in order of address.
func (s *shelf) addUnmapped(b *Block) {
	i, _ := s.findUnmapped(b)
	s.unmapped = slices.Insert(s.unmapped, i, b)
}

func (s *shelf) dropUnmapped(b *Block) {
	i, _ := s.findUnmapped(b)
	s.unmapped = slices.Delete(s.unmapped, i, i+1)
}

func (s *shelf) findUnmapped(b *Block) (int, bool) {
	return slices.BinarySearchFunc(s.unmapped, b, func(x, y *Block) int { return cmp.Compare(x.ptr, y.ptr) })
}
