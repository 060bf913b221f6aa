package caching

import "math"

// leafWidth is the most blocks of a leaf.
const leafWidth = 24

// leaf is a bag of blocks whose keys lie between its own low key and that of
// the next leaf. Inside there is no order: to add or remove a block moves no
// other, and looking at all of them is quick, because their sizes lie side by
// side.
type leaf struct {
	n          int
	low        key
	prev, next *leaf
	sizes      [leafWidth]uint64
	blocks     [leafWidth]*Block
}

// spans reports whether a block with the key k belongs in this leaf.
func (l *leaf) spans(k key) bool {
	return !k.before(l.low) && (l.next == nil || k.before(l.next.low))
}

// add puts in a block. There must be room.
func (l *leaf) add(b *Block) {
	l.set(l.n, b)
	l.n++
}

// set puts a block at a place.
func (l *leaf) set(i int, b *Block) {
	l.sizes[i], l.blocks[i] = uint64(b.size), b
	b.leaf, b.place = l, int32(i)
}

// drop takes out the block at a place. The last one moves there.
func (l *leaf) drop(i int) {
	l.n--
	last := l.blocks[l.n]
	l.sizes[i], l.blocks[i] = l.sizes[l.n], last
	last.place = int32(i)
	l.blocks[l.n] = nil
}

// fit returns the smallest block of at least size bytes, the lowest among
// equals, or nil.
func (l *leaf) fit(size uint64) *Block {
	// What is too small wraps around and looks far too large.
	least := uint64(math.MaxUint64)
	sizes := l.sizes[:l.n]
	for _, s := range sizes {
		least = min(least, s-size)
	}
	if least > math.MaxInt64 {
		return nil
	}
	var best *Block
	for i, s := range sizes {
		if s-size == least && (best == nil || l.blocks[i].ptr < best.ptr) {
			best = l.blocks[i]
		}
	}
	return best
}

// first returns the block with the lowest key at or after k, or nil.
func (l *leaf) first(k key) *Block {
	var best *Block
	for _, b := range l.blocks[:l.n] {
		if at := keyOf(b); !at.before(k) && (best == nil || at.before(keyOf(best))) {
			best = b
		}
	}
	return best
}

// last returns the block with the highest key before k, or nil.
func (l *leaf) last(k key) *Block {
	var best *Block
	for _, b := range l.blocks[:l.n] {
		if at := keyOf(b); at.before(k) && (best == nil || !at.before(keyOf(best))) {
			best = b
		}
	}
	return best
}

// cut moves the upper half of a full leaf to an empty one and links it in.
func (l *leaf) cut(right *leaf) {
	var keys [leafWidth]key
	for i, b := range l.blocks {
		keys[i] = keyOf(b)
	}
	sortKeys(keys[:])
	right.low = keys[leafWidth/2]
	right.prev, right.next = l, l.next
	if right.next != nil {
		right.next.prev = right
	}
	l.next = right
	for i := l.n - 1; i >= 0; i-- {
		if b := l.blocks[i]; !keyOf(b).before(right.low) {
			l.drop(i)
			right.add(b)
		}
	}
}

// unlink takes an empty leaf out of the chain.
func (l *leaf) unlink() {
	if l.prev != nil {
		l.prev.next = l.next
	}
	if l.next != nil {
		l.next.prev = l.prev
	}
	l.prev, l.next = nil, nil
}
