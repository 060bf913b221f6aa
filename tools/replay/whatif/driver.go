package whatif

import (
	"fmt"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
	"github.com/torchmem/workbook/runtime/snapshot"
	"github.com/torchmem/workbook/tools/replay/whatif/history"
)

// driver is the GPU of a replay: the simulated one, with a clock of events that
// the history sets. If it has a trail, it answers as the recorded driver did for
// as long as it is asked the same.
type driver struct {
	*sim.Driver
	trail *trail
	// place is where the next segment goes, zero for anywhere.
	place gpu.Ptr
	// sizes are the segments that are handed out.
	sizes map[gpu.Ptr]int64
	// reserved is what the driver gave, and peak the most of it.
	reserved, peak int64
	// refused counts the requests that it had no memory for.
	refused int

	// passed has an entry for each event: whether the work before it is
	// done.
	passed []bool
	// marked has the event of each slot, and slot is whose block is freed.
	marked []gpu.Event
	slot   int32
}

// modelBit lies in every address that the model chose beside recorded ones, so
// that they never meet.
const modelBit gpu.Ptr = history.Beyond

// newDriver returns a driver with so much memory for a program with so many
// slots.
func newDriver(memory int64, slots int) *driver {
	profile := gpu.DefaultProfile()
	profile.TotalMemory, profile.ContextMemory = memory, 0
	return &driver{
		Driver: sim.New(profile), sizes: map[gpu.Ptr]int64{}, marked: make([]gpu.Event, slots),
	}
}

// Malloc takes a segment, at the recorded address if there is one.
func (d *driver) Malloc(size int64) (gpu.Ptr, error) {
	p, err := d.malloc(size)
	if err != nil {
		d.refused++
		return 0, err
	}
	d.sizes[p] = size
	d.took(size)
	return p, nil
}

func (d *driver) malloc(size int64) (gpu.Ptr, error) {
	if p := d.place; p != 0 {
		d.place = 0
		return p, nil
	}
	if d.trail.leads() {
		e, err := d.trail.take(caching.ActionSegmentAlloc, size)
		if err != nil || d.trail.leads() {
			return e.Addr, err
		}
	}
	p, err := d.Driver.Malloc(size)
	return p | modelBit, err
}

func (d *driver) took(size int64) {
	d.reserved += size
	d.peak = max(d.peak, d.reserved)
}

// Free gives a segment back.
func (d *driver) Free(p gpu.Ptr) error {
	size, ok := d.sizes[p]
	if !ok {
		return fmt.Errorf("free of %#x: no segment", uint64(p))
	}
	delete(d.sizes, p)
	d.reserved -= size
	d.trail.give(caching.ActionSegmentFree, p, size)
	if p&modelBit != 0 {
		return d.Driver.Free(p &^ modelBit)
	}
	return nil
}

// Map gives memory to addresses.
func (d *driver) Map(p gpu.Ptr, size int64) error {
	if d.trail.leads() {
		if _, err := d.trail.take(caching.ActionSegmentMap, size); err != nil {
			d.refused++
			return err
		}
	}
	if err := d.Driver.Map(p, size); err != nil {
		d.refused++
		return err
	}
	d.took(size)
	return nil
}

// Unmap takes the memory away again.
func (d *driver) Unmap(p gpu.Ptr, size int64) error {
	d.reserved -= size
	d.trail.give(caching.ActionSegmentUnmap, 0, size)
	return d.Driver.Unmap(p, size)
}

// Record puts an event behind the block that is being freed.
func (d *driver) Record(gpu.Stream) (gpu.Event, error) {
	d.passed = append(d.passed, false)
	e := gpu.Event(len(d.passed) - 1)
	d.marked[d.slot] = e
	return e, nil
}

// Done reports whether the history says so by now.
func (d *driver) Done(e gpu.Event) (bool, error) { return d.passed[e], nil }

// Wait ends the work before an event.
func (d *driver) Wait(e gpu.Event) error {
	d.passed[e] = true
	return nil
}

// finish says that other streams are done with a slot's block.
func (d *driver) finish(slot int32) { d.passed[d.marked[slot]] = true }

// trail is what the recorded driver was asked for.
type trail struct {
	events []snapshot.Event
	next   int
	// off is the event where the replay left the trail, -1 if it did not.
	off int
	// bounded tells that the replay has the recording's limit, so that it
	// never asks for what the recorded driver did not have.
	bounded bool
	// greedy tells that it left because it asked for memory too early.
	greedy bool
}

// newTrail begins at the first event of a segment.
func newTrail(events []snapshot.Event) *trail {
	t := &trail{events: events, off: -1}
	t.skip()
	return t
}

// skip passes over the events that do not concern the driver.
func (t *trail) skip() {
	for ; t.next < len(t.events); t.next++ {
		switch t.events[t.next].Action {
		case caching.ActionSegmentAlloc, caching.ActionSegmentMap, caching.ActionOOM,
			caching.ActionSegmentFree, caching.ActionSegmentUnmap:
			return
		}
	}
}

// leads reports whether the replay is still on the trail. Without one it never
// was.
func (t *trail) leads() bool { return t != nil && t.off < 0 }

// leave ends the trail: the replay goes its own way from here.
func (t *trail) leave() { t.off = t.next }

// take returns the next event if it is what the driver is asked for. If memory
// goes back instead, or a request fails, then the recorded driver had none.
func (t *trail) take(action caching.Action, size int64) (caching.Entry, error) {
	if t.next == len(t.events) {
		t.leave()
		return caching.Entry{}, nil
	}
	e := t.events[t.next].Entry
	switch e.Action {
	case action:
		if e.Size == size {
			t.next++
			t.skip()
			return e, nil
		}
	case caching.ActionSegmentFree, caching.ActionSegmentUnmap, caching.ActionOOM:
		if !t.bounded {
			return e, gpu.ErrOutOfMemory
		}
		t.greedy = true
	}
	t.leave()
	return e, nil
}

// give passes over memory that goes back.
func (t *trail) give(action caching.Action, p gpu.Ptr, size int64) {
	if !t.leads() {
		return
	}
	if t.next < len(t.events) {
		if e := t.events[t.next]; e.Action == action && e.Size == size && (p == 0 || e.Addr == p) {
			t.next++
			t.skip()
			return
		}
	}
	t.leave()
}

// fail passes over a request that failed.
func (t *trail) fail(event int32) {
	if !t.leads() {
		return
	}
	if t.next != int(event) {
		t.leave()
		return
	}
	t.next++
	t.skip()
}
