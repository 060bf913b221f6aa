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

// history keeps the last entries in a ring.
type history struct {
	ring []Entry
	max  int
	// seen counts all entries ever added.
	seen int
}

// add is called on every path, so the case without a history has to be free.
func (h *history) add(action Action, addr gpu.Ptr, size int64, s gpu.Stream) {
	if h != nil {
		h.push(Entry{action, addr, size, s})
	}
}

func (h *history) push(e Entry) {
	if len(h.ring) < h.max {
		h.ring = append(h.ring, e)
	} else {
		h.ring[h.seen%h.max] = e
	}
	h.seen++
}

// RecordHistory starts a new history of at most maxEntries entries, the oldest
// of which are overwritten. Zero ends recording and forgets what there is.
func (a *Allocator) RecordHistory(maxEntries int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.history = nil
	if maxEntries > 0 {
		a.history = &history{max: maxEntries}
	}
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
	h := a.history
	if h == nil {
		return nil, mark
	}
	from := max(mark, h.seen-len(h.ring))
	entries = make([]Entry, 0, max(h.seen-from, 0))
	for i := from; i < h.seen; i++ {
		entries = append(entries, h.ring[i%h.max])
	}
	return entries, h.seen
}
