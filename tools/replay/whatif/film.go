package whatif

import (
	"errors"
	"fmt"
	"io"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/output"
	"github.com/torchmem/workbook/runtime/snapshot"
	"github.com/torchmem/workbook/runtime/timeline"
	"github.com/torchmem/workbook/runtime/timeline/web"
	"github.com/torchmem/workbook/tools/replay/whatif/history"
)

// # Pictures of a replay
//
// A replay can be filmed: everything that its allocator does from the first event
// on is kept. Films of all settings make a page for the browser, and the one of
// the settings that were named last a snapshot, as if PyTorch had run under them.
// Allocations have the recorded stacks and times: those of the event that each of
// the program's operations was read from.

// film is what happened in one replay.
type film struct {
	timeline.Recording
	traced []snapshot.Event
	// end is the memory when the replay ended.
	end *snapshot.Snapshot
}

// film records a replay from now on. The function that it returns ends that.
func (s *study) film(r *replay) (f *film, stop func()) {
	f = &film{Recording: timeline.Recording{Start: segmentsOf(r)}}
	unwatch := r.alloc.Trace(s.stackOf(r), func(e caching.TraceEntry) {
		if e.Action != caching.ActionOOM {
			e.Addr = nearer(e.Addr)
		}
		f.Events = append(f.Events, timeline.Event{Entry: e.Entry, Block: e.Block, Pool: e.Pool, Frames: e.Frames})
		f.traced = append(f.traced, snapshot.Event{Entry: e.Entry, TimeUS: s.timeOf(r.now), Frames: e.Frames})
	})
	return f, func() {
		unwatch()
		f.end = &snapshot.Snapshot{
			Segments: segmentsOf(r), Traces: [][]snapshot.Event{f.traced}, Settings: snapshot.SettingsOf(r.alloc.Config()),
		}
	}
}

// segmentsOf is the memory as it is now.
func segmentsOf(r *replay) []caching.Segment {
	segments := r.alloc.Snapshot()
	for i := range segments {
		segments[i].Address = nearer(segments[i].Address)
		for j := range segments[i].Blocks {
			segments[i].Blocks[j].Address = nearer(segments[i].Blocks[j].Address)
		}
	}
	return segments
}

// nearer moves the addresses that the model chose to where a browser still tells
// them apart: its numbers have 53 bits. No GPU has addresses there.
func nearer(p gpu.Ptr) gpu.Ptr {
	if p&modelBit == 0 {
		return p
	}
	return p&^modelBit | 1<<48
}

// stackOf returns a function that tells the recorded stack of the operation that
// a replay is doing.
func (s *study) stackOf(r *replay) func() []caching.Frame {
	return func() []caching.Frame {
		if r.now == nil {
			return nil
		}
		return s.events[r.now.Event].Frames
	}
}

func (s *study) timeOf(op *history.Op) int64 {
	if op == nil {
		return 0
	}
	return s.events[op.Event].TimeUS
}

// album has the films of all GPUs.
type album struct {
	file string
	// pages are all films, in the order of the rows.
	pages []*timeline.Recording
	// last has the snapshot under the settings that were named last, for each
	// GPU of the recording.
	last snapshot.Snapshot
	// missing are settings under which not even what was there at the start
	// fitted, so that there is no snapshot.
	missing string
}

// add keeps the films of one GPU.
func (a *album) add(c *comparison, gpus int) {
	for _, f := range c.filmed {
		if f != nil {
			a.pages = append(a.pages, &f.Recording)
		}
	}
	last := c.filmed[len(c.filmed)-1]
	if last == nil {
		a.missing = c.rows[len(c.rows)-1].conf
		return
	}
	end := last.end
	if a.last.Traces == nil {
		a.last.Traces = make([][]snapshot.Event, gpus)
	}
	for i := range end.Segments {
		end.Segments[i].Device = c.device
	}
	a.last.Segments = append(a.last.Segments, end.Segments...)
	a.last.Traces[c.device] = end.Traces[0]
	a.last.Settings = end.Settings
}

// outputs are the files that are asked for.
func (o Options) outputs() (files []output.File) {
	if o.HTML != "" {
		files = append(files, output.File{Flag: "html", Name: o.HTML})
	}
	if o.Snapshot != "" {
		files = append(files, output.File{Flag: "snapshot", Name: o.Snapshot})
	}
	return files
}

// check makes sure that they can be written, before the work.
func (o Options) check() error {
	if err := output.Names(o.outputs()); err != nil {
		return misusef("%v", err)
	}
	return output.Check(o.outputs())
}

// films reports whether replays have to be filmed.
func (o Options) films() bool { return o.HTML != "" || o.Snapshot != "" }

// write writes the pictures.
func (o Options) write(a *album) error {
	title := "whatif: " + Printable(a.file)
	return errors.Join(
		writeTo(o.HTML, func(w io.Writer) error { return web.Write(w, title, a.pages) }),
		writeTo(o.Snapshot, a.writeLast),
	)
}

// writeLast writes the snapshot.
func (a *album) writeLast(w io.Writer) error {
	if a.last.Traces == nil {
		return fmt.Errorf("under %s not even the blocks at the start fit: there is no snapshot of that", title(a.missing))
	}
	return snapshot.Write(w, &a.last)
}

// writeTo writes a file. No name is no file.
func writeTo(name string, write func(io.Writer) error) error {
	if name == "" {
		return nil
	}
	return output.Write(name, write)
}
