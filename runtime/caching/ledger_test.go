package caching_test

import (
	"github.com/stretchr/testify/require"
	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
)

// ledger is what the history alone says: who reads a recorded history knows no
// more. It has to agree with the snapshot at any time.
type ledger struct {
	// allocated and pending are the requested bytes by address.
	allocated, pending map[gpu.Ptr]int64
	// segments are those of fixed size, and mapped is the memory of the
	// others.
	segments map[gpu.Ptr]int64
	mapped   int64
	ooms     int64
	mark     int
}

func newLedger() *ledger {
	return &ledger{allocated: map[gpu.Ptr]int64{}, pending: map[gpu.Ptr]int64{}, segments: map[gpu.Ptr]int64{}}
}

// read enters what came to the history since the last call.
func (l *ledger) read(t tester, a *caching.Allocator) {
	var entries []caching.Entry
	entries, l.mark = a.HistorySince(l.mark)
	for _, e := range entries {
		l.enter(t, e)
	}
}

func (l *ledger) enter(t tester, e caching.Entry) {
	switch e.Action {
	case caching.ActionAlloc:
		require.NotContains(t, l.allocated, e.Addr, "handed out twice")
		require.NotContains(t, l.pending, e.Addr, "handed out while a stream uses it")
		l.allocated[e.Addr] = e.Size
	case caching.ActionFreeRequested:
		move(t, l.allocated, l.pending, e)
	case caching.ActionFreeCompleted:
		move(t, l.pending, nil, e)
	case caching.ActionSegmentAlloc:
		require.NotContains(t, l.segments, e.Addr)
		l.segments[e.Addr] = e.Size
	case caching.ActionSegmentFree:
		move(t, l.segments, nil, e)
	case caching.ActionSegmentMap:
		l.mapped += e.Size
	case caching.ActionSegmentUnmap:
		l.mapped -= e.Size
	case caching.ActionOOM:
		l.ooms++
	default:
		require.Fail(t, "unknown action", string(e.Action))
	}
}

// move takes an entry from one list to another, if there is another.
func move(t tester, from, to map[gpu.Ptr]int64, e caching.Entry) {
	require.Contains(t, from, e.Addr, e.Action)
	require.Equal(t, from[e.Addr], e.Size, e.Action)
	delete(from, e.Addr)
	if to != nil {
		to[e.Addr] = e.Size
	}
}

// requireSame compares the ledger with a snapshot.
func (l *ledger) requireSame(t tester, snapshot []caching.Segment) {
	t.Helper()
	seen := newLedger()
	for _, s := range snapshot {
		if s.IsExpandable {
			seen.mapped += s.TotalSize
		} else {
			seen.segments[s.Address] = s.TotalSize
		}
		for _, b := range s.Blocks {
			switch b.State {
			case caching.ActiveAllocated:
				seen.allocated[b.Address] = b.RequestedSize
			case caching.ActivePendingFree:
				seen.pending[b.Address] = b.RequestedSize
			}
		}
	}
	seen.ooms, seen.mark = l.ooms, l.mark
	require.Equal(t, l, seen, "the history and the snapshot disagree")
}
