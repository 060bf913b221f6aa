package history

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/snapshot"
)

const mib = 1 << 20

// base is where segments lie in these tests.
const base gpu.Ptr = 0x7f0000000000

// ev is an event on the default stream.
func ev(action caching.Action, at gpu.Ptr, size int64) snapshot.Event {
	return snapshot.Event{Entry: caching.Entry{Action: action, Addr: base + at, Size: size}}
}

func segmentAlloc(at gpu.Ptr, size int64) snapshot.Event {
	return ev(caching.ActionSegmentAlloc, at, size)
}
func segmentFree(at gpu.Ptr, size int64) snapshot.Event {
	return ev(caching.ActionSegmentFree, at, size)
}
func alloc(at gpu.Ptr, size int64) snapshot.Event   { return ev(caching.ActionAlloc, at, size) }
func request(at gpu.Ptr, size int64) snapshot.Event { return ev(caching.ActionFreeRequested, at, size) }
func complete(at gpu.Ptr, size int64) snapshot.Event {
	return ev(caching.ActionFreeCompleted, at, size)
}
func oom(size int64) snapshot.Event { return ev(caching.ActionOOM, 0, size) }

// from says that an event's stack ends in a function.
func from(e snapshot.Event, name string) snapshot.Event {
	e.Frames = []caching.Frame{{Filename: "train.py", Line: 1, Name: name}}
	return e
}

// seg is a segment of the snapshot, one cached block.
func seg(at gpu.Ptr, size int64) caching.Segment {
	return caching.Segment{
		Address: base + at, TotalSize: size,
		Blocks: []caching.BlockRecord{{Address: base + at, Size: size, State: caching.Inactive}},
	}
}

func read(final []caching.Segment, events ...snapshot.Event) (*Program, error) {
	s := &snapshot.Snapshot{Segments: final, Traces: [][]snapshot.Event{events}}
	return Of(context.Background(), s, 0)
}

// kinds lists the ops without the rest.
func kinds(p *Program) (all []Kind) {
	for _, op := range p.Ops {
		all = append(all, op.Kind)
	}
	return all
}

func TestPlainProgram(t *testing.T) {
	p, err := read([]caching.Segment{seg(0, 20*mib)},
		segmentAlloc(0, 20*mib), alloc(0, 3*mib), alloc(3*mib, 2*mib),
		request(0, 3*mib), complete(0, 3*mib), alloc(0, mib+1), request(3*mib, 2*mib), complete(3*mib, 2*mib),
	)
	require.NoError(t, err)
	require.Equal(t, []Op{
		{Kind: OpAlloc, Slot: 0, Event: 1, Size: 3 * mib},
		{Kind: OpAlloc, Slot: 1, Event: 2, Size: 2 * mib},
		{Kind: OpFree, Slot: 0, Event: 3},
		{Kind: OpAlloc, Slot: 0, Event: 5, Size: mib + 1},
		{Kind: OpFree, Slot: 1, Event: 6},
	}, p.Ops)
	require.Equal(t, Recorded{Events: 8, PeakReserved: 20 * mib, Mallocs: 1}, p.Recorded)
	require.Equal(t, []Growth{{Event: 0, Need: 20 * mib, Release: -1}}, p.Growths)
	require.Empty(t, p.Start.Segments)
	require.EqualValues(t, 5*mib, p.Held())
}

