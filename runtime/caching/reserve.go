package caching

import (
	"errors"

	"github.com/torchmem/workbook/runtime/gpu"
)

// reserve finds memory for a request that the cache cannot serve. It tries
// four things, from cheap to dear:
//
//  1. give back old cached segments, if garbage collection is on and the
//     limit comes near;
//  2. ask the driver;
//  3. give back oversize cached blocks and ask again, if splitting has a bar;
//  4. give back everything that is cached and ask again.
//
// The block it returns is cached.
func (a *Allocator) reserve(sh *shelf, rounded int64) (*Block, error) {
	if err := a.collect(); err != nil {
		return nil, err
	}
	b, err := a.grow(sh, rounded)
	if !errors.Is(err, gpu.ErrOutOfMemory) {
		return b, err
	}
	if enough, err := a.releaseOversize(sh, rounded); err != nil {
		return nil, err
	} else if enough {
		if b, err := a.grow(sh, rounded); !errors.Is(err, gpu.ErrOutOfMemory) {
			return b, err
		}
	}
	if err := a.releaseAll(); err != nil {
		return nil, err
	}
	a.meters.allocRetries++
	b, err = a.grow(sh, rounded)
	if errors.Is(err, gpu.ErrOutOfMemory) {
		return nil, a.outOfMemory(rounded, sh)
	}
	return b, err
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
	a.history.add(ActionSegmentAlloc, p, size, sh.stream)
	b := a.addSegment(&segment{ptr: p, size: size, shelf: sh})
	sh.put(b)
	return b, nil
}
