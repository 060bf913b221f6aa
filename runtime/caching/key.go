package caching

import (
	"math/bits"

	"github.com/torchmem/workbook/runtime/gpu"
)

// key is the order of cached blocks: by size, then by address.
type key struct {
	size uint64
	addr gpu.Ptr
}

func keyOf(b *Block) key { return key{uint64(b.size), b.ptr} }

// atLeast is the key of the best fit for a size.
func atLeast(size int64) key { return key{size: uint64(size)} }

// next is the least key after k.
func (k key) next() key { return key{k.size, k.addr + 1} }

// order returns 1 if k is before o, else 0. It is one subtraction of two
// numbers of 128 bits, so that a search has no branch to mispredict.
func (k key) order(o key) int {
	_, borrow := bits.Sub64(uint64(k.addr), uint64(o.addr), 0)
	_, borrow = bits.Sub64(k.size, o.size, borrow)
	return int(borrow)
}

func (k key) before(o key) bool { return k.order(o) == 1 }
