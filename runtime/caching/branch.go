package caching

import (
	"math"
	"slices"
)

// branchWidth is the most kids of a branch. The steps of search rely on it.
const branchWidth = 32

// branch leads to kids: leaves on the lowest level, branches above. The key of
// a kid orders at or before all that is in it, and after all that is left of
// it. The leftmost kid has the least key of all: it takes whatever comes here
// that belongs to no other, also when the range of the branch grows downwards.
type branch struct {
	n int
	// low is where a branch began that was cut off another.
	low  key
	keys [branchWidth]key
	kids [branchWidth]kid
}

// kid is one of the two.
type kid struct {
	leaf   *leaf
	branch *branch
}

// noKey fills the unused places of a branch. It orders last, so that a search
// need not look at how many are used.
var noKey = key{math.MaxUint64, math.MaxUint64}

func newBranch() *branch {
	b := &branch{}
	fillKeys(b.keys[:])
	return b
}

func fillKeys(keys []key) {
	for i := range keys {
		keys[i] = noKey
	}
}

func sortKeys(keys []key) {
	slices.SortFunc(keys, func(x, y key) int { return y.order(x) - x.order(y) })
}

// route returns the place of the kid that k belongs to. Two steps find the
// right eight, and eight comparisons that do not wait for each other do the
// rest.
func (b *branch) route(k key) int {
	k = k.next()
	at := 16 & -b.keys[15].order(k)
	at += 8 & -b.keys[at+7].order(k)
	e := (*[8]key)(b.keys[at:])
	at += e[0].order(k) + e[1].order(k) + e[2].order(k) + e[3].order(k) +
		e[4].order(k) + e[5].order(k) + e[6].order(k) + e[7].order(k)
	return max(at-1, 0)
}

// add puts in a kid at a place.
func (b *branch) add(i int, k key, to kid) {
	copy(b.keys[i+1:b.n+1], b.keys[i:b.n])
	copy(b.kids[i+1:b.n+1], b.kids[i:b.n])
	b.keys[i], b.kids[i] = k, to
	b.n++
}

// drop takes out the kid at a place. Its keys pass to the kid on the left, or
// at the left end to the one on the right, which then has a lower key.
func (b *branch) drop(i int) {
	k := min(max(i, 1), b.n-1)
	copy(b.keys[k:], b.keys[k+1:b.n])
	copy(b.kids[i:], b.kids[i+1:b.n])
	b.n--
	b.keys[b.n], b.kids[b.n] = noKey, kid{}
}

// cut moves the upper half of a full branch to an empty one, and notes where
// that one begins.
func (b *branch) cut(right *branch) {
	const half = branchWidth / 2
	copy(right.keys[:], b.keys[half:])
	copy(right.kids[:], b.kids[half:])
	fillKeys(b.keys[half:])
	clear(b.kids[half:])
	b.n, right.n = half, half
	right.low, right.keys[0] = right.keys[0], key{}
}
