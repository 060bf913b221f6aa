package replay

import (
	"fmt"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
)

// Driver answers as the driver of a recording did: with the same addresses and
// streams, and with no memory where the recording shows that there was none. It
// fails where the allocator asks for something that the recorded one did not
// ask for. It is not safe for concurrent use.
type Driver struct {
	*sim.Driver
	log []caching.Entry
	// next is the place in the log that is not replayed yet.
	next    int
	streams []gpu.Stream
	// live are the segments that are handed out, and taken their bytes.
	live   map[gpu.Ptr]int64
	taken  int64
	ranges []addressRange
}

// NewDriver returns a driver that follows a recorded log. The streams are
// handed out in their order; the default one is passed over.
func NewDriver(profile gpu.Profile, log []caching.Entry, streams []gpu.Stream) *Driver {
	d := &Driver{Driver: sim.New(profile), log: log, live: map[gpu.Ptr]int64{}}
	for _, s := range streams {
		if s != 0 {
			d.streams = append(d.streams, s)
		}
	}
	return d
}

// Follow says how many entries of the log are replayed. Call it before each
// operation.
func (d *Driver) Follow(entries int) { d.next = entries }

// expect looks for a call of the driver in the log. The recorded allocator may
// have taken blocks back before. Where memory goes back instead, or none is
// left, the recorded call failed.
func (d *Driver) expect(action caching.Action, size int64) (gpu.Ptr, error) {
	for d.next < len(d.log) && d.log[d.next].Action == caching.ActionFreeCompleted {
		d.next++
	}
	if d.next >= len(d.log) {
		return 0, fmt.Errorf("%s of %d bytes: the recording has no more", action, size)
	}
	switch e := d.log[d.next]; e.Action {
	case action:
		if e.Size != size {
			return 0, fmt.Errorf("%s of %d bytes: the recording has %d", action, size, e.Size)
		}
		d.next++
		return e.Addr, nil
	case caching.ActionSegmentFree, caching.ActionSegmentUnmap, caching.ActionOOM:
		return 0, gpu.ErrOutOfMemory
	default:
		return 0, fmt.Errorf("%s of %d bytes: the recording goes on with %s", action, size, e.Action)
	}
}

// pass steps over a call that gives memory back.
func (d *Driver) pass(action caching.Action) {
	for d.next < len(d.log) && d.log[d.next].Action == caching.ActionFreeCompleted {
		d.next++
	}
	if d.next < len(d.log) && d.log[d.next].Action == action {
		d.next++
	}
}

// Malloc returns the recorded address.
func (d *Driver) Malloc(size int64) (gpu.Ptr, error) {
	p, err := d.expect(caching.ActionSegmentAlloc, size)
	if err != nil {
		return 0, err
	}
	if _, taken := d.live[p]; taken {
		return 0, fmt.Errorf("malloc of %d bytes: the recording has %#x twice", size, uint64(p))
	}
	d.live[p] = size
	d.taken += size
	return p, nil
}

// Free gives back what Malloc returned.
func (d *Driver) Free(p gpu.Ptr) error {
	size, ok := d.live[p]
	if !ok {
		return fmt.Errorf("free of %#x: not live", uint64(p))
	}
	d.pass(caching.ActionSegmentFree)
	delete(d.live, p)
	d.taken -= size
	return nil
}

// MemInfo returns the free and the total memory of the device.
func (d *Driver) MemInfo() (free, total int64) {
	free, total = d.Driver.MemInfo()
	return free - d.taken, total
}

// NewStream returns the next recorded stream.
func (d *Driver) NewStream() (gpu.Stream, error) {
	if len(d.streams) == 0 {
		return 0, fmt.Errorf("the recording has no more streams")
	}
	s := d.streams[0]
	d.streams = d.streams[1:]
	return s, nil
}

// Record returns an event that is done at once: a recorder waits for the device
// wherever a stream could still be at work.
func (d *Driver) Record(gpu.Stream) (gpu.Event, error) { return d.Driver.Record(0) }
