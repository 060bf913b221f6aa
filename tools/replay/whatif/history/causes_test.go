package history

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/snapshot"
)

// TestCauses judges releases by what stands around them.
func TestCauses(t *testing.T) {
	begin := []snapshot.Event{
		from(segmentAlloc(0, 20*mib), "f"), from(alloc(0, 2*mib), "f"), from(request(0, 2*mib), "f"), complete(0, 2*mib),
	}
	grow := []snapshot.Event{from(segmentAlloc(40*mib, 30*mib), "g"), from(alloc(40*mib, 30*mib), "g")}
	bare := func(events []snapshot.Event) (out []snapshot.Event) {
		for _, e := range events {
			e.Frames = nil
			out = append(out, e)
		}
		return out
	}
	free := segmentFree(0, 20*mib)
	big := []caching.Segment{seg(40*mib, 30*mib)}
	two := append(bare(begin), segmentAlloc(100*mib, 12*mib), alloc(100*mib, 12*mib), request(100*mib, 12*mib), complete(100*mib, 12*mib))
	for name, c := range map[string]struct {
		final  []caching.Segment
		before []snapshot.Event
		run    []snapshot.Event
		after  []snapshot.Event
		want   Cause
	}{
		"nothing behind":       {nil, begin, []snapshot.Event{free}, nil, ByProgram},
		"named":                {big, begin, []snapshot.Event{from(free, "empty_cache")}, grow, ByProgram},
		"named in C++":         {big, begin, []snapshot.Event{from(free, "c10::cuda::emptyCache()")}, grow, ByProgram},
		"the same line":        {big, begin, []snapshot.Event{from(free, "g")}, grow, ByRequest},
		"another line":         {big, begin, []snapshot.Event{from(free, "f")}, grow, ByProgram},
		"no stacks":            {big, bare(begin), []snapshot.Event{free}, bare(grow), Unknown},
		"the same segment's":   {big, bare(begin), []snapshot.Event{from(free, "g")}, grow, Unknown},
		"failed":               {nil, bare(begin), []snapshot.Event{free}, []snapshot.Event{oom(30 * mib)}, ByRequest},
		"a part":               {append([]caching.Segment{seg(0, 20*mib)}, big...), two, []snapshot.Event{segmentFree(100*mib, 12*mib)}, bare(grow), ByRequest},
		"in another order":     {big, two, []snapshot.Event{free, segmentFree(100*mib, 12*mib)}, bare(grow), ByRequest},
		"in the cache's order": {big, two, []snapshot.Event{segmentFree(100*mib, 12*mib), free}, bare(grow), Unknown},
	} {
		events := append(append(append([]snapshot.Event{}, c.before...), c.run...), c.after...)
		p, err := read(c.final, events...)
		require.NoError(t, err, name)
		require.Len(t, p.Releases, 1, name)
		require.Equal(t, c.want, p.Releases[0].Cause, name)
	}
}

// TestWaitingBlocksTellOfTheRequest has a block that still waits after a
// release: the program would have waited for it.
func TestWaitingBlocksTellOfTheRequest(t *testing.T) {
	p, err := read([]caching.Segment{seg(0, 20*mib), seg(60*mib, 30*mib)},
		segmentAlloc(0, 20*mib), alloc(0, 2*mib), segmentAlloc(40*mib, 12*mib), alloc(40*mib, 12*mib),
		request(0, 2*mib), request(40*mib, 12*mib), alloc(4*mib, 2*mib), complete(40*mib, 12*mib),
		segmentFree(40*mib, 12*mib), segmentAlloc(60*mib, 30*mib), alloc(60*mib, 30*mib), complete(0, 2*mib),
	)
	require.NoError(t, err)
	require.Equal(t, ByRequest, p.Releases[0].Cause)
	require.False(t, p.Releases[0].All)
	require.Equal(t, []Kind{OpAlloc, OpAlloc, OpFreeLater, OpFreeLater, OpAlloc, OpDone, OpRelease, OpAlloc, OpDone}, kinds(p))
}

// TestWaitsEndAfterTheRequest has a request that waited for a block of another
// stream and emptied all of the cache. Whoever replays that waits again only
// where the request needs it.
func TestWaitsEndAfterTheRequest(t *testing.T) {
	p, err := read([]caching.Segment{seg(40*mib, 30*mib)},
		segmentAlloc(0, 20*mib), alloc(0, 2*mib), segmentAlloc(80*mib, 12*mib), alloc(80*mib, 12*mib),
		request(80*mib, 12*mib), complete(80*mib, 12*mib), request(0, 2*mib),
		segmentFree(80*mib, 12*mib), complete(0, 2*mib), segmentFree(0, 20*mib),
		segmentAlloc(40*mib, 30*mib), alloc(40*mib, 30*mib),
	)
	require.NoError(t, err)
	require.Equal(t, []Kind{OpAlloc, OpAlloc, OpFree, OpFreeLater, OpRelease, OpAlloc, OpDone}, kinds(p))
}

