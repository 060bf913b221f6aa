package caching

import (
	"errors"

	"github.com/torchmem/workbook/runtime/gpu"
)

// reserve finds memory for a request that the cache cannot serve. It tries
// five things, from cheap to dear:
//
//  1. give back old cached segments, if garbage collection is on and the
//     limit comes near;
//  2. ask the driver;
//  3. borrow from private pools that lend to requests outside of them;
//  4. give back oversize cached blocks and ask again, if splitting has a bar;
//  5. give back everything that is cached and ask again. This is left out
//     while a private pool is in use.
//
// The block it returns is cached.
func (a *Allocator) reserve(sh *shelf, rounded int64) (*Block, error) {
	if err := a.collect(); err != nil {
		return nil, err
	}
	for _, try := range []func(*shelf, int64) (*Block, error){a.grow, a.borrow, a.growForOversize, a.growForAll} {
		if b, err := try(sh, rounded); !errors.Is(err, gpu.ErrOutOfMemory) {
			return b, err
		}
	}
	return nil, a.outOfMemory(rounded, sh)
}

// growForOversize gives back oversize cached blocks for a new segment.
func (a *Allocator) growForOversize(sh *shelf, rounded int64) (*Block, error) {
	enough, err := a.releaseOversize(sh, rounded)
	if err != nil {
		return nil, err
	}
	if !enough {
		return nil, gpu.ErrOutOfMemory
	}
	return a.grow(sh, rounded)
}

// growForAll gives back the whole cache for a new segment.
func (a *Allocator) growForAll(sh *shelf, rounded int64) (*Block, error) {
	if a.private.inUse() {
		return nil, gpu.ErrOutOfMemory
	}
	if err := a.releaseAll(); err != nil {
		return nil, err
	}
	a.meters.allocRetries++
	return a.grow(sh, rounded)
}

// grow takes memory from the driver. It fails with an error that is
// [gpu.ErrOutOfMemory] when the limit or the device has no room. The limit is
// tested against the size of a segment, even where segments expand.
func (a *Allocator) grow(sh *shelf, rounded int64) (*Block, error) {
	size := a.cfg.segmentSize(rounded)
	if a.limit != noLimit && a.reserved+size > a.limit {
		return nil, gpu.ErrOutOfMemory
	}
	if a.cfg.ExpandableSegments {
		return a.expand(sh, rounded)
	}
	return a.addFixed(sh, size)
}

// addFixed takes a segment of a fixed size.
func (a *Allocator) addFixed(sh *shelf, size int64) (*Block, error) {
	p, err := a.driver.Malloc(size)
	if err != nil {
		return nil, err
	}
	a.reserved += size
	class := sh.pool.class
	a.meters.segment.change(class, 1)
	a.meters.reservedBytes.change(class, size)
	a.meters.deviceAlloc++
	if size >= a.cfg.MaxSplitSize {
		a.meters.oversizeSegments.add(1)
	}
	if a.history != nil {
		a.history.moved(ActionSegmentAlloc, sh, p, size, nil)
	}
	b := a.addSegment(&segment{ptr: p, size: size, shelf: sh, frames: a.runningStack()})
	sh.put(b)
	return b, nil
}
