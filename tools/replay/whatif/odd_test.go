package whatif

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/snapshot"
)

// TestSeveralGPUs prints a table for each that has events.
func TestSeveralGPUs(t *testing.T) {
	s := readSnapshot(t, "oom")
	for i := range s.Segments {
		s.Segments[i].Device = 2
	}
	s.Traces = [][]snapshot.Event{nil, nil, s.Traces[0]}
	st, err := newStudy(context.Background(), s, 2, quiet)
	require.NoError(t, err)
	c := &comparison{study: st, file: "two.pickle", device: 2}
	require.NoError(t, c.replay(context.Background(), nil))
	require.EqualValues(t, 136_314_880, c.rows[0].PeakReserved)
	var out bytes.Buffer
	require.NoError(t, c.writeText(&out))
	require.Contains(t, out.String(), "two.pickle, GPU 2: 28 events")
}

// TestNamesAreHarmless prints no commands for the terminal that a snapshot may
// hold.
func TestNamesAreHarmless(t *testing.T) {
	s := readSnapshot(t, "tiny_all")
	for i := range s.Traces[0] {
		e := &s.Traces[0][i]
		e.Frames = slices.Clone(e.Frames)
		for j := range e.Frames {
			e.Frames[j].Name = "\x1b[2J\n" + e.Frames[j].Name
			e.Frames[j].Filename += "\r"
		}
	}
	s.Settings.Conf = "\x1b]0;title\a"
	c := &comparison{file: "a\x1b[31m.pickle", limit: 200e6}
	var err error
	c.study, err = newStudy(context.Background(), s, 0, quiet)
	require.NoError(t, err)
	require.NoError(t, c.replay(context.Background(), nil))
	var out bytes.Buffer
	require.NoError(t, c.writeText(&out))
	require.NotContains(t, out.String(), "\x1b")
	require.NotContains(t, out.String(), "\r")
	require.Contains(t, out.String(), "in ?[2J?forward")
}

// TestTextsAreShort cuts what nobody reads to its end.
func TestTextsAreShort(t *testing.T) {
	require.Equal(t, strings.Repeat("?", longest-3)+"...", Printable(strings.Repeat("\x1b", 1<<20)))
	require.Equal(t, "train.py: step", Printable("train.py: step"))
	s := readSnapshot(t, "oom")
	s.Settings.Conf = strings.Repeat("q", 1<<20)
	c := &comparison{study: studyOf(t, s), file: "oom.pickle"}
	require.NoError(t, c.replay(t.Context(), nil))
	var out bytes.Buffer
	require.NoError(t, c.writeText(&out))
	require.Less(t, out.Len(), 5000)
}

// TestPythonIsNamed passes over the lines of C++ that PyTorch records by default
// above those of the program.
func TestPythonIsNamed(t *testing.T) {
	inside := caching.Frame{Filename: "??", Name: "torch::unwind::unwind()"}
	line := caching.Frame{Filename: "train.py", Name: "step", Line: 7}
	c := &comparison{study: &study{events: []snapshot.Event{{
		Entry:  caching.Entry{Action: caching.ActionAlloc, Size: 512},
		Frames: []caching.Frame{inside, line, {Filename: "main.py"}},
	}}}}
	require.Equal(t, "event 0: alloc of 512 bytes in step (train.py:7)", c.event(0))
	c.events[0].Frames = []caching.Frame{inside}
	require.Equal(t, "event 0: alloc of 512 bytes in torch::unwind::unwind() (??:0)", c.event(0))
}

// texts keeps each Write.
type texts struct{ all []string }

func (w *texts) Write(p []byte) (int, error) {
	w.all = append(w.all, string(p))
	return len(p), nil
}

func TestProgress(t *testing.T) {
	w := &texts{}
	require.NoError(t, Run(context.Background(), Options{File: recording("tiny_all")}, &bytes.Buffer{}, w))
	require.NotEmpty(t, w.all)
	require.Regexp(t, `^tiny_all\.pickle\.gz: reading, \d+ %$`, w.all[0])
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := Run(ctx, Options{File: recording("tiny_all")}, &bytes.Buffer{}, nil)
	require.ErrorIs(t, err, context.Canceled)

	s := readSnapshot(t, "tiny_all")
	st := studyOf(t, s)
	_, err = st.recorded(ctx)
	require.ErrorIs(t, err, context.Canceled)
}

// TestUnknownSettings replays what is known of the settings.
func TestUnknownSettings(t *testing.T) {
	s := readSnapshot(t, "expandable")
	s.Settings.Conf = "expandable_segments:True,newer_than_this:1"
	st := studyOf(t, s)
	require.Len(t, st.remarks, 1)
	require.Contains(t, st.remarks[0], "newer_than_this")
	got, err := st.recorded(context.Background())
	require.NoError(t, err)
	require.Equal(t, readCounted(t)["expandable"].PeakReserved, got.PeakReserved)

	s.Settings = nil
	st = studyOf(t, s)
	got, err = st.recorded(context.Background())
	require.NoError(t, err)
	require.Equal(t, readCounted(t)["expandable"].PeakReserved, got.PeakReserved)
	require.Contains(t, st.remarks[0], "does not tell its settings")
}

// TestNoOneLimit has a request that failed, and a larger one that did not.
func TestNoOneLimit(t *testing.T) {
	const mib = 1 << 20
	entry := func(action caching.Action, size int64) snapshot.Event {
		return snapshot.Event{Entry: caching.Entry{Action: action, Addr: 1 << 40, Size: size}}
	}
	s := &snapshot.Snapshot{Settings: &snapshot.Settings{MaxSplitSize: -1}, Traces: [][]snapshot.Event{{
		entry(caching.ActionOOM, mib), entry(caching.ActionSegmentAlloc, 20*mib), entry(caching.ActionAlloc, 2*mib),
	}}}
	c := &comparison{study: studyOf(t, s), file: "odd.pickle"}
	require.NoError(t, c.replay(t.Context(), nil))
	require.Contains(t, c.allRemarks(),
		"Requests of the recording found no room, but no one limit explains them all. The rows have none.")
}

// TestLeftTrail says so when the settings cannot have been those of the
// recording.
func TestLeftTrail(t *testing.T) {
	s := readSnapshot(t, "split")
	s.Settings = &snapshot.Settings{MaxSplitSize: -1}
	c := &comparison{file: "split.pickle"}
	var err error
	c.study, err = newStudy(context.Background(), s, 0, quiet)
	require.NoError(t, err)
	require.NoError(t, c.replay(context.Background(), nil))
	var out bytes.Buffer
	require.NoError(t, c.writeText(&out))
	require.Contains(t, out.String(), "The recording reserved 629,145,600 bytes at its peak. The replay does something\nelse from event ")
}
