package whatif

import (
	"math"
	"math/bits"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/tools/replay/whatif/history"
)

// # The limit of a recording
//
// A snapshot does not tell how much memory the process might reserve. But what
// happened gives bounds. What was reserved is a lower bound, and what a request
// needed that found no room is an upper one. Where garbage collection is on,
// each request that asked the driver tells whether the threshold was passed.

// bounds hold a limit: at least least, and less than below.
type bounds struct{ least, below int64 }

func (b *bounds) atLeast(n float64)  { b.least = max(b.least, int64(math.Ceil(n))) }
func (b *bounds) lessThan(n float64) { b.below = min(b.below, int64(math.Ceil(n))) }

// known reports whether the recording ran into a limit that explains all of it.
func (b bounds) known() bool { return b.below < math.MaxInt64 && b.least < b.below }

// limitOf finds the bounds of the recording's limit.
func limitOf(p *history.Program, cfg caching.Config, causes []history.Cause) bounds {
	b := bounds{p.Recorded.PeakReserved, math.MaxInt64}
	if cfg.ExpandableSegments {
		// They may grow past the limit by less than a page.
		b.least = 0
	}
	for _, g := range p.Growths {
		b.atLeast(float64(g.Before + g.Need))
		if t := cfg.GarbageCollectionThreshold; t > 0 && g.Release < 0 && g.Whole > 0 {
			b.atLeast(float64(g.Before) / t)
		}
	}
	for i, rel := range p.Releases {
		if causes[i] == history.ByRequest {
			b.learn(rel, cfg)
		}
	}
	return b
}

// smallSegment is the size of the segments of the small pool.
const smallSegment = 2 << 20

// learn uses what a request gave back.
func (b *bounds) learn(rel history.Release, cfg caching.Config) {
	t := cfg.GarbageCollectionThreshold
	full, due := float64(rel.Before+rel.Need), float64(rel.Before)/t
	switch {
	case rel.Failed:
		b.lessThan(float64(rel.After + rel.Need))
	case t == 0 || rel.Least == smallSegment:
		// Garbage collection leaves small segments alone: there was no room.
		b.lessThan(full)
	case rel.All:
		b.lessThan(max(full, due))
	case rel.Least < cfg.MaxSplitSize:
		b.lessThan(due)
		if rel.Left > 0 {
			b.atLeast(float64(rel.After) / t)
		}
	}
}

// scale is by how many powers of two a GPU is larger than a limit. It is so
// large that addresses never run short, and the share that the limit is of it is
// exact.
func scale(limit int64) int { return max(1, 48-bits.Len64(uint64(limit))) }

// memoryFor is how much memory a GPU has in a replay with a limit.
func memoryFor(limit int64) int64 {
	if limit >= noLimit {
		return noLimit
	}
	return limit << scale(limit)
}

// limitedBy says that a replay may reserve so much, as
// torch.cuda.set_per_process_memory_fraction does. Its GPU must have been made
// for that limit.
func (r *replay) limitedBy(limit int64) error {
	if limit >= noLimit {
		return nil
	}
	if t := r.driver.trail; t != nil {
		t.bounded = true
	}
	return r.alloc.SetMemoryFraction(math.Ldexp(1, -scale(limit)))
}
