package caching

import "fmt"

// Free puts a block back into the cache. The memory stays reserved. If
// RecordStream named other streams, the block remains active until they have
// done what was queued before this call. Freeing nil does nothing; freeing
// twice is an error.
func (a *Allocator) Free(b *Block) error {
	if b == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if b.state != allocated {
		return invalidPointer(b)
	}
	class := b.segment.shelf.pool.class
	a.meters.release(class, b.size)
	if a.history != nil {
		a.history.begin(ContextAll)
		a.history.freed(ActionFreeRequested, b)
	}
	if b.size >= a.cfg.MaxSplitSize {
		a.meters.oversizeAllocations.sub(1)
	}
	if b.shared {
		return a.awaitUsers(b)
	}
	a.complete(b)
	return nil
}

func invalidPointer(b *Block) error {
	return fmt.Errorf("invalid device pointer: %#x", uint64(b.ptr))
}

// complete makes a freed block available: it joins the free neighbours and
// goes on the shelf.
func (a *Allocator) complete(b *Block) {
	sh := b.segment.shelf
	if a.history != nil {
		a.history.freed(ActionFreeCompleted, b)
	}
	own := b.size
	// The counters see only the net change, as in PyTorch: otherwise the
	// peaks would show states in the middle of a merge.
	count, bytes := a.join(b)
	if b.isPart() {
		count, bytes = count+1, bytes+b.size
	}
	a.inactiveSplit(b.segment, count, bytes)
	a.meters.deactivate(sh.pool.class, own, b.requested)
}

// join puts a freed block on the shelf, in place of the free neighbours that
// it absorbs. It returns how many those were and their bytes, as negative
// numbers.
func (a *Allocator) join(b *Block) (count, bytes int64) {
	sh := b.segment.shelf
	prev, next := cachedOrNil(b.prev), cachedOrNil(b.next)
	if prev != nil {
		count, bytes = count-1, bytes-prev.size
		a.absorbPrev(b)
	}
	if next != nil {
		count, bytes = count-1, bytes-next.size
		a.absorbNext(b)
	}
	switch {
	case prev != nil && next != nil:
		sh.blocks.remove(prev)
		sh.putInstead(next, b)
	case prev != nil:
		sh.putInstead(prev, b)
	case next != nil:
		sh.putInstead(next, b)
	default:
		sh.put(b)
	}
	return count, bytes
}

// cachedOrNil returns a neighbour that a freed block can join.
func cachedOrNil(b *Block) *Block {
	if b == nil || b.state != cached {
		return nil
	}
	return b
}
