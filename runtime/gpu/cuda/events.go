//go:build cuda

package cuda

import (
	"fmt"

	"gorgonia.org/cu"

	"github.com/torchmem/workbook/runtime/gpu"
)

// events are the marks in the streams. An event of CUDA can be recorded again
// once nobody asks for the old mark, so a few serve for a whole program: an
// event is open from its record until somebody learns that it is done, and then
// its object is spare. Streams keep their order, so whoever learns that one is
// done learns it of all before it in that stream.
type events struct {
	last  gpu.Event
	open  map[gpu.Event]mark
	order map[gpu.Stream][]gpu.Event // the open ones of each stream, oldest first
	spare []cu.Event
}

// mark is an open event.
type mark struct {
	event  cu.Event
	stream gpu.Stream
}

func newEvents() events {
	return events{open: map[gpu.Event]mark{}, order: map[gpu.Stream][]gpu.Event{}}
}

// Record puts an event at the present end of a stream.
func (d *Driver) Record(s gpu.Stream) (e gpu.Event, err error) {
	err = d.do(func() error {
		stream, err := d.stream(s)
		if err != nil {
			return fmt.Errorf("record on %w", err)
		}
		event, err := d.spareEvent()
		if err != nil {
			return err
		}
		if err := d.check("cuEventRecord", event.Record(stream)); err != nil {
			return err
		}
		e = d.events.add(mark{event, s})
		return nil
	})
	return e, err
}

// spareEvent returns an event that nobody uses. It keeps no time: that makes
// events slower, and nobody asks.
func (d *Driver) spareEvent() (cu.Event, error) {
	if n := len(d.events.spare); n > 0 {
		e := d.events.spare[n-1]
		d.events.spare = d.events.spare[:n-1]
		return e, nil
	}
	e, err := cu.MakeEvent(cu.DisableTiming)
	return e, d.check("cuEventCreate", err)
}

// Done reports whether the work before the event has finished. It does not
// wait.
func (d *Driver) Done(e gpu.Event) (done bool, err error) {
	err = d.do(func() error {
		m, open, err := d.events.find(e)
		if err != nil || !open {
			done = err == nil
			return err
		}
		err = m.event.Query()
		if err == cu.NotReady {
			return nil
		}
		if err := d.check("cuEventQuery", err); err != nil {
			return err
		}
		d.events.settle(e, m.stream)
		done = true
		return nil
	})
	return done, err
}

// Wait blocks until the event is done, and with it every other call: nothing
// else can be asked of the GPU meanwhile.
func (d *Driver) Wait(e gpu.Event) error {
	return d.do(func() error {
		m, open, err := d.events.find(e)
		if err != nil || !open {
			return err
		}
		if err := d.check("cuEventSynchronize", m.event.Synchronize()); err != nil {
			return err
		}
		d.events.settle(e, m.stream)
		return nil
	})
}

// add makes a recorded mark an open event.
func (v *events) add(m mark) gpu.Event {
	v.last++
	v.open[v.last] = m
	v.order[m.stream] = append(v.order[m.stream], v.last)
	return v.last
}

// find returns the mark of an open event. An event that is not open is done,
// if it was ever recorded.
func (v *events) find(e gpu.Event) (m mark, open bool, err error) {
	if e == 0 || e > v.last {
		return mark{}, false, fmt.Errorf("event %d: it was never recorded", e)
	}
	m, open = v.open[e]
	return m, open, nil
}

// settle notes that an event is done, and with it those before it in its
// stream.
func (v *events) settle(e gpu.Event, s gpu.Stream) {
	queue := v.order[s]
	for len(queue) > 0 && queue[0] <= e {
		v.spare = append(v.spare, v.open[queue[0]].event)
		delete(v.open, queue[0])
		queue = queue[1:]
	}
	v.order[s] = queue
}

// settleAll notes that every event is done.
func (v *events) settleAll() {
	for s := range v.order {
		v.settle(v.last, s)
	}
}