// TestStackIsLookedAtOnce keeps what is known of a stack that many events share.
func TestStackIsLookedAtOnce(t *testing.T) {
	r := newReader(&snapshot.Snapshot{Traces: make([][]snapshot.Event, 1)}, 0, nil)
	stack := []caching.Frame{{Name: "step"}, {Name: "empty_cache"}}
	require.True(t, r.emptiesCache(stack))
	stack[1].Name = "other" // nobody may, so nobody looks again
	require.True(t, r.emptiesCache(stack))
	require.False(t, r.emptiesCache([]caching.Frame{{Name: "step"}}))
	require.False(t, r.emptiesCache(nil))
}

// TestFailedRequest takes a release into the request that failed behind it.
func TestFailedRequest(t *testing.T) {
	p, err := read(nil,
		segmentAlloc(0, 20*mib), alloc(0, 2*mib), request(0, 2*mib), complete(0, 2*mib),
		segmentFree(0, 20*mib), oom(300*mib), oom(7*mib),
	)
	require.NoError(t, err)
	require.Equal(t, []Kind{OpAlloc, OpFree, OpFailed, OpFailed}, kinds(p))
	require.Equal(t, 2, p.Recorded.OOMs)
	require.Equal(t, []Release{
		{First: 4, Cause: ByRequest, Before: 20 * mib, Need: 300 * mib, Failed: true, All: true, Least: 20 * mib},
		{First: 6, Cause: ByRequest, Need: 20 * mib, Failed: true, All: true},
	}, p.Releases)
}

// TestPoolsThatAreGone finds private pools by the order in which their segments
// go back, and reads the history again with them.
func TestPoolsThatAreGone(t *testing.T) {
	begin := []snapshot.Event{
		segmentAlloc(0, 20*mib), alloc(0, 2*mib), segmentAlloc(40*mib, 20*mib), alloc(40*mib, 2*mib),
		segmentAlloc(60*mib, 2*mib), alloc(60*mib, 512), segmentAlloc(80*mib, 30*mib), alloc(80*mib, 30*mib),
		request(80*mib, 30*mib), complete(80*mib, 30*mib),
		request(40*mib, 2*mib), complete(40*mib, 2*mib), request(60*mib, 512), complete(60*mib, 512),
	}
	settings := &snapshot.Settings{MaxSplitSize: -1}
	of := func(events ...snapshot.Event) *Program {
		s := &snapshot.Snapshot{
			Segments: []caching.Segment{seg(0, 20*mib)}, Settings: settings,
			Traces: [][]snapshot.Event{append(append([]snapshot.Event{}, begin...), events...)},
		}
		p, err := Of(t.Context(), s, 0)
		require.NoError(t, err)
		return p
	}
	pool := caching.PoolID{-1, 14}
	lanes := []Lane{{}, {Pool: pool}, {Pool: pool}, {}}

	// A pool goes, and what is cached beside it stays.
	p := of(segmentFree(60*mib, 2*mib), segmentFree(40*mib, 20*mib), alloc(2*mib, 2*mib), segmentFree(80*mib, 30*mib))
	for i, want := range lanes {
		require.Equal(t, want, p.Lanes[p.Ops[i].Lane])
	}
	require.Equal(t, []Kind{OpAlloc, OpAlloc, OpAlloc, OpAlloc, OpFree, OpFree, OpFree, OpDrop, OpAlloc, OpRelease}, kinds(p))
	require.Len(t, p.Releases, 1)
	require.Equal(t, ByProgram, p.Releases[0].Cause)

	// The cache goes, and a pool that was done with before goes with it.
	p = of(segmentFree(80*mib, 30*mib), segmentFree(60*mib, 2*mib), segmentFree(40*mib, 20*mib))
	pool = caching.PoolID{-1, 15}
	require.Equal(t, Lane{Pool: pool}, p.Lanes[p.Ops[1].Lane])
	require.Equal(t, Lane{}, p.Lanes[p.Ops[3].Lane])
	require.Equal(t, []Kind{OpRelease, OpDrop}, kinds(p)[7:])

	// In the order of the cache all of it is the cache's.
	p = of(segmentFree(40*mib, 20*mib), segmentFree(80*mib, 30*mib), segmentFree(60*mib, 2*mib))
	require.Equal(t, []Kind{OpRelease}, kinds(p)[7:])
}
