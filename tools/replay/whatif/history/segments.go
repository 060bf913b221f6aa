package history

import (
	"github.com/tidwall/btree"
	"github.com/torchmem/workbook/runtime/gpu"
)

// smallSegment is the size of every segment of the small pool, and of no other.
const smallSegment = 2 << 20

// segment is a segment of fixed size.
type segment struct {
	span
	// older tells that it is older than the history.
	older bool
	// private tells that its pool is private.
	private bool
	// live counts its blocks that are not cached.
	live int
}

// segments are the segments at one moment.
type segments struct {
	tree btree.Map[gpu.Ptr, *segment]
	// cached counts those of the default pools that are one cached block:
	// all of them, and those of the large pool.
	cached, cachedLarge int
}

// at returns the segment that begins at an address, or nil.
func (s *segments) at(p gpu.Ptr) *segment {
	x, _ := s.tree.Get(p)
	return x
}

// holding returns the segment that holds all of [p, p+size), or nil.
func (s *segments) holding(p gpu.Ptr, size int64) (found *segment) {
	s.tree.Descend(p, func(_ gpu.Ptr, x *segment) bool {
		if x.holds(p, size) {
			found = x
		}
		return false
	})
	return found
}

// add reports whether the place was free.
func (s *segments) add(x *segment) bool {
	free := true
	s.tree.Descend(x.end()-1, func(_ gpu.Ptr, below *segment) bool {
		free = below.end() <= x.at
		return false
	})
	if free {
		s.tree.Set(x.at, x)
		s.count(x, 1)
	}
	return free
}

func (s *segments) remove(x *segment) {
	s.tree.Delete(x.at)
	s.count(x, -1)
}

// use counts a block that left the cache, or with -1 one that came back.
func (s *segments) use(x *segment, n int) {
	if x == nil {
		return
	}
	s.count(x, -1)
	x.live += n
	s.count(x, 1)
}

// count counts a segment if it is one cached block.
func (s *segments) count(x *segment, n int) {
	if x.live > 0 || x.private {
		return
	}
	s.cached += n
	if x.size != smallSegment {
		s.cachedLarge += n
	}
}
