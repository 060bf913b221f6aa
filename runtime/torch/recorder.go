package torch

import (
	"slices"
	"strings"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/site"
	"github.com/torchmem/workbook/runtime/snapshot"
	"github.com/torchmem/workbook/runtime/timeline"
)

// Recorder records what a program does to the memory of the GPU, for pictures. It
// sees everything from its making on, whatever the program does to its history.
type Recorder struct {
	torch     *Torch
	recording timeline.Recording
	// traced are the same events as the allocator tells them.
	traced []caching.TraceEntry
	// alive has the event of each allocation that is there.
	alive map[gpu.Ptr]int
	stop  func()
}

// Record begins a recording. Each allocation bears the program's lines that asked
// for it, and the first name that it gets.
func (t *Torch) Record(title string) *Recorder {
	profile := t.Cuda.device.Profile()
	r := &Recorder{torch: t, alive: map[gpu.Ptr]int{}}
	r.recording = timeline.Recording{
		Title: title, Device: profile.Title, Total: profile.TotalMemory, Start: t.Cuda.MemorySnapshot(),
	}
	r.stop = t.Cuda.allocator.Trace(ProgramStack(), r.see)
	t.recorders = append(t.recorders, r)
	return r
}

// see takes an event of the allocator.
func (r *Recorder) see(e caching.TraceEntry) {
	switch e.Action {
	case caching.ActionAlloc:
		r.alive[e.Addr] = len(r.recording.Events)
	case caching.ActionFreeRequested:
		delete(r.alive, e.Addr)
	}
	r.traced = append(r.traced, e)
	r.recording.Events = append(r.recording.Events,
		timeline.Event{Entry: e.Entry, Block: e.Block, Pool: e.Pool, Frames: e.Frames})
}

// Statement says that a statement of the program has ended, as Python spells it,
// and at which line.
func (r *Recorder) Statement(text string, at site.Place) {
	r.look()
	s := r.torch.Cuda.MemoryStats()
	r.recording.Statements = append(r.recording.Statements, timeline.Statement{
		Text: text, File: site.InWorkbook(at.File), Line: at.Line, End: len(r.recording.Events),
		Allocated: s.AllocatedBytes.All.Current, Reserved: s.ReservedBytes.All.Current, Peak: s.AllocatedBytes.All.Peak,
	})
}

// named tells the recorders that a tensor got a name.
func (t *Torch) named(x *Tensor, name string) {
	for _, r := range t.recorders {
		if b := x.Raw().Storage().Block(); b != nil {
			r.name(b.Ptr(), name)
		}
		r.look()
	}
}

// look notes who holds what now. A name that takes another tensor lets go of one,
// which somebody else may hold.
func (r *Recorder) look() {
	names := r.torch.blockNames()
	for at, i := range r.alive {
		if name := names[at]; name != "" {
			r.name(at, name)
			r.hold(&r.recording.Events[i], name)
		}
	}
}

// hold notes a holder, if it is another one than before.
func (r *Recorder) hold(e *timeline.Event, name string) {
	before := e.Name
	if n := len(e.Holders); n > 0 {
		before = e.Holders[n-1].Name
	}
	if name != before && name != "("+nobodyElse+")" {
		e.Holders = append(e.Holders, timeline.Holder{From: len(r.recording.Events) - 1, Name: name})
	}
}

// name names an allocation that has no name yet. What is in parentheses is none:
// it says what else holds it, and makes place for a name.
func (r *Recorder) name(at gpu.Ptr, name string) {
	if i, ok := r.alive[at]; ok {
		if e := &r.recording.Events[i]; e.Name == "" || isRole(e.Name) && !isRole(name) {
			e.Name = name
		}
	}
}

func isRole(name string) bool { return strings.HasPrefix(name, "(") }

// Recording is what was recorded so far.
func (r *Recorder) Recording() *timeline.Recording { return &r.recording }

// Snapshot is the program's memory as it is now, with all that was recorded as its
// history.
func (r *Recorder) Snapshot() *snapshot.Snapshot {
	s := r.torch.Cuda.Snapshot()
	s.Traces = [][]snapshot.Event{snapshot.EventsOf(r.traced)}
	return s
}

// Stop ends the recording.
func (r *Recorder) Stop() {
	r.stop()
	r.torch.recorders = slices.DeleteFunc(r.torch.recorders, func(other *Recorder) bool { return other == r })
}
