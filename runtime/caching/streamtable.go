package caching

import (
	"slices"

	"github.com/torchmem/workbook/runtime/gpu"
)

// streamTable holds one queue for each stream with pending blocks. PyTorch
// keeps them in a hash table and walks it slot by slot, so the slots decide
// which stream's blocks return to the cache first, and with that which
// neighbours merge, which is visible in the peaks. The table here has the same
// slots: Fibonacci hashing, linear probing where the entry farther from home
// wins ("Robin Hood"), at most half full, never shrinking.
type streamTable struct {
	// slots has a few more than a power of two, so that probing need not
	// wrap around.
	slots []*markQueue
	count int
	log   int
}

// hashOf returns the hash of a stream on the first device from its number in
// PyTorch.
func hashOf(id uint64) uint64 { return 1<<56 + id }

// home is where a hash would like to be.
func (t *streamTable) home(hash uint64) int {
	return int(hash * 11400714819323198485 >> (64 - t.log))
}

// reach is how far from home an entry may be.
func (t *streamTable) reach() int { return max(4, t.log) }

func (t *streamTable) find(s gpu.Stream) *markQueue {
	for _, q := range t.slots {
		if q != nil && q.stream == s {
			return q
		}
	}
	return nil
}

// inOrder lists the queues by slot.
func (t *streamTable) inOrder() []*markQueue {
	return slices.DeleteFunc(slices.Clone(t.slots), func(q *markQueue) bool { return q == nil })
}

func (t *streamTable) insert(q *markQueue) {
	if 2*(t.count+1) > 1<<t.log || t.log == 0 {
		t.double()
	}
	for !t.place(q) {
		t.double()
	}
	t.count++
}

// place puts q into a slot and moves on those that are closer to home. It
// fails, with nothing changed, when one would end up out of reach.
func (t *streamTable) place(q *markQueue) bool {
	slots := slices.Clone(t.slots)
	for i := t.home(q.hash); i < len(slots); i++ {
		if i-t.home(q.hash) == t.reach() {
			return false
		}
		if slots[i] == nil {
			slots[i] = q
			t.slots = slots
			return true
		}
		if i-t.home(slots[i].hash) < i-t.home(q.hash) {
			slots[i], q = q, slots[i]
		}
	}
	return false
}

// double makes room and places all entries anew, slot by slot.
func (t *streamTable) double() {
	old := t.inOrder()
	t.log = max(2, t.log+1)
	t.slots = make([]*markQueue, 1<<t.log+t.reach())
	for _, q := range old {
		if !t.place(q) {
			t.double()
			t.place(q)
		}
	}
}

// remove empties a slot and moves entries behind it closer to home.
func (t *streamTable) remove(q *markQueue) {
	i := slices.Index(t.slots, q)
	for i+1 < len(t.slots) && t.slots[i+1] != nil && t.home(t.slots[i+1].hash) <= i {
		t.slots[i] = t.slots[i+1]
		i++
	}
	t.slots[i] = nil
	t.count--
}
