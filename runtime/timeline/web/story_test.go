package web

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/timeline"
)

func TestRecordingsCanBeChosen(t *testing.T) {
	r, other := leak(t), busy(t, "", 50, 1<<20)
	b := open(t, r, other)
	require.Equal(t, r.Title, b.text("recording"), "what piles up is shown first")
	b.do(chromedp.Focus(".thumb[aria-checked=true]"), chromedp.KeyEvent(kb.ArrowRight))
	b.settle()
	require.Equal(t, other.Title, b.text("recording"))
	require.Equal(t, []string{other.Title}, b.texts(".thumb[aria-checked=true] b"))
	b.move(len(other.Events))
	b.requireCounters(other, len(other.Events))
	b.quiet()
}

func TestPileIsToldAndNamed(t *testing.T) {
	b := open(t, leak(t))
	require.Contains(t, b.text("story"), "Piles up: what ")
	require.Contains(t, b.text("story"), "6 allocations")
	require.Regexp(t, `, all of which go from event \d+ on, in outs\.clear\(\)\.$`, b.text("story"))
	require.Contains(t, strings.Join(b.texts("#legend li"), " "), "piles up")
	b.quiet()
}

// TestPilesAreToldInOneSentence has two lists that go in different statements, not
// the last; one that goes bit by bit, and one that stays.
func TestPilesAreToldInOneSentence(t *testing.T) {
	two, bits, kept := newDraft("two lists"), newDraft("bit by bit"), newDraft("kept")
	for i := range 12 {
		two.alloc(1, i, 1<<20)
		two.alloc(2, 20+i, 2<<20)
		for _, s := range []*draft{two, bits, kept} {
			if s != two {
				s.alloc(1, i, 1<<20)
			}
			s.statement("xs.append(f())")
		}
	}
	two.free(0, 9)
	two.statement("xs = xs[9:]")
	two.free(20, 29)
	two.statement("ys = ys[9:]")
	two.free(9, 12)
	two.free(29, 32)
	two.statement("del xs, ys")
	for i := range 3 {
		bits.free(3*i, 3*i+3)
		bits.statement("xs = xs[3:]")
	}
	b := open(t, two.r, bits.r, kept.r)
	for i, end := range []string{
		"Two things pile up: what train.py:2 makes grows to 12 allocations with 24 MiB, most of which go from event 44 on, in ys = ys[9:]; " +
			"and what train.py:1 makes grows to 12 allocations with 12 MiB, most of which go from event 26 on, in xs = xs[9:].",
		"Piles up: what train.py:1 makes grows to 12 allocations with 12 MiB and goes bit by bit, but some stay to the end.",
		"Piles up: what train.py:1 makes grows to 12 allocations with 12 MiB and is there to the end.",
	} {
		require.Contains(t, storyOf(b, i), end)
	}
	b.quiet()
}

// TestRecordingsOfTheSameWorkAreCompared has two that differ in one statement, and
// one that does something else.
func TestRecordingsOfTheSameWorkAreCompared(t *testing.T) {
	plain, wasteful := newDraft("plain"), newDraft("wasteful")
	for s, forward := range map[*draft]string{plain: "y = model(x)", wasteful: "y = model(torch.cat(x))"} {
		s.alloc(1, 0, 10<<20)
		s.statement("model = Model()")
		size := int64(len(forward)) << 20
		s.alloc(2, 100, size)
		s.statement(forward)
		s.free(100, 101)
		s.statement("y.backward()")
		s.statement("del y")
	}
	b := open(t, plain.r, wasteful.r, leak(t))
	require.Contains(t, storyOf(b, 1), "Of 2 recordings with almost the same statements, the lowest peak has plain: 22 MiB, 11 MiB less, "+
		"with y = model(x) instead of y = model(torch.cat(x)).")
	require.Contains(t, storyOf(b, 0), "this has the lowest peak; the highest, 33 MiB, has wasteful, "+
		"with y = model(torch.cat(x)) instead of y = model(x).")
	require.NotContains(t, storyOf(b, 2), "recordings with", "nobody knows what to compare it with")
	b.quiet()
}

// storyOf chooses a recording, and returns what is told of it.
func storyOf(b *browser, i int) string {
	b.t.Helper()
	eval[bool](b, fmt.Sprintf(`document.querySelectorAll('.thumb')[%d].click(), true`, i))
	b.settle()
	return b.text("story")
}

// draft is a recording that is written by hand.
type draft struct{ r *timeline.Recording }

func newDraft(title string) *draft {
	s := &draft{&timeline.Recording{Title: title}}
	s.event(caching.ActionSegmentAlloc, 0, 1<<40)
	return s
}

func (s *draft) event(a caching.Action, place int, size int64) *timeline.Event {
	at := gpu.Ptr(1<<40 + place<<21)
	s.r.Events = append(s.r.Events, timeline.Event{Entry: caching.Entry{Action: a, Addr: at, Size: size}})
	return &s.r.Events[len(s.r.Events)-1]
}

// alloc makes an allocation in a line of the program, at one of the places in
// memory.
func (s *draft) alloc(line, place int, size int64) {
	e := s.event(caching.ActionAlloc, place, size)
	e.Block, e.Frames = size, []caching.Frame{{Filename: "train.py", Line: line, Name: "f"}}
}

// free frees what lies at the places, the last excluded.
func (s *draft) free(from, to int) {
	for place := from; place < to; place++ {
		s.event(caching.ActionFreeRequested, place, 0)
		s.event(caching.ActionFreeCompleted, place, 0)
	}
}

func (s *draft) statement(text string) {
	s.r.Statements = append(s.r.Statements, timeline.Statement{Text: text, File: "train.py", Line: 1, End: len(s.r.Events)})
}
