package sim

import (
	"fmt"

	"github.com/torchmem/workbook/runtime/gpu"
)

// firstStream is the handle of the first created stream. A real handle is the
// address of a host object; only the order of handles matters, and it is the
// order of creation.
const (
	firstStream  gpu.Stream = 0x10000000
	streamStride gpu.Stream = 0x1000
)

// queues is the state of the streams.
type queues struct {
	created int
	events  gpu.Event
	// busy are the streams that are held.
	busy map[gpu.Stream]bool
	// waiting are the events recorded on a stream while it was held.
	waiting map[gpu.Event]gpu.Stream
}

func newQueues() queues {
	return queues{busy: map[gpu.Stream]bool{}, waiting: map[gpu.Event]gpu.Stream{}}
}

// NewStream creates a stream.
func (d *Driver) NewStream() (gpu.Stream, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := firstStream + gpu.Stream(d.queues.created)*streamStride
	d.queues.created++
	return s, nil
}

// known reports whether s is the default stream or one that was created.
func (q *queues) known(s gpu.Stream) bool {
	if s == 0 {
		return true
	}
	return s >= firstStream && (s-firstStream)%streamStride == 0 &&
		(s-firstStream)/streamStride < gpu.Stream(q.created)
}

// Record puts an event at the present end of a stream. It is done at once
// unless the stream is held.
func (d *Driver) Record(s gpu.Stream) (gpu.Event, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	q := &d.queues
	if !q.known(s) {
		return 0, fmt.Errorf("record on stream %#x: no such stream", uint64(s))
	}
	q.events++
	if q.busy[s] {
		q.waiting[q.events] = s
	}
	return q.events, nil
}

// Done reports whether the work before e has finished.
func (d *Driver) Done(e gpu.Event) (bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, waits := d.queues.waiting[e]
	return !waits, nil
}

// Wait lets the stream of e run until its end, as nothing else would end the
// wait.
func (d *Driver) Wait(e gpu.Event) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s, waits := d.queues.waiting[e]; waits {
		d.queues.finish(s)
	}
	return nil
}

// Synchronize lets every stream run until its end.
func (d *Driver) Synchronize() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	clear(d.queues.busy)
	clear(d.queues.waiting)
	return nil
}

// Busy holds a stream: events recorded on it from now on stay undone until
// Idle, Wait or Synchronize. It plays the part of torch.cuda._sleep.
func (d *Driver) Busy(s gpu.Stream) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.queues.busy[s] = true
}

// Idle lets a held stream finish.
func (d *Driver) Idle(s gpu.Stream) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.queues.finish(s)
}

func (q *queues) finish(s gpu.Stream) {
	delete(q.busy, s)
	for e, on := range q.waiting {
		if on == s {
			delete(q.waiting, e)
		}
	}
}
