package history

import (
	"context"
	"fmt"
	"maps"
	"math"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/snapshot"
)

const (
	// never is an op that does not come.
	never = math.MaxInt64
	// maxBytes is more memory than any GPU has.
	maxBytes = 1 << 50
)

// Beyond is where addresses and handles of streams end: no processor has higher
// ones. A replay may use what lies above for its own.
const Beyond = 1 << 60

// sane reports whether a block or segment can have a size.
func sane(size int64) bool { return size > 0 && size <= maxBytes }

// possible reports whether a segment can have an address and a size.
func possible(at gpu.Ptr, size int64) bool {
	return sane(size) && at > 0 && at <= Beyond-gpu.Ptr(size)
}

// readings is how often a history is read at most to find private pools.
const readings = 4

// Of returns the program of one GPU.
func Of(ctx context.Context, s *snapshot.Snapshot, device int) (*Program, error) {
	var final []caching.Segment
	for _, seg := range s.Segments {
		if seg.Device == device {
			final = append(final, seg)
		}
	}
	released := map[int]caching.PoolID{}
	for again := 1; ; again++ {
		r := newReader(s, device, released)
		if err := r.read(ctx, final); err != nil {
			return nil, err
		}
		if len(r.found) == 0 || again == readings {
			return r.program(), nil
		}
		maps.Copy(released, r.found)
	}
}

func newReader(s *snapshot.Snapshot, device int, released map[int]caching.PoolID) *reader {
	r := &reader{
		events: s.Traces[device], released: released, found: map[int]caching.PoolID{},
		slots: map[gpu.Ptr]int32{}, laneOf: map[Lane]int{}, pools: map[int]caching.PoolID{},
		empties: map[*caching.Frame]bool{},
	}
	r.everywhere = framesOnFrees(r.events)
	c := s.Settings
	r.partly = c == nil || c.MaxSplitSize >= 0 || c.GarbageCollectionThreshold > 0
	return r
}

// read goes through the history: backwards for what was there at its start, and
// forward for the ops.
func (r *reader) read(ctx context.Context, final []caching.Segment) error {
	if err := r.rewind(final); err != nil {
		return err
	}
	if err := r.findOlder(final); err != nil {
		return err
	}
	return r.forward(ctx)
}

// reader walks through the events of one GPU.
type reader struct {
	events []snapshot.Event
	ops    []Op

	lanes  []Lane
	laneOf map[Lane]int
	// pools has the pool of each segment event, where it is known.
	pools map[int]caching.PoolID

	segments segments
	mapped   ranges
	reserved int64

	// slots has the slot of each block that is in use, by address.
	slots map[gpu.Ptr]int32
	infos []info
	// spare are slots without a block.
	spare []int32
	// waiting counts the blocks that wait for other streams.
	waiting int
	// held are slots that other streams are done with, and holding puts
	// off saying so until after the next request.
	held    []Op
	holding bool

	// everywhere tells that even frees have a stack, and partly that the
	// settings let a request give back a part of the cache.
	everywhere, partly bool
	// empties tells of each stack that was looked at, by its first frame,
	// whether it empties the cache.
	empties map[*caching.Frame]bool
	// released has the pools of segments that were found to be private, by
	// the event with which they go, and found what this reading adds.
	released, found map[int]caching.PoolID
	growing         growing

	// byAddr has the numbers of the older blocks by their addresses.
	byAddr   []int
	start    Start
	releases []Release
	growths  []Growth
	recorded Recorded
}

type state uint8

const (
	allocated state = iota
	pending
)

// info is what is known of the block in a slot.
type info struct {
	size  int64
	place place
	state state
	// op is where it was freed, while it is pending.
	op int
	// start is one more than its number among the blocks of the start.
	start int
}

// place is where a block lies. The segment is nil in one that expands.
type place struct {
	lane    int
	segment *segment
}

// placeOf finds where a block lies.
func (r *reader) placeOf(p gpu.Ptr, size int64) (place, bool) {
	if s := r.segments.holding(p, size); s != nil {
		return place{s.lane, s}, true
	}
	s, ok := r.mapped.find(p, size)
	return place{lane: s.lane}, ok
}

// maxLanes is far more than the streams of any program.
const maxLanes = 4096

// lane returns the number of a lane.
func (r *reader) lane(l Lane) (int, error) {
	if l.Stream >= Beyond {
		return 0, fmt.Errorf("no stream has the handle %#x", uint64(l.Stream))
	}
	n, ok := r.laneOf[l]
	if !ok {
		n = len(r.lanes)
		if n == maxLanes {
			return 0, fmt.Errorf("more than %d streams", maxLanes)
		}
		r.lanes = append(r.lanes, l)
		r.laneOf[l] = n
	}
	return n, nil
}

// impossible is the error for an event that cannot be. Its words follow the
// event's own.
func impossible(e snapshot.Event, format string, args ...any) error {
	return fmt.Errorf("%s of %d bytes at %#x: %s", e.Action, e.Size, uint64(e.Addr), fmt.Sprintf(format, args...))
}

// program puts together what the reader found.
func (r *reader) program() *Program {
	p := &Program{
		Ops: r.ops, Lanes: r.lanes, Slots: len(r.infos), Start: r.start,
		Releases: r.releases, Growths: r.growths, Recorded: r.recorded,
	}
	p.Recorded.Events = len(r.events)
	p.queue()
	return p
}