// TestWaits reads blocks that come back later, in two orders: one queue is
// enough where nobody overtakes.
func TestWaits(t *testing.T) {
	events := func(last ...snapshot.Event) []snapshot.Event {
		return append([]snapshot.Event{
			segmentAlloc(0, 20*mib), alloc(0, 2*mib), alloc(2*mib, 3*mib), request(0, 2*mib), request(2*mib, 3*mib),
			ev(snapshot.ActionSnapshot, 0, 0),
		}, last...)
	}
	final := []caching.Segment{seg(0, 20*mib)}
	p, err := read(final, events(complete(0, 2*mib), complete(2*mib, 3*mib), alloc(0, 4*mib))...)
	require.NoError(t, err)
	require.Equal(t, []Kind{OpAlloc, OpAlloc, OpFreeLater, OpFreeLater, OpDone, OpDone, OpAlloc}, kinds(p))
	require.Equal(t, 1, p.Queues)

	p, err = read(final, events(complete(2*mib, 3*mib), complete(0, 2*mib), alloc(0, 4*mib))...)
	require.NoError(t, err)
	require.Equal(t, 2, p.Queues)
	require.NotEqual(t, p.Ops[2].Lane, p.Ops[3].Lane)

	p, err = read(final, events(alloc(6*mib, 2*mib), complete(2*mib, 3*mib))...)
	require.NoError(t, err)
	require.Equal(t, []Kind{OpAlloc, OpAlloc, OpFreeLater, OpFreeLater, OpAlloc, OpDone}, kinds(p))
	require.Equal(t, 2, p.Queues)
	require.EqualValues(t, never, p.Ops[2].Size)
}

// TestManyQueues holds that no history needs more queues than there are.
func TestManyQueues(t *testing.T) {
	events := []snapshot.Event{segmentAlloc(0, 2*mib)}
	const n = 100
	for i := range gpu.Ptr(n) {
		events = append(events, alloc(512*i, 512))
	}
	for i := range gpu.Ptr(n) {
		events = append(events, request(512*i, 512))
	}
	for i := range gpu.Ptr(n) {
		events = append(events, complete(512*(n-1-i), 512))
	}
	p, err := read([]caching.Segment{seg(0, 2*mib)}, events...)
	require.NoError(t, err)
	require.Equal(t, maxQueues, p.Queues)
}

// TestLateBegin finds what was there before the first event.
func TestLateBegin(t *testing.T) {
	final := caching.Segment{Address: base, TotalSize: 20 * mib, Blocks: []caching.BlockRecord{
		{Address: base, Size: 2 * mib, RequestedSize: 2*mib - 10, State: caching.ActiveAllocated},
		{Address: base + 2*mib, Size: 3 * mib, State: caching.Inactive},
		{Address: base + 5*mib, Size: 4 * mib, RequestedSize: 4 * mib, State: caching.ActiveAllocated},
		{Address: base + 9*mib, Size: 11 * mib, State: caching.Inactive},
	}}
	p, err := read([]caching.Segment{final},
		request(2*mib, 3*mib), complete(2*mib, 3*mib), // older, and freed
		complete(12*mib, 2*mib), // older, and freed before
		request(5*mib, 4*mib), complete(5*mib, 4*mib),
		alloc(5*mib, 4*mib),                               // in the place of an older one
		request(100*mib, 2*mib), complete(100*mib, 2*mib), // in a segment that goes
		segmentFree(100*mib, 20*mib),
	)
	require.NoError(t, err)
	require.Equal(t, []Segment{{Addr: base, Size: 20 * mib}, {Addr: base + 100*mib, Size: 20 * mib}}, p.Start.Segments)
	require.EqualValues(t, 40*mib, p.Start.Reserved)
	require.EqualValues(t, 40*mib, p.Recorded.PeakReserved)
	type older struct {
		at          gpu.Ptr
		size, whole int64
		pending     bool
	}
	var all []older
	for _, b := range p.Start.Blocks {
		all = append(all, older{b.Addr - base, b.Size, b.Whole, b.Pending})
	}
	require.Equal(t, []older{
		{2 * mib, 3 * mib, 0, false}, {12 * mib, 2 * mib, 0, true}, {5 * mib, 4 * mib, 0, false}, {100 * mib, 2 * mib, 0, false},
		{0, 2*mib - 10, 2 * mib, false},
	}, all)
	require.Equal(t, ByProgram, p.Releases[0].Cause)
	require.EqualValues(t, 2, p.Start.Blocks[1].Until)
}

// TestWaitingAllTheTime finds a block that waits from the start to the end.
func TestWaitingAllTheTime(t *testing.T) {
	final := caching.Segment{Address: base, TotalSize: 20 * mib, Blocks: []caching.BlockRecord{
		{Address: base, Size: 2 * mib, RequestedSize: 2 * mib, State: caching.ActivePendingFree},
		{Address: base + 2*mib, Size: 18 * mib, State: caching.Inactive},
	}}
	p, err := read([]caching.Segment{final}, alloc(2*mib, 2*mib))
	require.NoError(t, err)
	require.Equal(t, []Block{{Addr: base, Size: 2 * mib, Whole: 2 * mib, Next: base + 2*mib, Pending: true, Until: never}}, p.Start.Blocks)
}

