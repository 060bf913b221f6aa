package caching

import "github.com/torchmem/workbook/runtime/gpu"

// Action names what the allocator did, in PyTorch's words.
type Action string

// The actions of a history.
const (
	ActionAlloc         Action = "alloc"
	ActionFreeRequested Action = "free_requested"
	ActionFreeCompleted Action = "free_completed"
	ActionSegmentAlloc  Action = "segment_alloc"
	ActionSegmentFree   Action = "segment_free"
	ActionSegmentMap    Action = "segment_map"
	ActionSegmentUnmap  Action = "segment_unmap"
	ActionOOM           Action = "oom"
)

// Entry is one line of the history. Size is bytes: as requested for blocks,
// whole for segments, rounded for an OOM. Addr of an OOM is not an address but
// the free bytes of the device, as in PyTorch.
type Entry struct {
	Action Action     `json:"action"`
	Addr   gpu.Ptr    `json:"addr"`
	Size   int64      `json:"size"`
	Stream gpu.Stream `json:"stream"`
}

// TraceEntry is an entry with what only pictures and snapshots ask for.
type TraceEntry struct {
	Entry
	// Block is the bytes that an allocation occupies, at least its Size. It
	// is zero for other actions.
	Block int64
	// Pool is the private pool that it happened in, zero for the default ones.
	Pool PoolID
	// Frames is the stack that caused it, the innermost call first. It is nil
	// where no stacks are recorded. Equal stacks may share their memory, so
	// nobody may change it.
	Frames []Frame
}

// ring keeps the last entries. One without room keeps none.
type ring struct {
	entries []TraceEntry
	max     int
	// seen counts all entries ever added.
	seen int
}

func (r *ring) push(e TraceEntry) {
	switch {
	case r.max == 0:
		return
	case len(r.entries) < r.max:
		r.entries = append(r.entries, e)
	default:
		r.entries[r.seen%r.max] = e
	}
	r.seen++
}

// resize makes room for so many entries, and keeps the last ones.
func (r *ring) resize(most int) {
	if most == r.max {
		return
	}
	kept := r.since(max(0, r.seen-most))
	*r = ring{max: most}
	for _, e := range kept {
		r.push(e)
	}
}

// since copies the entries from a number on, as far as they are still there.
func (r *ring) since(mark int) []TraceEntry {
	from := max(mark, r.seen-len(r.entries))
	kept := make([]TraceEntry, 0, max(r.seen-from, 0))
	for i := from; i < r.seen; i++ {
		kept = append(kept, r.entries[i%r.max])
	}
	return kept
}

// RecordHistory starts a new history of at most maxEntries entries, the oldest
// of which are overwritten. Zero ends recording and forgets what there is.
func (a *Allocator) RecordHistory(maxEntries int) {
	a.RecordMemoryHistory(HistoryOptions{MaxEntries: maxEntries, Clear: true})
}

// History returns the recorded entries, the oldest first.
func (a *Allocator) History() []Entry {
	entries, _ := a.HistorySince(0)
	return entries
}

// HistorySince returns the entries that were added after a mark, and the mark
// of the next call. The first mark is zero. What the ring has overwritten by
// then is missing.
func (a *Allocator) HistorySince(mark int) (entries []Entry, next int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.history == nil {
		return nil, mark
	}
	traced := a.history.ring.since(mark)
	entries = make([]Entry, len(traced))
	for i := range traced {
		entries[i] = traced[i].Entry
	}
	return entries, a.history.ring.seen
}

// TraceHistory returns the recorded entries with what is beside them, the oldest
// first.
func (a *Allocator) TraceHistory() []TraceEntry {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.history == nil {
		return nil
	}
	return a.history.ring.since(0)
}
