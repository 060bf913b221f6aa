package whatif

import (
	"context"
	"errors"
	"fmt"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/tools/replay/whatif/history"
)

// replay does what a program asked for, under some settings.
type replay struct {
	program *history.Program
	alloc   *caching.Allocator
	driver  *driver
	// causes has the cause of each release.
	causes []history.Cause
	// held has the block of each slot.
	held []*caching.Block
	// pools has the private pool of each lane, and sides are the streams
	// that make blocks wait.
	pools []caching.PoolID
	sides []gpu.Stream

	allocated int64
	result    Result
	// reached is the peak that result.Idle belongs to.
	reached int64
	told    func(done int)
	// glanced keeps the compiler from leaving out the glances.
	glanced int64
	// stopOff ends a replay where it leaves the trail.
	stopOff bool
	// skips leaves out what failed in the recording, even on the trail.
	skips bool
	// now is the operation under way.
	now *history.Op
	// seen is shown each new block, if it is not nil.
	seen func(*history.Op, *caching.Block)
}

// sideStream is the handle of the first stream that makes blocks wait. No
// recorded stream has it.
const sideStream gpu.Stream = history.Beyond

func newReplay(p *history.Program, cfg caching.Config, d *driver) (*replay, error) {
	cfg.MemoryFraction = nil
	a, err := caching.New(d, cfg)
	if err != nil {
		return nil, err
	}
	r := &replay{
		program: p, alloc: a, driver: d, held: make([]*caching.Block, p.Slots),
		result: Result{FailedAt: none, LeftAt: none}, told: func(int) {},
	}
	for i := range p.Queues {
		r.sides = append(r.sides, sideStream+gpu.Stream(i))
	}
	made := map[caching.PoolID]caching.PoolID{{}: {}}
	for _, l := range p.Lanes {
		id, ok := made[l.Pool]
		if !ok {
			id = a.NewPool()
			made[l.Pool] = id
		}
		r.pools = append(r.pools, id)
	}
	return r, nil
}

// tellEvery is how many ops pass between two words of progress.
const tellEvery = 1 << 16

// run does all ops, until one fails for want of memory.
func (r *replay) run(ctx context.Context) error {
	before := r.alloc.Stats()
	r.begin()
	for i := 0; i < len(r.program.Ops); i++ {
		if i%tellEvery == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			r.told(i)
		}
		r.glance(i + ahead)
		op := &r.program.Ops[i]
		r.now = op
		err := r.do(op)
		if r.stopOff && !r.driver.trail.leads() {
			break
		}
		if errors.Is(err, gpu.ErrOutOfMemory) {
			r.result.FailedAt = int(op.Event)
			break
		}
		if err != nil {
			return fmt.Errorf("event %d: %w", op.Event, err)
		}
	}
	r.finish(before)
	return nil
}

// begin counts from what is there.
func (r *replay) begin() {
	r.driver.peak = r.driver.reserved
	r.reached = r.driver.reserved
	r.result.PeakAllocated = r.allocated
	r.result.Idle = r.driver.reserved - r.allocated
}

// finish fills in the result.
func (r *replay) finish(before caching.Stats) {
	after := r.alloc.Stats()
	r.result.PeakReserved = r.driver.peak
	r.result.Mallocs = after.NumDeviceAlloc - before.NumDeviceAlloc
	r.result.Frees = after.NumDeviceFree - before.NumDeviceFree
	r.result.Retries = after.NumAllocRetries - before.NumAllocRetries
	if t := r.driver.trail; t != nil {
		r.result.LeftAt = t.off
	}
}

// do does one op.
func (r *replay) do(op *history.Op) error {
	switch op.Kind {
	case history.OpAlloc:
		return r.malloc(op)
	case history.OpFree:
		return r.free(op.Slot)
	case history.OpFreeLater:
		return r.freeLater(op.Slot, int(op.Lane))
	case history.OpDone:
		r.driver.finish(op.Slot)
		return nil
	case history.OpRelease:
		return r.release(int(op.Slot))
	case history.OpDrop:
		return r.alloc.ReleasePool(r.pools[op.Lane])
	default:
		return r.failed(op)
	}
}

func (r *replay) malloc(op *history.Op) error {
	b, err := r.take(op.Size, int(op.Lane))
	if err != nil {
		return err
	}
	r.held[op.Slot] = b
	r.note(b)
	if r.seen != nil {
		r.seen(op, b)
	}
	return nil
}

// take asks for a block in a lane.
func (r *replay) take(size int64, lane int) (*caching.Block, error) {
	stream, pool := r.program.Lanes[lane].Stream, r.pools[lane]
	if pool == (caching.PoolID{}) {
		return r.alloc.Malloc(size, stream)
	}
	if err := r.alloc.UsePool(pool); err != nil {
		return nil, err
	}
	b, err := r.alloc.Malloc(size, stream)
	return b, errors.Join(err, r.alloc.EndUse(pool))
}

// note counts a new block.
func (r *replay) note(b *caching.Block) {
	r.allocated += b.Size()
	r.result.PeakAllocated = max(r.result.PeakAllocated, r.allocated)
	if r.driver.peak > r.reached {
		r.reached = r.driver.peak
		r.result.Idle = r.driver.peak - r.allocated
	}
}

func (r *replay) free(slot int32) error {
	b := r.held[slot]
	r.allocated -= b.Size()
	return r.alloc.Free(b)
}

// freeLater frees a block that another stream still uses.
func (r *replay) freeLater(slot int32, queue int) error {
	if err := r.alloc.RecordStream(r.held[slot], r.sides[queue]); err != nil {
		return err
	}
	r.driver.slot = slot
	return r.free(slot)
}

// release empties the cache where the program did. What a request released is
// left to the allocator.
func (r *replay) release(n int) error {
	if r.causes[n] == history.ByProgram {
		return r.alloc.EmptyCache()
	}
	return nil
}

// failed is a request that failed in the recording. On its trail it fails again.
// Elsewhere it is left out, but for the cache that it emptied.
func (r *replay) failed(op *history.Op) error {
	t := r.driver.trail
	if r.skips || !t.leads() {
		err := r.alloc.EmptyCache()
		t.fail(op.Event)
		return err
	}
	b, err := r.take(op.Size, int(op.Lane))
	if errors.Is(err, gpu.ErrOutOfMemory) {
		t.fail(op.Event)
		return nil
	}
	if err != nil {
		return err
	}
	t.leave()
	return r.alloc.Free(b)
}
