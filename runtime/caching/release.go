package caching

// EmptyCache gives every cached segment back to the driver, like
// torch.cuda.empty_cache. It first waits for blocks that other streams still
// use. A segment with a live block stays, whole. Private pools keep what they
// have until they are released, and while one is in use the default pools keep
// everything too.
func (a *Allocator) EmptyCache() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.history != nil {
		a.history.begin(ContextAll)
	}
	return a.releaseAll()
}

func (a *Allocator) releaseAll() error {
	if !a.private.inUse() {
		if err := a.releaseDefault(); err != nil {
			return err
		}
	}
	return a.releasePrivate()
}

func (a *Allocator) releaseDefault() error {
	if err := a.completeAll(); err != nil {
		return err
	}
	if err := a.releasePool(&a.pools[large]); err != nil {
		return err
	}
	return a.releasePool(&a.pools[small])
}

// releasePool gives back every segment that is one cached block, stream by
// stream, the smallest first, and then the cached pages of expandable ones.
func (a *Allocator) releasePool(p *pool) error {
	var expandable []*Block
	for _, sh := range p.shelves {
		for b := range sh.blocks.ascend() {
			if b.segment.expandable {
				expandable = append(expandable, b)
			} else if !b.isPart() {
				if err := a.releaseSegment(b); err != nil {
					return err
				}
			}
		}
	}
	for _, b := range expandable {
		if err := a.unmapPages(b); err != nil {
			return err
		}
	}
	return nil
}

// releaseSegment gives back the segment that the cached block b is.
func (a *Allocator) releaseSegment(b *Block) error {
	sh := b.segment.shelf
	class := sh.pool.class
	if err := a.driver.Free(b.ptr); err != nil {
		return err
	}
	if a.history != nil {
		a.history.moved(ActionSegmentFree, sh, b.ptr, b.size, b.segment.frames)
	}
	a.meters.deviceFree++
	a.reserved -= b.size
	a.meters.segment.change(class, -1)
	a.meters.reservedBytes.change(class, -b.size)
	if b.size >= a.cfg.MaxSplitSize {
		a.meters.oversizeSegments.sub(1)
	}
	sh.blocks.remove(b)
	a.dropSegment(b.segment)
	return nil
}

// releaseOversize gives back cached blocks that may not be split, until the
// rounded size would fit in their place: the best fit alone if one is large
// enough, else the largest ones. It reports whether that sufficed. Without a
// bar on splitting there are no such blocks.
func (a *Allocator) releaseOversize(sh *shelf, rounded int64) (enough bool, err error) {
	if !a.cfg.barsSplits() {
		return false, nil
	}
	need := max(rounded, a.cfg.MaxSplitSize)
	if b := sh.blocks.fit(need); b != nil && !b.segment.expandable {
		return true, a.releaseSegment(b)
	}
	var released int64
	for b := range sh.blocks.descend(atLeast(need)) {
		if released >= need || b.size < a.cfg.MaxSplitSize {
			break
		}
		if b.segment.expandable {
			continue
		}
		released += b.size
		if err := a.releaseSegment(b); err != nil {
			return false, err
		}
	}
	return released >= need, nil
}
