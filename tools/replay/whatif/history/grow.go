package history

import (
	"slices"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/snapshot"
)

// growing is the request whose segments are being read.
type growing struct {
	// since is one more than the event where it began, zero without one.
	since  int
	before int64
	whole  int
	// need is what it asked for, zero until its block is read.
	need int64
	// first is the first range of an expandable segment that got memory.
	first span
	// release is one more than the number of the release right before.
	release int
}

// grow reads a segment or a range that the driver gave.
func (r *reader) grow(i int, e snapshot.Event) error {
	if !possible(e.Addr, e.Size) || r.reserved+e.Size > maxBytes {
		return impossible(e, "no segment is like that")
	}
	place, err := r.spanOf(e.Addr, e.Size, Lane{e.Stream, r.pools[i]})
	if err != nil {
		return err
	}
	if r.growing.since == 0 {
		r.growing.since, r.growing.before, r.growing.whole = i+1, r.reserved, r.segments.cachedLarge
	}
	ok := true
	if e.Action == caching.ActionSegmentMap {
		ok = r.mapped.add(place)
		if r.growing.first.size == 0 {
			r.growing.first = place
		}
	} else {
		ok = r.addSegment(place)
		r.growing.need = e.Size
	}
	if !ok {
		return impossible(e, "there is memory already")
	}
	r.reserved += e.Size
	r.recorded.Mallocs++
	r.recorded.PeakReserved = max(r.recorded.PeakReserved, r.reserved)
	return nil
}

// grew ends the request that the driver was asked for.
func (r *reader) grew(size int64) {
	g := r.growing
	r.growing = growing{}
	if g.since == 0 {
		return
	}
	if g.need == 0 {
		g.need = segmentFor(size)
		r.lowest(Segment{Addr: g.first.at, Size: g.first.size, Lane: g.first.lane, Small: size <= smallBlock})
	}
	r.growths = append(r.growths, Growth{
		Event: g.since - 1, Before: g.before, Need: g.need, Whole: g.whole, Release: g.release - 1,
	})
	if g.release > 0 {
		r.releases[g.release-1].Need = g.need
	}
}

// lowest keeps a range that got memory, if none of its pool and lane lies
// below.
func (r *reader) lowest(s Segment) {
	for i := range r.start.Lowest {
		if x := &r.start.Lowest[i]; x.Lane == s.Lane && x.Small == s.Small {
			if s.Addr < x.Addr {
				*x = s
			}
			return
		}
	}
	r.start.Lowest = append(r.start.Lowest, s)
}

// failed reads a request that failed.
func (r *reader) failed(i int, e snapshot.Event) error {
	if e.Size <= 0 {
		return impossible(e, "nobody asks for that")
	}
	lane, err := r.lane(Lane{Stream: e.Stream})
	if err != nil {
		return err
	}
	r.recorded.OOMs++
	rel := Release{First: i, Cause: ByRequest, Before: r.reserved, After: r.reserved, All: true}
	if n := r.growing.release; n > 0 {
		rel = r.releases[n-1]
		r.releases = r.releases[:n-1]
		r.forgetRelease()
	}
	rel.Need, rel.Failed = segmentFor(e.Size), true
	r.releases = append(r.releases, rel)
	r.growing = growing{}
	r.emit(Op{Kind: OpFailed, Lane: int16(lane), Slot: int32(len(r.releases) - 1), Event: int32(i), Size: e.Size})
	return nil
}

// forgetRelease takes back the last release's op: it was the failed request's.
func (r *reader) forgetRelease() {
	for i := len(r.ops) - 1; i >= 0; i-- {
		if r.ops[i].Kind == OpRelease {
			r.ops = slices.Delete(r.ops, i, i+1)
			return
		}
	}
}

// segmentFor is what a request takes from the driver at least, with the usual
// size of segments.
func segmentFor(size int64) int64 {
	const mib = 1 << 20
	switch {
	case size > maxBytes:
		return size
	case size <= mib:
		return smallSegment
	case size < 10*mib:
		return 20 * mib
	default:
		return (size + 2*mib - 1) / (2 * mib) * (2 * mib)
	}
}
