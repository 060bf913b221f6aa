package caching

import (
	"fmt"

	"github.com/torchmem/workbook/runtime/gpu"
)

// Malloc returns a block of at least size bytes for a stream. A size of zero
// gives no block, no error, and changes nothing.
//
// The error is an [*OutOfMemoryError] when neither the cache nor the driver can
// serve the request, even after the cache was emptied. Any other error is the
// driver's.
func (a *Allocator) Malloc(size int64, s gpu.Stream) (*Block, error) {
	if size == 0 {
		return nil, nil
	}
	if size < 0 {
		return nil, fmt.Errorf("caching: malloc of %d bytes", size)
	}
	if size >= tooLarge {
		return nil, &OutOfMemoryError{Tried: size}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.history != nil {
		a.history.begin(ContextState)
	}
	return a.malloc(size, s)
}

func (a *Allocator) malloc(size int64, s gpu.Stream) (*Block, error) {
	if err := a.completePassed(); err != nil {
		return nil, err
	}
	rounded := a.cfg.round(size)
	sh := a.serving.of(rounded).shelf(s)
	b := a.bestFit(sh, rounded)
	if b == nil {
		var err error
		if b, err = a.reserve(sh, rounded); err != nil {
			return nil, err
		}
	}
	return a.handOut(b, rounded, size), nil
}

// bestFit returns the cached block that serves a rounded size, or nil. It
// stays on its shelf.
func (a *Allocator) bestFit(sh *shelf, rounded int64) *Block {
	if a.collects() {
		sh.pool.searches++
	}
	b := sh.blocks.fit(rounded)
	if b != nil && b.segment.expandable {
		b = sh.leastGrowth(b)
	}
	if b == nil || !a.suits(b, rounded) {
		return nil
	}
	return b
}

// suits keeps oversize blocks for oversize requests. A bar on splitting says
// that such a block would be handed out whole, so most of it could be wasted.
func (a *Allocator) suits(b *Block, rounded int64) bool {
	if rounded < a.cfg.MaxSplitSize {
		return b.size < a.cfg.MaxSplitSize
	}
	return b.size-rounded < a.cfg.MaxNonSplitRounding
}

// handOut takes the front of a cached block off its shelf for the caller. What
// remains stays cached if it is worth keeping.
func (a *Allocator) handOut(b *Block, rounded, size int64) *Block {
	sh := b.segment.shelf
	class := sh.pool.class
	wasPart := b.isPart()
	if a.splits(b, rounded) {
		rest := b
		b = a.cutFront(b, rounded)
		sh.putInstead(rest, rest)
		if wasPart {
			a.inactiveSplit(b.segment, 0, -b.size)
		} else {
			a.inactiveSplit(b.segment, 1, rest.size)
		}
	} else {
		sh.blocks.remove(b)
		if wasPart {
			a.inactiveSplit(b.segment, -1, -b.size)
		}
	}
	b.state = allocated
	b.requested = size
	if a.history != nil {
		a.history.allocated(b)
	}
	a.meters.allocate(class, b.size, size)
	if b.size >= a.cfg.MaxSplitSize {
		a.meters.oversizeAllocations.add(1)
	}
	return b
}

// splits reports whether the rest of a block stays usable. In the large pool
// a rest of up to 1 MiB goes to the caller as slack.
func (a *Allocator) splits(b *Block, rounded int64) bool {
	rest := b.size - rounded
	p := b.segment.shelf.pool
	if p.noSplit {
		return false
	}
	if p.class == small || a.cfg.ExpandableSegments {
		return rest >= minBlock
	}
	return rounded < a.cfg.MaxSplitSize && rest > smallSize
}

// inactiveSplit counts cached blocks in segments that others pin. An
// expandable segment can give back any page, so nothing is pinned there.
func (a *Allocator) inactiveSplit(s *segment, count, bytes int64) {
	if s.expandable {
		return
	}
	c := s.shelf.pool.class
	a.meters.inactiveSplit.change(c, count)
	a.meters.inactiveSplitBytes.change(c, bytes)
}
