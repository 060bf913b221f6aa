package caching

import (
	"fmt"
	"slices"

	"github.com/torchmem/workbook/runtime/gpu"
)

// # Deferred events
//
// A block that other streams use waits for an event in each of them when it is
// freed. While a private pool is in use no event may be recorded, so the block is
// put aside, and the first request after the use, or the next wait for all
// streams, makes up for it.
//
// A stream that RecordStream named during the use gets no event at all, as in
// PyTorch: there the rule is for captured graphs, which order the work
// themselves. For a private pool it means that the block returns to the cache
// while that stream may still work on it. (If such a block is freed after the
// use, PyTorch keeps the note of the stream for the next tensor in the same
// block. That is not followed here.)

// deferMarks puts a freed block aside until no private pool is in use.
func (a *Allocator) deferMarks(b *Block) {
	a.marks.deferred = append(a.marks.deferred, b)
	a.marks.count++
}

// markDeferred makes the events of blocks that were put aside, in the order of
// their frees. PyTorch's order is that of its objects' addresses, another one
// in each run.
func (a *Allocator) markDeferred() error {
	for len(a.marks.deferred) > 0 {
		b := a.marks.deferred[0]
		a.marks.deferred = a.marks.deferred[1:]
		a.marks.count--
		sh := a.marks.sharings[b]
		sh.users = slices.DeleteFunc(sh.users, func(s gpu.Stream) bool { return slices.Contains(sh.within, s) })
		if len(sh.users) == 0 {
			a.unshare(b)
			continue
		}
		if err := a.markUsers(b); err != nil {
			return err
		}
	}
	return nil
}

// completePool waits for the events of one private pool's blocks and returns
// those to its cache. Others stay pending.
func (a *Allocator) completePool(p *privatePool) error {
	a.meters.syncs++
	if err := a.markDeferred(); err != nil {
		return err
	}
	for _, q := range a.marks.queues.inOrder() {
		if err := a.completeQueue(q, p); err != nil {
			return err
		}
	}
	return nil
}

// completeQueue takes a pool's marks off a queue.
func (a *Allocator) completeQueue(q *markQueue, p *privatePool) error {
	all := q.marks
	q.marks = nil
	for i, m := range all {
		if m.block.segment.shelf.pool.owner != p {
			q.marks = append(q.marks, m)
			continue
		}
		if err := a.driver.Wait(m.event); err != nil {
			q.marks = append(q.marks, all[i:]...)
			return fmt.Errorf("event of stream %#x: %w", uint64(q.stream), err)
		}
		a.marks.count--
		a.pass(m.block)
	}
	if len(q.marks) == 0 {
		a.marks.queues.remove(q)
	}
	return nil
}
