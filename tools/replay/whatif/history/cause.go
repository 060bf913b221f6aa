package history

import (
	"cmp"
	"slices"
	"strings"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/snapshot"
)

// # Why memory goes back
//
// A run of segments that go back to the driver has one of two causes. Either the
// program called empty_cache. Or there was no room for a request: then the run
// stands right before what the request got, or before the news that it failed.
// The first kind is part of the program. The second is the allocator's own
// doing, and under other settings it may do something else.
//
// What tells them apart:
//
//   - Behind the run nothing was taken from the driver: the program.
//   - The request failed: the request.
//   - Cached segments were left, or blocks that wait for other streams: the
//     request, as the program empties all and waits for all.
//   - The segments went in another order than empty_cache has: the request.
//   - The stacks of both were recorded: the same line, the same call; or else a
//     stack that names empty_cache.
//   - Otherwise it is unknown here. A replay may find out: if the cache had a
//     block for the request, it would never have asked the driver.

// cause judges a run, with the event behind it.
func (r *reader) cause(run run) Cause {
	var events []snapshot.Event
	for _, i := range run.shared {
		events = append(events, r.events[i])
	}
	if slices.ContainsFunc(events, func(e snapshot.Event) bool { return r.emptiesCache(e.Frames) }) || !run.served {
		return ByProgram
	}
	behind := r.events[run.next]
	if behind.Action == caching.ActionOOM || !run.all || !slices.IsSortedFunc(events, asEmptied) {
		return ByRequest
	}
	at := slices.IndexFunc(events, func(e snapshot.Event) bool { return len(e.Frames) > 0 })
	if at < 0 || len(behind.Frames) == 0 {
		return Unknown
	}
	same := slices.Equal(events[at].Frames, behind.Frames)
	switch {
	case !same:
		return ByProgram
	case r.everywhere:
		return ByRequest
	default:
		// Without a stack of its own, the event has that of the segment's
		// allocation, which may be the same line.
		return Unknown
	}
}

// asEmptied is the order in which empty_cache gives segments back: the large
// pool first, then by stream, size and address. Other events have no order.
func asEmptied(x, y snapshot.Event) int {
	if x.Action != caching.ActionSegmentFree || y.Action != caching.ActionSegmentFree {
		return 0
	}
	return cmp.Or(
		classOrder(x, y), cmp.Compare(x.Stream, y.Stream),
		cmp.Compare(x.Size, y.Size), cmp.Compare(x.Addr, y.Addr),
	)
}

// classOrder puts segments of the large pool first.
func classOrder(x, y snapshot.Event) int {
	switch small := x.Size == smallSegment; {
	case small == (y.Size == smallSegment):
		return 0
	case small:
		return 1
	default:
		return -1
	}
}

// emptiesCache reports whether a stack is that of a call of empty_cache. Equal
// stacks share their memory, so each is looked at once.
func (r *reader) emptiesCache(stack []caching.Frame) bool {
	if len(stack) == 0 {
		return false
	}
	does, known := r.empties[&stack[0]]
	if !known {
		does = slices.ContainsFunc(stack, func(f caching.Frame) bool {
			return f.Name == "empty_cache" || strings.Contains(f.Name, "emptyCache")
		})
		r.empties[&stack[0]] = does
	}
	return does
}

// framesOnFrees reports whether stacks were recorded at every event.
func framesOnFrees(events []snapshot.Event) bool {
	for _, e := range events {
		if e.Action == caching.ActionFreeRequested {
			return len(e.Frames) > 0
		}
	}
	return false
}
