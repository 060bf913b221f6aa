package replay

import (
	"context"
	"fmt"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
)

// Progress is told now and then how many operations are done.
type Progress func(done int)

// Recorded repeats a trace with the addresses that it shows. Progress may be
// nil. The error is the context's, or tells that the trace cannot be replayed;
// a difference is no error.
func Recorded(ctx context.Context, t *Trace, told Progress) (Result, error) {
	d := NewDriver(t.profile(), t.Events, t.Streams)
	r, err := newRun(t, d)
	if err != nil {
		return Result{}, err
	}
	r.follow = d.Follow
	return r.all(ctx, told)
}

// Modelled repeats a trace with the addresses of the simulated driver. They are
// compared by their distances from the first.
func Modelled(ctx context.Context, t *Trace, told Progress) (Result, error) {
	r, err := newRun(t, sim.New(t.profile()))
	if err != nil {
		return Result{}, err
	}
	r.follow = func(int) {}
	r.floating = true
	return r.all(ctx, told)
}

// profile is the device of the trace as far as it is known.
func (t *Trace) profile() gpu.Profile {
	p := gpu.DefaultProfile()
	if t.TotalMemory > 0 {
		p.TotalMemory = t.TotalMemory
	}
	return p
}

// run is a replay on its way.
type run struct {
	trace   *Trace
	columns []getter
	alloc   *caching.Allocator
	// streams are the handles here, in the trace's order.
	streams []gpu.Stream
	blocks  map[int]*caching.Block
	// follow tells the driver how far the log is.
	follow func(entries int)
	log
	result Result
}

func newRun(t *Trace, d caching.Driver) (*run, error) {
	cfg, err := caching.ParseConfig(t.Conf)
	if err != nil {
		return nil, fmt.Errorf("its settings %.80q: %w", t.Conf, err)
	}
	a, err := caching.New(d, cfg)
	if err != nil {
		return nil, err
	}
	r := &run{trace: t, alloc: a, streams: []gpu.Stream{0}, blocks: map[int]*caching.Block{}}
	for range t.Streams[1:] {
		s, err := a.NewStream()
		if err != nil {
			return nil, err
		}
		r.streams = append(r.streams, s)
	}
	if t.Fraction != nil {
		if err := a.SetMemoryFraction(*t.Fraction); err != nil {
			return nil, err
		}
	}
	for _, name := range t.Columns {
		g, _ := column(name) // check has looked
		r.columns = append(r.columns, g)
	}
	a.RecordHistory(len(t.Events) + 1<<16)
	r.log = log{recorded: t.Events, names: r.recordedStreams()}
	return r, nil
}

// recordedStreams tells for each handle here which one it was there.
func (r *run) recordedStreams() map[gpu.Stream]gpu.Stream {
	names := map[gpu.Stream]gpu.Stream{}
	for i, s := range r.streams {
		names[s] = r.trace.Streams[i]
	}
	return names
}

// tellEvery is how many operations pass between two words of progress.
const tellEvery = 1000

// all does every operation, and goes on after a difference to count how many
// are equal.
func (r *run) all(ctx context.Context, told Progress) (Result, error) {
	r.result.Operations = len(r.trace.Ops)
	for i, op := range r.trace.Ops {
		if i%tellEvery == 0 {
			if err := ctx.Err(); err != nil {
				return Result{}, err
			}
			if told != nil {
				told(i)
			}
		}
		r.note(i, op.String, r.step(op))
	}
	if r.result.First == nil {
		r.note(len(r.trace.Ops), func() string { return "the end" }, r.end())
	}
	return r.result, nil
}

// note counts an equal operation, and keeps the first difference.
func (r *run) note(i int, did func() string, d *Difference) {
	switch {
	case d == nil && i < len(r.trace.Ops):
		r.result.Equal++
	case d != nil && r.result.First == nil:
		d.Operation, d.Did = i, did()
		r.result.First = d
	}
}

// step does one operation and compares all that it did.
func (r *run) step(op Operation) *Difference {
	r.follow(r.log.seen)
	d := r.do(op)
	if counter := r.compareCounters(op); d == nil {
		d = counter
	}
	if entry := r.compareEntries(); d == nil {
		d = entry
	}
	return d
}

// do does one operation and compares what it returns.
func (r *run) do(op Operation) *Difference {
	var err error
	switch op.Op {
	case OpAlloc:
		return r.allocate(op)
	case OpFree:
		err = r.alloc.Free(r.blocks[op.ID])
		delete(r.blocks, op.ID)
	case OpRecordStream:
		err = r.alloc.RecordStream(r.blocks[op.ID], r.streams[op.Stream])
	case OpEmptyCache:
		err = r.alloc.EmptyCache()
	case OpResetPeak:
		r.alloc.ResetPeakStats()
	}
	if err != nil {
		return &Difference{What: "outcome", Recorded: "success", Replayed: err.Error()}
	}
	return nil
}

// allocate does an alloc. What was refused to PyTorch has to be refused here,
// in the same words.
func (r *run) allocate(op Operation) *Difference {
	b, err := r.alloc.Malloc(op.Bytes, r.streams[op.Stream])
	switch {
	case op.OK && err != nil:
		return &Difference{What: "outcome", Recorded: "success", Replayed: err.Error()}
	case op.OK:
		r.blocks[op.ID] = b
		return nil
	case err == nil:
		return &Difference{What: "outcome", Recorded: op.Error, Replayed: "success"}
	default:
		return differ("error", withoutOthers(op.Error), withoutOthers(err.Error()))
	}
}
