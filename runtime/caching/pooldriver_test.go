package caching_test

import (
	"fmt"
	"slices"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
	"github.com/torchmem/workbook/runtime/oracle"
)

// poolDriver hands out the addresses and streams of a recording.
type poolDriver struct {
	*sim.Driver
	// segments and ranges are the recorded events that are still to come.
	segments, ranges []oracle.Event
	live             map[gpu.Ptr]int64
	mapped           int64
	names            []string
	handles          map[string]gpu.Stream
	// inner are the simulated streams behind the recorded ones.
	inner map[gpu.Stream]gpu.Stream
}

func newPoolDriver(p *poolProgram) *poolDriver {
	d := &poolDriver{Driver: sim.New(gpu.DefaultProfile()), live: map[gpu.Ptr]int64{}, handles: p.Streams, inner: map[gpu.Stream]gpu.Stream{}}
	events := p.Events
	for _, row := range p.Rows {
		events = append(events, row.Events...)
	}
	for _, e := range events {
		switch e.Action {
		case caching.ActionSegmentAlloc:
			d.segments = append(d.segments, e)
		case caching.ActionSegmentMap:
			d.ranges = append(d.ranges, e)
		}
	}
	return d
}

func (d *poolDriver) Malloc(size int64) (gpu.Ptr, error) {
	if free, _ := d.MemInfo(); size > free {
		return 0, gpu.ErrOutOfMemory
	}
	if len(d.segments) == 0 || d.segments[0].Size != size {
		return 0, fmt.Errorf("malloc of %d bytes: the recording goes on with %v", size, d.segments[:min(1, len(d.segments))])
	}
	p := d.segments[0].Addr
	d.segments = d.segments[1:]
	d.live[p] = size
	return p, nil
}

func (d *poolDriver) Free(p gpu.Ptr) error {
	if _, ok := d.live[p]; !ok {
		return fmt.Errorf("free of %#x: not live", uint64(p))
	}
	delete(d.live, p)
	return nil
}

// Reserve returns the address of the next range that gets memory: the first one
// of a segment does so at once, at the front.
func (d *poolDriver) Reserve(size int64) (gpu.Ptr, error) {
	if len(d.ranges) == 0 {
		return 0, fmt.Errorf("reserve of %d bytes: the recording has no more", size)
	}
	return d.ranges[0].Addr, nil
}

func (d *poolDriver) Release(gpu.Ptr) error { return nil }

func (d *poolDriver) Map(p gpu.Ptr, size int64) error {
	if len(d.ranges) == 0 || d.ranges[0].Addr != p || d.ranges[0].Size != size {
		return fmt.Errorf("map of %d bytes at %#x: the recording goes on with %v", size, uint64(p), d.ranges[:min(1, len(d.ranges))])
	}
	d.ranges = d.ranges[1:]
	d.mapped += size
	return nil
}

func (d *poolDriver) Unmap(_ gpu.Ptr, size int64) error {
	d.mapped -= size
	return nil
}

func (d *poolDriver) MemInfo() (free, total int64) {
	free, total = d.Driver.MemInfo()
	for _, size := range d.live {
		free -= size
	}
	return free - d.mapped, total
}

// NewStream makes s1, then s2.
func (d *poolDriver) NewStream() (gpu.Stream, error) {
	inner, err := d.Driver.NewStream()
	name := fmt.Sprintf("s%d", len(d.names)+1)
	d.names = append(d.names, name)
	d.inner[d.handles[name]] = inner
	return d.handles[name], err
}

func (d *poolDriver) Record(s gpu.Stream) (gpu.Event, error) { return d.Driver.Record(d.inner[s]) }

func (d *poolDriver) busy(name string) { d.Driver.Busy(d.inner[d.handles[name]]) }
func (d *poolDriver) idle(name string) { d.Driver.Idle(d.inner[d.handles[name]]) }

// settle lets all streams finish that were not busy in the recording.
func (d *poolDriver) settle(busy []string) {
	for _, name := range d.names {
		if !slices.Contains(busy, name) {
			d.idle(name)
		}
	}
}
