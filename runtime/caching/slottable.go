package caching

import "slices"

// slotted is what a [slotTable] holds: pointers that know their hash.
type slotted interface {
	comparable
	slotHash() uint64
}

// slotTable is a set in the order of a hash table. PyTorch keeps streams with
// pending blocks, and some of its private pools, in hash tables and walks them
// slot by slot. So the slots decide which stream's blocks return to the cache
// first and which pool's segments go back first, and that is visible: in which
// neighbours merge, in the peaks, in the history. The table here has the same
// slots: Fibonacci hashing, linear probing where the entry farther from home
// wins ("Robin Hood"), at most half full, never shrinking.
type slotTable[E slotted] struct {
	// slots has a few more than a power of two, so that probing need not
	// wrap around. The zero E is an empty slot.
	slots []E
	count int
	log   int
}

// home is where an entry would like to be.
func (t *slotTable[E]) home(e E) int {
	return int(e.slotHash() * 11400714819323198485 >> (64 - t.log))
}

// reach is how far from home an entry may be.
func (t *slotTable[E]) reach() int { return max(4, t.log) }

// inOrder lists the entries by slot.
func (t *slotTable[E]) inOrder() []E {
	var empty E
	return slices.DeleteFunc(slices.Clone(t.slots), func(e E) bool { return e == empty })
}

func (t *slotTable[E]) insert(e E) {
	if 2*(t.count+1) > 1<<t.log || t.log == 0 {
		t.double()
	}
	for !t.place(e) {
		t.double()
	}
	t.count++
}

// place puts e into a slot and moves on those that are closer to home. It
// fails, with nothing changed, when one would end up out of reach.
func (t *slotTable[E]) place(e E) bool {
	var empty E
	slots := slices.Clone(t.slots)
	for i := t.home(e); i < len(slots); i++ {
		if i-t.home(e) == t.reach() {
			return false
		}
		if slots[i] == empty {
			slots[i] = e
			t.slots = slots
			return true
		}
		if i-t.home(slots[i]) < i-t.home(e) {
			slots[i], e = e, slots[i]
		}
	}
	return false
}

// double makes room and places all entries anew, slot by slot.
func (t *slotTable[E]) double() {
	old := t.inOrder()
	t.log = max(2, t.log+1)
	t.slots = make([]E, 1<<t.log+t.reach())
	for _, e := range old {
		for !t.place(e) {
			t.double()
		}
	}
}

// remove empties a slot and moves entries behind it closer to home. It does
// nothing when e is not in the table.
func (t *slotTable[E]) remove(e E) {
	i := slices.Index(t.slots, e)
	if i < 0 {
		return
	}
	var empty E
	for i+1 < len(t.slots) && t.slots[i+1] != empty && t.home(t.slots[i+1]) <= i {
		t.slots[i] = t.slots[i+1]
		i++
	}
	t.slots[i] = empty
	t.count--
}
