package caching_test

import (
	"fmt"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
)

// recordedDriver hands out the addresses and the streams that a recording
// shows, so that a replay does not depend on a model of the driver. It fails
// where the recorded allocator asked for something else.
type recordedDriver struct {
	*sim.Driver
	segments []caching.Entry
	streams  []gpu.Stream
	live     map[gpu.Ptr]int64
	// full makes every request fail.
	full bool
}

func newRecordedDriver(events []caching.Entry, streams []gpu.Stream) *recordedDriver {
	d := &recordedDriver{Driver: sim.New(gpu.DefaultProfile()), live: map[gpu.Ptr]int64{}}
	for _, e := range events {
		if e.Action == caching.ActionSegmentAlloc {
			d.segments = append(d.segments, e)
		}
	}
	for _, s := range streams {
		if s != 0 {
			d.streams = append(d.streams, s)
		}
	}
	return d
}

func (d *recordedDriver) Malloc(size int64) (gpu.Ptr, error) {
	if free, _ := d.MemInfo(); d.full || size > free {
		return 0, gpu.ErrOutOfMemory
	}
	if len(d.segments) == 0 {
		return 0, fmt.Errorf("malloc of %d bytes: the recording has no more", size)
	}
	next := d.segments[0]
	if next.Size != size {
		return 0, fmt.Errorf("malloc of %d bytes: the recording has %d", size, next.Size)
	}
	d.segments = d.segments[1:]
	d.live[next.Addr] = size
	return next.Addr, nil
}

func (d *recordedDriver) Free(p gpu.Ptr) error {
	if _, ok := d.live[p]; !ok {
		return fmt.Errorf("free of %#x: not live", uint64(p))
	}
	delete(d.live, p)
	return nil
}

func (d *recordedDriver) MemInfo() (free, total int64) {
	free, total = d.Driver.MemInfo()
	for _, size := range d.live {
		free -= size
	}
	return free, total
}

func (d *recordedDriver) NewStream() (gpu.Stream, error) {
	s := d.streams[0]
	d.streams = d.streams[1:]
	return s, nil
}

func (d *recordedDriver) Record(gpu.Stream) (gpu.Event, error) { return d.Driver.Record(0) }
