package history

import (
	"context"
	"fmt"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/snapshot"
)

// lookEvery is how many events pass before the reader looks whether somebody
// still waits.
const lookEvery = 1 << 16

// forward goes through the events and writes the ops.
func (r *reader) forward(ctx context.Context) error {
	r.ops = make([]Op, 0, len(r.events)/2)
	look := 0
	for i := 0; i < len(r.events); {
		if i >= look {
			look = i + lookEvery
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		n, err := r.step(i)
		if err != nil {
			return fmt.Errorf("event %d: %w", i, err)
		}
		i += n
	}
	r.flush()
	return nil
}

// step reads event i and tells how many it read.
func (r *reader) step(i int) (int, error) {
	e := r.events[i]
	switch e.Action {
	case caching.ActionAlloc:
		return 1, r.alloc(i, e)
	case caching.ActionFreeRequested:
		return r.free(i, e)
	case caching.ActionFreeCompleted:
		return 1, r.done(i, e)
	case caching.ActionSegmentAlloc, caching.ActionSegmentMap:
		return 1, r.grow(i, e)
	case caching.ActionSegmentFree, caching.ActionSegmentUnmap:
		return r.release(i)
	case caching.ActionOOM:
		return 1, r.failed(i, e)
	case snapshot.ActionSnapshot:
		return 1, nil
	default:
		r.recorded.Strange++
		return 1, nil
	}
}

// alloc reads a block that was handed out.
func (r *reader) alloc(i int, e snapshot.Event) error {
	if _, ok := r.slots[e.Addr]; ok {
		return impossible(e, "that block is still in use")
	}
	if !sane(e.Size) {
		return impossible(e, "no block has that size")
	}
	at, ok := r.placeOf(e.Addr, e.Size)
	if !ok {
		return impossible(e, "there is no segment")
	}
	if r.lanes[at.lane].Stream != e.Stream {
		return impossible(e, "its segment belongs to another stream")
	}
	r.notice(e, at)
	slot := r.newSlot(info{size: e.Size, place: at})
	r.slots[e.Addr] = slot
	r.grew(e.Size)
	r.emit(Op{Kind: OpAlloc, Lane: int16(at.lane), Slot: slot, Event: int32(i), Size: e.Size})
	return nil
}

// newSlot gives a block a slot, a used one if there is one.
func (r *reader) newSlot(b info) int32 {
	r.segments.use(b.place.segment, 1)
	if last := len(r.spare) - 1; last >= 0 {
		slot := r.spare[last]
		r.spare = r.spare[:last]
		r.infos[slot] = b
		return slot
	}
	r.infos = append(r.infos, b)
	return int32(len(r.infos) - 1)
}

// dropSlot ends the life of a block.
func (r *reader) dropSlot(e snapshot.Event, slot int32) {
	r.segments.use(r.infos[slot].place.segment, -1)
	delete(r.slots, e.Addr)
	r.spare = append(r.spare, slot)
}

// free reads a block that the program freed, with its completion if that
// follows at once.
func (r *reader) free(i int, e snapshot.Event) (int, error) {
	slot, err := r.find(e, allocated)
	if err != nil {
		return 0, err
	}
	if i+1 < len(r.events) {
		if next := r.events[i+1]; next.Action == caching.ActionFreeCompleted && next.Addr == e.Addr {
			r.emit(Op{Kind: OpFree, Slot: slot, Event: int32(i)})
			r.dropSlot(e, slot)
			return 2, nil
		}
	}
	r.emit(Op{Kind: OpFreeLater, Slot: slot, Event: int32(i), Size: never})
	r.waiting++
	r.infos[slot].state = pending
	r.infos[slot].op = len(r.ops) - 1
	return 1, nil
}

// done reads that other streams are done with a freed block.
func (r *reader) done(i int, e snapshot.Event) error {
	slot, err := r.find(e, pending)
	if err != nil {
		return err
	}
	r.waiting--
	r.held = append(r.held, Op{Kind: OpDone, Slot: slot, Event: int32(i)})
	if b := r.infos[slot]; b.start > 0 && r.start.Blocks[b.start-1].Pending {
		r.start.Blocks[b.start-1].Until = int64(i)
	} else {
		r.ops[b.op].Size = int64(i)
	}
	r.segments.use(r.infos[slot].place.segment, -1)
	delete(r.slots, e.Addr)
	return nil
}

// find returns the slot of a block that is freed.
func (r *reader) find(e snapshot.Event, s state) (int32, error) {
	slot, seen := r.slots[e.Addr]
	switch {
	case !seen:
		return 0, impossible(e, "no block is in use there")
	case r.infos[slot].state != s && s == allocated:
		return 0, impossible(e, "it is freed already")
	case r.infos[slot].state != s:
		return 0, impossible(e, "nobody freed it")
	case r.infos[slot].size != e.Size:
		return 0, impossible(e, "the block has %d", r.infos[slot].size)
	}
	return slot, nil
}

// emit writes an op, after those that are held.
func (r *reader) emit(op Op) {
	if r.holding {
		r.ops = append(r.ops, op)
		r.flush()
		return
	}
	r.flush()
	r.ops = append(r.ops, op)
}

// flush writes the ops that are held. Their slots are free from then on.
func (r *reader) flush() {
	r.holding = false
	for _, op := range r.held {
		r.ops = append(r.ops, op)
		r.spare = append(r.spare, op.Slot)
	}
	r.held = r.held[:0]
}
