package caching

// counter is the inside of a [Stat]. What was freed is not counted: it follows
// from the other numbers, which saves half of the work of a free.
type counter struct {
	current, peak int64
	// total is all that was added since the last reset, and base what was
	// current then.
	total, base int64
}

func (c *counter) add(n int64) {
	c.current += n
	c.total += n
	c.peak = max(c.peak, c.current)
}

func (c *counter) sub(n int64) { c.current -= n }

func (c *counter) resetPeak() { c.peak = c.current }

func (c *counter) resetTotals() { c.total, c.base = 0, c.current }

func (c *counter) stat() Stat {
	return Stat{
		Current:   c.current,
		Peak:      c.peak,
		Allocated: c.total,
		Freed:     c.base + c.total - c.current,
	}
}

// tally counts one thing for each pool and for both together. The peak of both
// is not the sum of their peaks, so it is a counter of its own.
type tally struct {
	all  counter
	pool [classes]counter
}

func (t *tally) add(c class, n int64) {
	t.all.add(n)
	t.pool[c].add(n)
}

func (t *tally) sub(c class, n int64) {
	t.all.sub(n)
	t.pool[c].sub(n)
}

// change adds or subtracts, whichever the sign says.
func (t *tally) change(c class, n int64) {
	if n > 0 {
		t.add(c, n)
	} else if n < 0 {
		t.sub(c, -n)
	}
}

func (t *tally) stats() PoolStats {
	return PoolStats{All: t.all.stat(), Small: t.pool[small].stat(), Large: t.pool[large].stat()}
}

// meters are all counters of an allocator.
type meters struct {
	allocation, allocatedBytes        tally
	active, activeBytes               tally
	requestedBytes                    tally
	inactiveSplit, inactiveSplitBytes tally
	segment, reservedBytes            tally

	oversizeAllocations, oversizeSegments counter

	allocRetries, ooms, syncs int64
	deviceAlloc, deviceFree   int64
	maxSplitSize              int64
}

// allocate counts a block that goes to the caller.
func (m *meters) allocate(c class, size, requested int64) {
	m.allocation.add(c, 1)
	m.allocatedBytes.add(c, size)
	m.active.add(c, 1)
	m.activeBytes.add(c, size)
	m.requestedBytes.add(c, requested)
}

// release counts a block that the caller frees.
func (m *meters) release(c class, size int64) {
	m.allocation.sub(c, 1)
	m.allocatedBytes.sub(c, size)
}

// deactivate counts a freed block that no stream uses any more.
func (m *meters) deactivate(c class, size, requested int64) {
	m.active.sub(c, 1)
	m.activeBytes.sub(c, size)
	m.requestedBytes.sub(c, requested)
}

// each visits every counter that has a peak.
func (m *meters) each(visit func(*counter)) {
	for _, t := range []*tally{
		&m.allocation, &m.allocatedBytes, &m.active, &m.activeBytes, &m.requestedBytes,
		&m.inactiveSplit, &m.inactiveSplitBytes, &m.segment, &m.reservedBytes,
	} {
		visit(&t.all)
		visit(&t.pool[small])
		visit(&t.pool[large])
	}
	visit(&m.oversizeAllocations)
	visit(&m.oversizeSegments)
}
