package history

import (
	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/snapshot"
)

// Cause says who gave memory back.
type Cause uint8

// The causes of a release.
const (
	Unknown Cause = iota
	// ByProgram is a call of empty_cache.
	ByProgram
	// ByRequest is a request that needed the room.
	ByRequest
)

// Release is a run of segments that went back to the driver.
type Release struct {
	// First is its first event.
	First int
	Cause Cause
	// Before and After are what was reserved.
	Before, After int64
	// Need is what the request behind it asked the driver for, zero where
	// none did. Failed tells that it got nothing.
	Need   int64
	Failed bool
	// All tells that the whole cache went, and that no stream was left to wait
	// for.
	All bool
	// Least is the size of the smallest segment of it.
	Least int64
	// Left is how many large segments were cached as a whole afterwards.
	Left int
}

// release reads a run and tells how many events it has.
func (r *reader) release(i int) (int, error) {
	run, err := r.readRun(i)
	if err != nil {
		return 0, err
	}
	r.findPools(run)
	if len(run.shared) > 0 {
		r.noteRelease(run)
	} else {
		r.flush()
	}
	r.dropPools(run)
	return run.next - run.first, nil
}

// run are the events of a release.
type run struct {
	// first is its first event, and next the one behind it.
	first, next int
	// shared are the events of the default pools' segments, in their order,
	// and private those of private ones.
	shared, private []int
	before          int64
	// all is as in Release, and served tells that a request asks the driver
	// right behind.
	all, served bool
}

// readRun reads the events of a release.
func (r *reader) readRun(i int) (run, error) {
	run := run{first: i, next: r.endOfRun(i), before: r.reserved}
	unmapped := false
	for ; i < run.next; i++ {
		e := r.events[i]
		if e.Action == caching.ActionFreeCompleted {
			if err := r.done(i, e); err != nil {
				return run, err
			}
			continue
		}
		if err := r.giveBack(e); err != nil {
			return run, err
		}
		if _, ok := r.released[i]; ok {
			run.private = append(run.private, i)
			continue
		}
		run.shared = append(run.shared, i)
		unmapped = unmapped || e.Action == caching.ActionSegmentUnmap
	}
	run.all = unmapped || r.segments.cached == 0 && r.waiting == 0
	run.served = run.next < len(r.events) && serves(r.events[run.next])
	return run, nil
}

// endOfRun returns the event behind the last segment that goes back from event i
// on. Waits may end in between.
func (r *reader) endOfRun(i int) int {
	end := i
	for ; i < len(r.events); i++ {
		switch r.events[i].Action {
		case caching.ActionSegmentFree, caching.ActionSegmentUnmap:
			end = i + 1
		case caching.ActionFreeCompleted:
		default:
			return end
		}
	}
	return end
}

// noteRelease keeps what the default pools gave back.
func (r *reader) noteRelease(run run) {
	rel := Release{
		First: run.first, Cause: r.cause(run), Before: run.before, After: r.reserved,
		All: run.all, Least: maxBytes, Left: r.segments.cachedLarge,
	}
	for _, i := range run.shared {
		rel.Least = min(rel.Least, r.events[i].Size)
	}
	r.releases = append(r.releases, rel)
	// Only a release of everything waits for the other streams. So what it
	// waited for is over after it, not before.
	if r.holding = run.all && run.served; !r.holding {
		r.flush()
	}
	r.ops = append(r.ops, Op{Kind: OpRelease, Slot: int32(len(r.releases) - 1), Event: int32(run.first)})
	r.growing.release = 0
	if run.served {
		r.growing.release = len(r.releases)
	}
}

// serves reports whether an event shows that a request asked the driver.
func serves(e snapshot.Event) bool {
	switch e.Action {
	case caching.ActionSegmentAlloc, caching.ActionSegmentMap, caching.ActionOOM:
		return true
	default:
		return false
	}
}

// giveBack reads one segment or range that goes back.
func (r *reader) giveBack(e snapshot.Event) error {
	r.reserved -= e.Size
	r.recorded.Frees++
	if e.Action == caching.ActionSegmentUnmap {
		if _, ok := r.mapped.remove(e.Addr, e.Size); !ok {
			return impossible(e, "it has no memory")
		}
		return nil
	}
	s := r.segments.at(e.Addr)
	switch {
	case s == nil:
		return impossible(e, "there is no segment")
	case s.size != e.Size:
		return impossible(e, "the segment has %d", s.size)
	case s.live > 0:
		return impossible(e, "%d of its blocks are in use", s.live)
	}
	r.segments.remove(s)
	return nil
}
