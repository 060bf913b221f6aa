package caching

// collects reports whether garbage collection is on. It needs a limit to
// measure its threshold by.
func (a *Allocator) collects() bool {
	return a.cfg.GarbageCollectionThreshold > 0 && a.limit != noLimit
}

// collect gives back cached segments of the large pool, the old ones first,
// once reserved memory passes the threshold. The age of a segment is the
// number of searches that passed it by. Each pass takes all blocks of at least
// average age, and passes follow until enough is back.
func (a *Allocator) collect() error {
	if !a.collects() {
		return nil
	}
	threshold := int64(a.cfg.GarbageCollectionThreshold * float64(a.limit))
	target := a.reserved - threshold
	if target <= 0 {
		return nil // and the ages, which take a walk over all blocks, do not matter
	}
	p := &a.pools[large]
	ages, count := p.ages()
	for target > 0 && count > 0 {
		average := float64(ages) / float64(count)
		before := count
		for _, sh := range p.shelves {
			for b := range sh.blocks.ascend() {
				age := p.searches - b.segment.cachedAt
				if b.isPart() || b.segment.expandable || float64(age) < average {
					continue
				}
				target -= b.size
				ages -= age
				count--
				if err := a.releaseSegment(b); err != nil {
					return err
				}
			}
		}
		if count == before {
			return nil
		}
	}
	return nil
}

// ages sums the ages of all cached blocks that are whole segments.
func (p *pool) ages() (sum, count int64) {
	for _, sh := range p.shelves {
		for b := range sh.blocks.ascend() {
			if !b.isPart() {
				sum += p.searches - b.segment.cachedAt
				count++
			}
		}
	}
	return sum, count
}
