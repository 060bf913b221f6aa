package torch

import (
	"encoding/binary"
	"math"
	"runtime"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/site"
	"github.com/torchmem/workbook/runtime/snapshot"
	"github.com/torchmem/workbook/runtime/tensor"
)

// RecordMemoryHistory is torch.cuda.memory._record_memory_history. Without
// options it records all that the allocator does, with the stacks that caused it.
func (c *Cuda) RecordMemoryHistory(options ...HistoryOption) {
	h := history{enabled: "all", context: "all", stacks: "all", maxEntries: math.MaxInt}
	for _, o := range options {
		o(&h)
	}
	c.allocator.RecordMemoryHistory(h.options())
}

// HistoryOption changes what RecordMemoryHistory records.
type HistoryOption func(*history)

// Enabled is the history's enabled: "all" keeps the events, "state" only what
// MemorySnapshot needs, and "None" ends recording and forgets the events.
func (*Cuda) Enabled(what string) HistoryOption { return func(h *history) { h.enabled = what } }

// Context is the history's context: "all" keeps the stacks of allocations and
// frees, "alloc" those of allocations, "state" those of blocks that are
// allocated, and "None" none.
func (*Cuda) Context(what string) HistoryOption { return func(h *history) { h.context = what } }

// Stacks is the history's stacks: "python" keeps the lines of the program, and
// "all" also those of the workbook below them, where PyTorch has its C++.
func (*Cuda) Stacks(what string) HistoryOption { return func(h *history) { h.stacks = what } }

// MaxEntries is the history's max_entries: after so many the oldest are
// overwritten.
func (*Cuda) MaxEntries(n int) HistoryOption { return func(h *history) { h.maxEntries = n } }

// ClearHistory is the history's clear_history: it forgets the events that are
// there.
func (*Cuda) ClearHistory() HistoryOption { return func(h *history) { h.clear = true } }

// history is what the options say.
type history struct {
	enabled, context, stacks string
	maxEntries               int
	clear                    bool
}

// options translates PyTorch's words. It panics as PyTorch does at a word that it
// does not know.
func (h history) options() caching.HistoryOptions {
	o := caching.HistoryOptions{MaxEntries: h.maxEntries, Clear: h.clear}
	switch h.enabled {
	case "all":
	case "state":
		o.MaxEntries = 1 // as in PyTorch
	case "None":
		o.MaxEntries = 0
	default:
		tensor.Raise("expected state to be 'state', 'all', or None")
	}
	contexts := map[string]caching.Context{
		"None": caching.ContextNever, "state": caching.ContextState, "alloc": caching.ContextAlloc, "all": caching.ContextAll,
	}
	context, ok := contexts[h.context]
	if !ok {
		tensor.Raise("expected context to be 'state', 'alloc', 'all', or None")
	}
	o.Context = context
	switch h.stacks {
	case "python":
		o.Stack = ProgramStack()
	case "all":
		o.Stack = newStacks(site.All).read
	default:
		tensor.Raise("expected stacks to be 'python', or 'all'")
	}
	if h.maxEntries < 0 {
		tensor.Raise("max_entries is %d: it cannot be negative", h.maxEntries)
	}
	return o
}

// Snapshot is torch.cuda.memory._snapshot(): the segments, the history and the
// settings.
func (c *Cuda) Snapshot() *snapshot.Snapshot { return snapshot.Take(c.allocator) }

// DumpSnapshot is torch.cuda.memory._dump_snapshot: it writes the snapshot to a
// file that PyTorch's viewer opens.
func (c *Cuda) DumpSnapshot(file string) error { return snapshot.WriteFile(file, c.Snapshot()) }

// ProgramStack returns a function that reads which lines of the program are
// running, the innermost call first. The workbook's own lines are left out. Equal
// stacks share their memory.
func ProgramStack() func() []caching.Frame { return newStacks(site.Learners).read }

// stacks reads stacks and keeps each once: the same lines run again and again.
type stacks struct {
	calls func(pcs []uintptr) []site.Call
	known map[string][]caching.Frame
	pcs   []uintptr
	key   []byte
}

// deepest is how many calls of a stack are read.
const deepest = 1024

func newStacks(calls func([]uintptr) []site.Call) *stacks {
	return &stacks{calls: calls, known: map[string][]caching.Frame{}, pcs: make([]uintptr, deepest)}
}

func (s *stacks) read() []caching.Frame {
	pcs := s.pcs[:runtime.Callers(2, s.pcs)]
	s.key = s.key[:0]
	for _, pc := range pcs {
		s.key = binary.LittleEndian.AppendUint64(s.key, uint64(pc))
	}
	frames, ok := s.known[string(s.key)]
	if !ok {
		frames = framesOf(s.calls(pcs))
		s.known[string(s.key)] = frames
	}
	return frames
}

func framesOf(calls []site.Call) []caching.Frame {
	frames := make([]caching.Frame, len(calls))
	for i, c := range calls {
		frames[i] = caching.Frame{Filename: c.File, Line: c.Line, Name: c.Function}
	}
	return frames
}
