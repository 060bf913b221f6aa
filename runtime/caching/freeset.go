package caching

import "iter"

// freeSet is an ordered set of cached blocks, by size and then by address. The
// first block at or after (size, 0) is the best fit, and among equals the
// lowest.
//
// # The data structure
//
// It is a B+-tree: blocks hang in leaves of up to 24, and branches of up to 32
// lead to them. A search reads a few consecutive cache lines per level, where a
// binary tree reads one line per comparison, and a million blocks are four
// levels away. Each block knows its place, so that removing it searches
// nothing. A leaf goes when it is empty, not when it is half empty: that keeps
// removal simple, and a set that shrinks is about to grow again.
type freeSet struct {
	root kid
	// height is the number of branch levels above the leaves.
	height int
	// spare are emptied leaves for reuse, linked through next.
	spare *leaf
}

// leafFor returns the leaf where k belongs, nil in a set that never had a
// block.
func (s *freeSet) leafFor(k key) *leaf {
	at := s.root
	for range s.height {
		at = at.branch.kids[at.branch.route(k)]
	}
	return at.leaf
}

// fit returns the smallest block of at least size bytes, the lowest among
// equals, or nil.
func (s *freeSet) fit(size int64) *Block {
	l := s.leafFor(atLeast(size))
	if l == nil {
		return nil
	}
	// All in the leaf may be smaller. No other leaf is empty.
	if b := l.fit(uint64(size)); b != nil || l.next == nil {
		return b
	}
	return l.next.fit(uint64(size))
}

// ascend yields all blocks in order. The loop may remove the block that it
// got.
func (s *freeSet) ascend() iter.Seq[*Block] {
	return func(yield func(*Block) bool) {
		for b := s.first(key{}); b != nil; {
			k := keyOf(b).next()
			if !yield(b) {
				return
			}
			b = s.first(k)
		}
	}
}

// descend yields the blocks before k, the last first. The loop may remove the
// block that it got.
func (s *freeSet) descend(k key) iter.Seq[*Block] {
	return func(yield func(*Block) bool) {
		for b := s.last(k); b != nil; b = s.last(k) {
			k = keyOf(b)
			if !yield(b) {
				return
			}
		}
	}
}

// first returns the first block at or after k, or nil.
func (s *freeSet) first(k key) *Block {
	for l := s.leafFor(k); l != nil; l = l.next {
		if b := l.first(k); b != nil {
			return b
		}
	}
	return nil
}

// last returns the last block before k, or nil.
func (s *freeSet) last(k key) *Block {
	for l := s.leafFor(k); l != nil; l = l.prev {
		if b := l.last(k); b != nil {
			return b
		}
	}
	return nil
}

// insert adds a block that is not in the set.
func (s *freeSet) insert(b *Block) {
	if s.root == (kid{}) {
		s.root.leaf = s.takeLeaf()
	}
	l := s.leafFor(keyOf(b))
	if l.n == leafWidth {
		l = s.cutLeaf(l, keyOf(b))
	}
	l.add(b)
}

// cutLeaf makes room in a full leaf and returns the half where k belongs.
func (s *freeSet) cutLeaf(l *leaf, k key) *leaf {
	right := s.takeLeaf()
	l.cut(right)
	if up := s.link(s.root, s.height, right.low, kid{leaf: right}); up != nil {
		s.raise(up.low, kid{branch: up})
	}
	if right.spans(k) {
		return right
	}
	return l
}

// link adds a new kid for k on the lowest branch level under at. If the branch
// of at was cut for it, link returns the right half.
func (s *freeSet) link(at kid, height int, k key, to kid) (right *branch) {
	if height == 0 {
		s.raise(k, to)
		return nil
	}
	b := at.branch
	i := b.route(k)
	if height > 1 {
		up := s.link(b.kids[i], height-1, k, to)
		if up == nil {
			return nil
		}
		k, to = up.low, kid{branch: up}
	}
	i++
	if b.n == branchWidth {
		right = newBranch()
		b.cut(right)
		if i > b.n {
			b, i = right, i-b.n
		}
	}
	b.add(i, k, to)
	return right
}

// raise puts a new root above the old one and its new sibling.
func (s *freeSet) raise(k key, sibling kid) {
	b := newBranch()
	b.add(0, key{}, s.root)
	b.add(1, k, sibling)
	s.root = kid{branch: b}
	s.height++
}

// remove takes out a block.
func (s *freeSet) remove(b *Block) {
	l := b.leaf
	l.drop(int(b.place))
	if l.n > 0 || s.height == 0 {
		return
	}
	s.prune(s.root.branch, s.height, l)
	l.unlink()
	l.next, s.spare = s.spare, l
	for s.height > 0 && s.root.branch.n == 1 {
		s.root = s.root.branch.kids[0]
		s.height--
	}
}

// replace takes old out and puts b in, which may be the same block after it
// changed. Mostly both belong in the same leaf, and the tree stays as it is.
func (s *freeSet) replace(old, b *Block) {
	if l := old.leaf; l.spans(keyOf(b)) || s.height == 0 {
		l.set(int(old.place), b)
		return
	}
	s.remove(old)
	s.insert(b)
}

// prune drops an empty leaf from the branches under b, and branches that are
// empty then.
func (s *freeSet) prune(b *branch, height int, l *leaf) {
	i := b.route(l.low)
	if height > 1 {
		below := b.kids[i].branch
		s.prune(below, height-1, l)
		if below.n > 0 {
			return
		}
	}
	b.drop(i)
	// The range of the leaf goes to its left neighbour, except at the left
	// end of a branch, where the right one takes it.
	if i == 0 && b.n > 0 {
		l.next.low = l.low
	}
}

// takeLeaf returns an empty leaf, a used one if there is one.
func (s *freeSet) takeLeaf() *leaf {
	l := s.spare
	if l == nil {
		return &leaf{}
	}
	s.spare = l.next
	l.next, l.low = nil, key{}
	return l
}
