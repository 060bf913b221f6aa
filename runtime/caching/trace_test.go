package caching_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
)

// A block fills one cache line. What a history knows of it is kept elsewhere.
func TestABlockIsACacheLine(t *testing.T) {
	require.EqualValues(t, 64, unsafe.Sizeof(caching.Block{}))
}

// steps is a stack that tells how often it was asked for.
type steps struct{ n int }

func (s *steps) stack() []caching.Frame {
	s.n++
	return []caching.Frame{{Filename: "main.go", Line: s.n, Name: "main.main"}}
}

func (s *steps) last() []caching.Frame {
	return []caching.Frame{{Filename: "main.go", Line: s.n, Name: "main.main"}}
}

// lines are those of the innermost frames of a history, zero without a stack.
func lines(entries []caching.TraceEntry) (lines []int) {
	for _, e := range entries {
		line := 0
		if len(e.Frames) > 0 {
			line = e.Frames[0].Line
		}
		lines = append(lines, line)
	}
	return lines
}

func framesOf(a *caching.Allocator) (frames [][]caching.Frame) {
	for _, s := range a.Snapshot() {
		for _, b := range s.Blocks {
			frames = append(frames, b.Frames)
		}
	}
	return frames
}

// TestContexts does the same under each context: a malloc, which takes a segment,
// a free, and an empty_cache.
func TestContexts(t *testing.T) {
	none := []caching.Frame{}
	for _, c := range []struct {
		context caching.Context
		// lines are those of segment_alloc, alloc, two of the free, segment_free.
		lines []int
		block bool
		asked int
	}{
		{caching.ContextNever, []int{0, 0, 0, 0, 0}, false, 0},
		{caching.ContextState, []int{0, 0, 0, 0, 0}, true, 1},
		{caching.ContextAlloc, []int{1, 1, 1, 1, 1}, true, 1},
		{caching.ContextAll, []int{1, 1, 2, 2, 3}, true, 3},
	} {
		a, s := newAllocator(t, ""), &steps{}
		a.RecordMemoryHistory(caching.HistoryOptions{MaxEntries: 100, Stack: s.stack, Context: c.context})
		b := malloc(t, a, 1<<20)
		want := [][]caching.Frame{none, none}
		if c.block {
			want[0] = s.last()
			require.Equal(t, s.last(), a.Snapshot()[0].Frames)
		}
		require.Equal(t, want, framesOf(a))
		require.NoError(t, a.Free(b))
		require.Equal(t, [][]caching.Frame{none}, framesOf(a), "a cached block has none")
		require.NoError(t, a.EmptyCache())
		require.Equal(t, c.lines, lines(a.TraceHistory()))
		require.Equal(t, c.asked, s.n)
	}
}

func TestTraceEntriesKnowTheBlock(t *testing.T) {
	a := newAllocator(t, "")
	a.RecordHistory(10)
	pool := a.NewPool()
	require.NoError(t, a.UsePool(pool))
	b := malloc(t, a, 700)
	require.NoError(t, a.EndUse(pool))
	require.NoError(t, a.Free(b))
	for i, e := range a.TraceHistory() {
		require.Equal(t, pool, e.Pool)
		require.Equal(t, map[bool]int64{true: 1024}[e.Action == caching.ActionAlloc], e.Block, i)
	}
}

// A program may clear and end its history. Who tracks the allocator sees all.
func TestTrackersSeeEverything(t *testing.T) {
	a, s := newAllocator(t, ""), &steps{}
	var seen []caching.TraceEntry
	stop := a.Trace(s.stack, func(e caching.TraceEntry) { seen = append(seen, e) })
	a.RecordHistory(1)
	b := malloc(t, a, 1)
	require.NoError(t, a.Free(b))
	require.Len(t, a.History(), 1)
	require.Equal(t, []int{0}, lines(a.TraceHistory()), "the history did not ask for stacks")
	a.RecordHistory(0)
	b = malloc(t, a, 1)
	require.Equal(t, []int{1, 1, 1, 1, 2}, lines(seen))
	require.Equal(t, s.last(), framesOf(a)[0])

	stop()
	require.NoError(t, a.Free(b))
	malloc(t, a, 1)
	stop()
	require.Len(t, seen, 5, "nobody looks any more")
	require.Equal(t, []caching.Frame{}, framesOf(a)[0])
	require.Equal(t, 2, s.n)
}

// TestTrackersReadStacksOfTheirOwn has a program whose history asks for others.
func TestTrackersReadStacksOfTheirOwn(t *testing.T) {
	a, programs, trackers := newAllocator(t, ""), &steps{n: 10}, &steps{}
	var seen []caching.TraceEntry
	defer a.Trace(trackers.stack, func(e caching.TraceEntry) { seen = append(seen, e) })()
	a.RecordMemoryHistory(caching.HistoryOptions{MaxEntries: 10, Stack: programs.stack, Context: caching.ContextAlloc})
	malloc(t, a, 1)
	require.Equal(t, []int{1, 1}, lines(seen))
	require.Equal(t, []int{11, 11}, lines(a.TraceHistory()))
	require.Equal(t, programs.last(), framesOf(a)[0], "a snapshot is the program's")
}

// TestBounds changes the bound of a history that is full.
func TestBounds(t *testing.T) {
	a := newAllocator(t, "")
	bound := func(n int) { a.RecordMemoryHistory(caching.HistoryOptions{MaxEntries: n}) }
	sizes := func() (sizes []int64) {
		for _, e := range a.History() {
			sizes = append(sizes, e.Size)
		}
		return sizes
	}
	bound(4)
	for i := range int64(7) {
		malloc(t, a, 1+i)
	}
	require.Equal(t, []int64{4, 5, 6, 7}, sizes())
	bound(2)
	require.Equal(t, []int64{6, 7}, sizes())
	bound(3)
	malloc(t, a, 8)
	malloc(t, a, 9)
	require.Equal(t, []int64{7, 8, 9}, sizes())
	a.RecordMemoryHistory(caching.HistoryOptions{MaxEntries: 3, Clear: true})
	require.Empty(t, sizes())
	malloc(t, a, 10)
	require.Equal(t, []int64{10}, sizes())
	bound(0)
	require.Empty(t, sizes())
	malloc(t, a, 11)
	require.Empty(t, sizes())
}
