package caching

import (
	"cmp"
	"slices"

	"github.com/torchmem/workbook/runtime/gpu"
)

// class tells the two pools apart.
type class uint8

const (
	small class = iota
	large
	classes
)

func (c class) String() string {
	if c == small {
		return "small"
	}
	return "large"
}

// pool holds all cached blocks of one class.
type pool struct {
	class class
	// noSplit pools hand out cached blocks whole.
	noSplit bool
	// owner is the private pool that this is a half of, nil for the two
	// default pools.
	owner *privatePool
	// shelves has one entry for each stream seen, ordered by handle.
	shelves []*shelf
	// searches counts the searches in the pool while garbage collection is
	// on. It is the clock that tells how old a cached block is.
	searches int64
}

// pair is a pool of each class.
type pair [classes]pool

// newPair returns two empty pools.
func newPair(owner *privatePool) pair {
	return pair{small: {class: small, owner: owner}, large: {class: large, owner: owner}}
}

// of returns the pool that serves a rounded size.
func (p *pair) of(rounded int64) *pool {
	if rounded <= smallSize {
		return &p[small]
	}
	return &p[large]
}

// shelf holds the cached blocks of one pool for one stream. Blocks never move
// between shelves.
type shelf struct {
	pool   *pool
	stream gpu.Stream
	blocks freeSet
	// unmapped are the unused ranges of expandable segments, by address.
	unmapped []*Block
}

// shelf returns the shelf of a stream, a new one when the stream is new.
func (p *pool) shelf(s gpu.Stream) *shelf {
	for _, sh := range p.shelves {
		if sh.stream == s {
			return sh
		}
	}
	at, _ := slices.BinarySearchFunc(p.shelves, s, func(sh *shelf, s gpu.Stream) int {
		return cmp.Compare(sh.stream, s)
	})
	sh := &shelf{pool: p, stream: s}
	p.shelves = slices.Insert(p.shelves, at, sh)
	return sh
}

// put makes b a cached block.
func (s *shelf) put(b *Block) {
	b.state = cached
	b.segment.cachedAt = s.pool.searches
	s.blocks.insert(b)
}

// putInstead makes b a cached block in place of old, which ceases to be one.
// They may be the same block, after it changed its size.
func (s *shelf) putInstead(old, b *Block) {
	b.state = cached
	b.segment.cachedAt = s.pool.searches
	s.blocks.replace(old, b)
}
