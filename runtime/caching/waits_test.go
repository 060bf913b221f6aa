package caching_test

import (
	"github.com/stretchr/testify/require"
	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
)

// waits are the freed blocks that a busy stream still uses. None of them may
// return to the cache before the stream is idle, or before the allocator waits
// for it.
type waits struct {
	busy map[gpu.Stream]bool
	// on are the busy streams of each block, by its address.
	on map[gpu.Ptr]map[gpu.Stream]bool
	// syncs is how often the allocator has waited.
	syncs int64
}

func newWaits() waits {
	return waits{busy: map[gpu.Stream]bool{}, on: map[gpu.Ptr]map[gpu.Stream]bool{}}
}

// add notes a block that is freed. A stream that was named within the use of a
// private pool is not waited for.
func (w *waits) add(h held) {
	on := map[gpu.Stream]bool{}
	for s := range h.users {
		if w.busy[s] && !h.within[s] {
			on[s] = true
		}
	}
	if len(on) > 0 {
		w.on[h.block.Ptr()] = on
	}
}

// idle notes that a stream is done with everything.
func (w *waits) idle(s gpu.Stream) {
	delete(w.busy, s)
	for p, on := range w.on {
		if delete(on, s); len(on) == 0 {
			delete(w.on, p)
		}
	}
}

// forget notes that no stream is at work any more.
func (w *waits) forget() {
	clear(w.busy)
	clear(w.on)
}

// require checks that all these blocks are still pending. Once the allocator has
// waited, nothing is known of any stream.
func (w *waits) require(t tester, l *ledger, s caching.Stats) {
	t.Helper()
	if s.NumSyncAllStreams != w.syncs {
		w.syncs = s.NumSyncAllStreams
		w.forget()
	}
	for p := range w.on {
		require.Contains(t, l.pending, p, "a block returned while a stream uses it")
	}
}
