package caching

import (
	"fmt"
	"slices"

	"github.com/torchmem/workbook/runtime/gpu"
)

// marks are the events that freed blocks wait for: one queue for each stream
// that some block waits for.
type marks struct {
	queues slotTable[*markQueue]
	// deferred are freed blocks that have no events yet.
	deferred []*Block
	// count is how many marks and deferred blocks there are.
	count int
	// sharings belong to the blocks that are marked as shared.
	sharings map[*Block]*sharing
}

// sharing is what is known of a block that several streams use.
type sharing struct {
	// users are the streams that RecordStream named, while it is allocated,
	// and within those that it named while a private pool was in use.
	users, within []gpu.Stream
	// waits counts the events that must pass, once it is freed.
	waits int
}

// mark is an event in a stream and the block that waits for it.
type mark struct {
	event gpu.Event
	block *Block
}

// markQueue holds the marks of one stream in the order they were made, which
// is the order in which they pass.
type markQueue struct {
	stream gpu.Stream
	hash   uint64
	marks  []mark
}

func (q *markQueue) slotHash() uint64 { return q.hash }

// hashOf returns the hash of a stream on the first device from its number in
// PyTorch.
func hashOf(id uint64) uint64 { return 1<<56 + id }

// RecordStream says that another stream uses the block too, like
// Tensor.record_stream. It matters when the block is freed. Naming the block's
// own stream changes nothing.
func (a *Allocator) RecordStream(b *Block, s gpu.Stream) error {
	if b == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if b.state != allocated {
		return invalidPointer(b)
	}
	if s == b.segment.shelf.stream {
		return nil
	}
	sh := a.marks.sharing(b)
	sh.users = withStream(sh.users, s)
	if a.private.inUse() {
		sh.within = withStream(sh.within, s)
	}
	return nil
}

func withStream(all []gpu.Stream, s gpu.Stream) []gpu.Stream {
	if slices.Contains(all, s) {
		return all
	}
	return append(all, s)
}

// sharing returns what is known of a block, which is shared from then on.
func (m *marks) sharing(b *Block) *sharing {
	if !b.shared {
		b.shared = true
		if m.sharings == nil {
			m.sharings = map[*Block]*sharing{}
		}
		m.sharings[b] = &sharing{}
	}
	return m.sharings[b]
}

// awaitUsers keeps a freed block active until the streams that use it are done
// with it.
func (a *Allocator) awaitUsers(b *Block) error {
	b.state = pending
	if a.private.inUse() {
		a.deferMarks(b)
		return nil
	}
	return a.markUsers(b)
}

// markUsers puts an event into each stream that uses a freed block.
func (a *Allocator) markUsers(b *Block) error {
	sh := a.marks.sharings[b]
	for _, s := range sh.users {
		e, err := a.driver.Record(s)
		if err != nil {
			return fmt.Errorf("free of %#x: %w", uint64(b.ptr), err)
		}
		q := a.markQueue(s)
		q.marks = append(q.marks, mark{e, b})
		sh.waits++
		a.marks.count++
	}
	return nil
}

// markQueue returns the queue of a stream, a new one if it has none.
func (a *Allocator) markQueue(s gpu.Stream) *markQueue {
	for _, q := range a.marks.queues.slots {
		if q != nil && q.stream == s {
			return q
		}
	}
	q := &markQueue{stream: s, hash: hashOf(a.streams.id(s))}
	a.marks.queues.insert(q)
	return q
}

// pass notes that one event of a block has passed. The last one completes it.
func (a *Allocator) pass(b *Block) {
	sh := a.marks.sharings[b]
	if sh.waits--; sh.waits == 0 {
		a.unshare(b)
	}
}

// unshare completes a freed block that no stream uses any more.
func (a *Allocator) unshare(b *Block) {
	delete(a.marks.sharings, b)
	b.shared = false
	a.complete(b)
}

// completePassed returns blocks to the cache whose events have passed. It runs
// at the start of every request and never waits.
func (a *Allocator) completePassed() error {
	if a.marks.count == 0 || a.private.inUse() {
		return nil
	}
	if err := a.markDeferred(); err != nil {
		return err
	}
	return a.drain(a.driver.Done)
}

// completeAll waits for every event and returns all pending blocks.
func (a *Allocator) completeAll() error {
	a.meters.syncs++
	if err := a.markDeferred(); err != nil {
		return err
	}
	return a.drain(func(e gpu.Event) (bool, error) { return true, a.driver.Wait(e) })
}

// drain takes marks off each queue until it meets one that has not passed.
func (a *Allocator) drain(passed func(gpu.Event) (bool, error)) error {
	for _, q := range a.marks.queues.inOrder() {
		for len(q.marks) > 0 {
			m := q.marks[0]
			ok, err := passed(m.event)
			if err != nil {
				return fmt.Errorf("event of stream %#x: %w", uint64(q.stream), err)
			}
			if !ok {
				break
			}
			q.marks = q.marks[1:]
			a.marks.count--
			a.pass(m.block)
		}
		if len(q.marks) == 0 {
			a.marks.queues.remove(q)
		}
	}
	return nil
}
