package caching

import (
	"slices"

	"github.com/torchmem/workbook/runtime/gpu"
)

// # Who sees what the allocator does
//
// A program may switch on a history: a ring of the last entries, as with
// torch.cuda.memory._record_memory_history. Beside it there may be trackers,
// which see each entry as it happens; the workbook's own pages are made from
// those, so that a program which clears its history does not blind them.
//
// An entry may bear the stack that caused it. The allocator does not know how
// stacks are read: it is given a function, calls it once for each operation, and
// keeps what it returns. Without a history and without trackers, none of this
// costs more than a look at a nil pointer.

// Context says which stacks are kept, each one those before it too.
type Context uint8

// The contexts, in PyTorch's order.
const (
	// ContextNever keeps none.
	ContextNever Context = iota
	// ContextState keeps those of blocks that are allocated, for snapshots.
	ContextState
	// ContextAlloc keeps those of allocations in the history. A free bears the
	// stack of its allocation.
	ContextAlloc
	// ContextAll keeps those of frees as well.
	ContextAll
)

// HistoryOptions say what a history keeps.
type HistoryOptions struct {
	// MaxEntries bounds the history: after so many entries the oldest are
	// overwritten. Zero ends recording and forgets what there is.
	MaxEntries int
	// Clear forgets the entries that are there already.
	Clear bool
	// Stack reads the stack of the running program, the innermost call
	// first. It is called while the allocator is locked and must not use it.
	// Nil keeps no stacks.
	Stack func() []Frame
	// Context says which stacks are kept.
	Context Context
}

// RecordMemoryHistory switches recording on, changes it, or ends it, like
// torch.cuda.memory._record_memory_history. A smaller bound keeps the last
// entries.
func (a *Allocator) RecordMemoryHistory(o HistoryOptions) {
	a.mu.Lock()
	defer a.mu.Unlock()
	h := a.watched()
	if o.Clear || o.MaxEntries <= 0 {
		h.ring = ring{}
	}
	h.ring.resize(max(o.MaxEntries, 0))
	h.stack, h.context = o.Stack, o.Context
	if o.Stack == nil || o.MaxEntries <= 0 {
		h.stack, h.context = nil, ContextNever
	}
	a.unwatchIdle()
}

// Trace calls see for each entry from now on, until stop is called. The entries
// bear what stack returns, if it is not nil. Both are called while the allocator
// is locked and must not use it.
func (a *Allocator) Trace(stack func() []Frame, see func(TraceEntry)) (stop func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := &tracker{stack, see}
	h := a.watched()
	h.trackers = append(h.trackers, t)
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		h.trackers = slices.DeleteFunc(h.trackers, func(other *tracker) bool { return other == t })
		a.unwatchIdle()
	}
}

// watched returns the allocator's history, a new one if there is none.
func (a *Allocator) watched() *history {
	if a.history == nil {
		a.history = &history{stacks: map[*Block][]Frame{}}
	}
	return a.history
}

// unwatchIdle drops a history that nobody reads. One that still knows stacks of
// blocks stays for the sake of snapshots.
func (a *Allocator) unwatchIdle() {
	if h := a.history; h != nil && h.ring.max == 0 && len(h.trackers) == 0 && len(h.stacks) == 0 {
		a.history = nil
	}
}

// tracker is somebody who sees each entry.
type tracker struct {
	stack func() []Frame
	see   func(TraceEntry)
}

// history is the ring of a program, and the trackers.
type history struct {
	ring     ring
	stack    func() []Frame
	context  Context
	trackers []*tracker
	// running is the stack of the operation under way, nil if nobody asks, and
	// traced the same as the trackers read it.
	running, traced []Frame
	// stacks are those of the active blocks that have one.
	stacks map[*Block][]Frame
}

// begin reads the stack of an operation, which is kept from some context on.
func (h *history) begin(from Context) {
	h.running, h.traced = nil, nil
	if from <= ContextAlloc {
		h.traced = h.tracedStack()
	}
	h.running = h.traced
	if h.stack != nil && h.context >= from {
		h.running = h.stack()
	}
}

// tracedStack reads the stack for the trackers: all have that of the first that
// asks for one.
func (h *history) tracedStack() []Frame {
	for _, t := range h.trackers {
		if t.stack != nil {
			return t.stack()
		}
	}
	return nil
}

// allocated notes that a block goes to its caller.
func (h *history) allocated(b *Block) {
	if h.running != nil {
		h.stacks[b] = h.running
	} else {
		delete(h.stacks, b) // one that is freed while nobody recorded
	}
	e := h.ofBlock(ActionAlloc, b, h.running)
	e.Block = b.size
	h.push(e, h.traced)
}

// freed notes that a block's owner lets go of it, or that it can be used again.
func (h *history) freed(action Action, b *Block) {
	stack := h.running
	if stack == nil {
		stack = h.stacks[b]
	}
	h.push(h.ofBlock(action, b, stack), stack)
	if action == ActionFreeCompleted {
		delete(h.stacks, b)
	}
}

func (h *history) ofBlock(action Action, b *Block, stack []Frame) TraceEntry {
	sh := b.segment.shelf
	return TraceEntry{
		Entry: Entry{action, b.ptr, b.requested, sh.stream}, Pool: sh.pool.id(), Frames: stack,
	}
}

// moved notes that memory comes from the driver or goes back. The stack counts
// where the operation under way has none.
func (h *history) moved(action Action, sh *shelf, at gpu.Ptr, size int64, stack []Frame) {
	traced := stack
	if h.running != nil {
		stack = h.running
	}
	if h.traced != nil {
		traced = h.traced
	}
	h.push(TraceEntry{Entry: Entry{action, at, size, sh.stream}, Pool: sh.pool.id(), Frames: stack}, traced)
}

// push shows an entry to everybody: to the trackers with the stack that they read.
func (h *history) push(e TraceEntry, traced []Frame) {
	if len(h.trackers) > 0 {
		seen := e
		if seen.Frames = traced; traced == nil {
			seen.Frames = e.Frames // no tracker reads stacks
		}
		for _, t := range h.trackers {
			t.see(seen)
		}
	}
	if h.context < ContextAlloc {
		e.Frames = nil
	}
	h.ring.push(e)
}

// stackOf returns the stack of an active block, which may have none.
func (a *Allocator) stackOf(b *Block) []Frame {
	if a.history != nil {
		if stack, ok := a.history.stacks[b]; ok {
			return stack
		}
	}
	return []Frame{}
}

// runningStack returns the stack of the operation under way.
func (a *Allocator) runningStack() []Frame {
	if a.history == nil {
		return nil
	}
	return a.history.running
}
