package history

import "github.com/torchmem/workbook/runtime/caching"

// # Private pools that are gone
//
// The snapshot tells the pool of a segment that is still there. Of one that went
// back before, nothing tells it. But a private pool has an order of its own: its
// small segments go first, then the large ones, where empty_cache begins with
// the large. And it goes alone, while the default pools may keep what they have
// cached. Segments that are known by that to be private are noted, and the
// history is read again from the start, with them in a pool of their own.

// findPools notes which segments of a run belonged to private pools.
func (r *reader) findPools(run run) {
	from := r.breakOf(run.shared)
	if !run.all && (!run.served || !r.partly) {
		from = 0
	}
	var pool caching.PoolID
	for k := from; k < len(run.shared); k++ {
		i := run.shared[k]
		if k == from || classOrder(r.events[run.shared[k-1]], r.events[i]) < 0 {
			// The first of a pool gives it its name.
			pool = caching.PoolID{-1, i}
		}
		r.found[i] = pool
	}
}

// breakOf returns where the order of empty_cache ends because a large segment
// follows a small one. Small ones of its stream before it belong to it.
func (r *reader) breakOf(run []int) int {
	for k := 1; k < len(run); k++ {
		large := r.events[run[k]]
		if classOrder(r.events[run[k-1]], large) <= 0 {
			continue
		}
		for k > 0 && r.events[run[k-1]].Size == smallSegment && r.events[run[k-1]].Stream == large.Stream {
			k--
		}
		return k
	}
	return len(run)
}

// dropPools writes the ends of the private pools of a run.
func (r *reader) dropPools(run run) {
	var last caching.PoolID
	for _, i := range run.private {
		if pool := r.released[i]; pool != last {
			last = pool
			lane := r.laneOf[Lane{r.events[i].Stream, pool}]
			r.ops = append(r.ops, Op{Kind: OpDrop, Lane: int16(lane), Event: int32(i)})
		}
	}
}