// TestLowestRange keeps where the lowest memory of an expandable segment lies,
// for each pool.
func TestLowestRange(t *testing.T) {
	mapped := func(at gpu.Ptr, size int64) snapshot.Event { return ev(caching.ActionSegmentMap, at, size) }
	final := seg(0, 60*mib)
	final.IsExpandable = true
	small := seg(900*mib, 2*mib)
	small.IsExpandable = true
	p, err := read([]caching.Segment{final, small},
		mapped(40*mib, 20*mib), alloc(40*mib, 15*mib), mapped(0, 20*mib), alloc(0, 15*mib),
		mapped(20*mib, 20*mib), alloc(20*mib, 15*mib), mapped(900*mib, 2*mib), alloc(900*mib, 512),
	)
	require.NoError(t, err)
	require.Equal(t, []Segment{
		{Addr: base, Size: 20 * mib}, {Addr: base + 900*mib, Size: 2 * mib, Small: true},
	}, p.Start.Lowest)
}

// TestOddRequestOfAnOlderBlock takes the size of a block for that of its request
// where the snapshot has none that can be.
func TestOddRequestOfAnOlderBlock(t *testing.T) {
	for _, odd := range []int64{0, 20*mib + 1} {
		s := seg(0, 20*mib)
		s.Blocks[0].State, s.Blocks[0].RequestedSize = caching.ActiveAllocated, odd
		p, err := read([]caching.Segment{s}, oom(mib))
		require.NoError(t, err)
		require.EqualValues(t, 20*mib, p.Start.Blocks[0].Size)
	}
}

// TestEndOfAnOlderBlock sees from the first block behind an older one where that
// ends.
func TestEndOfAnOlderBlock(t *testing.T) {
	p, err := read([]caching.Segment{seg(0, 20*mib)},
		alloc(3*mib, 2*mib), request(3*mib, 2*mib), complete(3*mib, 2*mib), alloc(4*mib, 2*mib),
		request(0, 2*mib+512), complete(0, 2*mib+512), request(4*mib, 2*mib), complete(4*mib, 2*mib),
	)
	require.NoError(t, err)
	require.Len(t, p.Start.Blocks, 1)
	require.Equal(t, base+3*mib, p.Start.Blocks[0].Next)
}

// TestOddities are passed over and counted.
func TestOddities(t *testing.T) {
	p, err := read(nil,
		segmentAlloc(0, 20*mib), alloc(0, 2*mib), ev(snapshot.ActionSnapshot, 0, 5), ev("annotation", 0, 1),
	)
	require.NoError(t, err)
	require.Equal(t, 1, p.Recorded.Strange)
	require.Equal(t, 1, p.Recorded.Gone, "the snapshot does not show the segment")
}

// TestPrivatePools finds the pool of a segment that the snapshot shows.
func TestPrivatePools(t *testing.T) {
	private := seg(40*mib, 20*mib)
	private.SegmentPoolID = caching.PoolID{0, 3}
	p, err := read([]caching.Segment{seg(0, 20*mib), private},
		segmentAlloc(0, 20*mib), alloc(0, 2*mib), segmentAlloc(40*mib, 20*mib), alloc(40*mib, 3*mib), alloc(2*mib, 2*mib),
	)
	require.NoError(t, err)
	lane := func(i int) Lane { return p.Lanes[p.Ops[i].Lane] }
	require.Equal(t, Lane{}, lane(0))
	require.Equal(t, Lane{Pool: caching.PoolID{0, 3}}, lane(1))
	require.Equal(t, Lane{}, lane(2))
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := &snapshot.Snapshot{Traces: [][]snapshot.Event{{segmentAlloc(0, 2*mib)}}}
	_, err := Of(ctx, s, 0)
	require.ErrorIs(t, err, context.Canceled)
}
