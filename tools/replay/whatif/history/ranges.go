package history

import (
	"github.com/tidwall/btree"
	"github.com/torchmem/workbook/runtime/gpu"
)

// span is a range of addresses in a lane.
type span struct {
	at   gpu.Ptr
	size int64
	lane int
}

func (s span) end() gpu.Ptr { return s.at + gpu.Ptr(s.size) }

// holds reports whether all of [p, p+size) lies in s.
func (s span) holds(p gpu.Ptr, size int64) bool {
	return p >= s.at && size <= s.size && p-s.at <= gpu.Ptr(s.size-size)
}

// ranges are addresses with memory, apart from each other.
type ranges struct {
	tree btree.Map[gpu.Ptr, span]
}

// before returns the last range that begins at or before p.
func (r *ranges) before(p gpu.Ptr) (last span, ok bool) {
	r.tree.Descend(p, func(_ gpu.Ptr, s span) bool {
		last, ok = s, true
		return false
	})
	return last, ok
}

// after returns the first range that begins at or after p.
func (r *ranges) after(p gpu.Ptr) (first span, ok bool) {
	r.tree.Ascend(p, func(_ gpu.Ptr, s span) bool {
		first, ok = s, true
		return false
	})
	return first, ok
}

// find returns the range that holds all of [p, p+size).
func (r *ranges) find(p gpu.Ptr, size int64) (span, bool) {
	s, ok := r.before(p)
	return s, ok && s.holds(p, size)
}

// add gives memory to a range that has none, and joins it with those beside it.
// It reports whether it had none.
func (r *ranges) add(s span) bool {
	prev, hasPrev := r.before(s.at)
	next, hasNext := r.after(s.at)
	if hasPrev && prev.end() > s.at || hasNext && next.at < s.end() {
		return false
	}
	if hasPrev && prev.end() == s.at && prev.lane == s.lane {
		s.at, s.size = prev.at, s.size+prev.size
	}
	if hasNext && next.at == s.end() && next.lane == s.lane {
		s.size += next.size
		r.tree.Delete(next.at)
	}
	r.tree.Set(s.at, s)
	return true
}

// remove takes memory away again. It returns the range that it was a part of,
// and reports whether all of it was there.
func (r *ranges) remove(p gpu.Ptr, size int64) (span, bool) {
	s, ok := r.find(p, size)
	if !ok {
		return s, false
	}
	r.tree.Delete(s.at)
	before := span{s.at, int64(p - s.at), s.lane}
	behind := span{p + gpu.Ptr(size), int64(s.end()-p) - size, s.lane}
	for _, rest := range []span{before, behind} {
		if rest.size > 0 {
			r.tree.Set(rest.at, rest)
		}
	}
	return s, true
}
