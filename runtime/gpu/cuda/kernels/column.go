package kernels

import (
	"errors"
	"math/bits"

	"github.com/torchmem/workbook/runtime/gpu"
)

// Blocks of reductions are columns of threads side by side: Block[0] columns,
// each of which makes one result, of Block[1] threads, which share its elements
// out among them. fold.cuh tells how they are folded.

// The limits of such a block. fold.cuh has room for maxColumnThreads numbers.
const (
	maxColumnThreads = 1024
	minColumnThreads = 128
	warp             = 32
	perThread        = 8 // elements of one result that a thread should have
)

// columnBlock returns the shape of a block for results of so many elements each.
// Threads that are neighbours in a warp should read neighbours in memory:
// those of neighbouring results where they lie side by side, and else those of
// one result.
func columnBlock(results, length int, sideBySide bool) [3]int {
	if sideBySide {
		columns := min(powerFrom(results), warp)
		return [3]int{columns, min(powerFrom(length), maxColumnThreads/columns), 1}
	}
	lanes := min(powerFrom(length), max(warp, powerFrom(ceilDiv(length, perThread))), maxColumnThreads)
	columns := min(powerFrom(results), max(1, minColumnThreads/lanes))
	return [3]int{columns, lanes, 1}
}

// powerFrom returns the smallest power of two that is not below n.
func powerFrom(n int) int {
	if n <= 1 {
		return 1
	}
	return 1 << bits.Len(uint(n-1))
}

// nearer reports whether neighbours along the first dimension of the joined
// window lie closer together than so many elements.
func (w window) nearer(step int) bool {
	return len(w.stride) > 0 && magnitude(w.stride[0]) < magnitude(step)
}

// apart refuses an output that lies in the memory of an input: threads would
// read what others have written.
func (l launch) apart() error {
	from, to := extent(l.Out)
	for _, in := range l.In {
		inFrom, inTo := extent(in)
		if in.Number == nil && from < inTo && inFrom < to {
			return errors.New("it cannot write over what it reads")
		}
	}
	return nil
}

// extent returns the addresses that an operand lies between.
func extent(o gpu.Operand) (from, to uint64) {
	first, last := 0, 0
	for d, n := range o.Shape {
		if n == 0 {
			return 0, 0
		}
		first += min(0, (n-1)*o.Stride[d])
		last += max(0, (n-1)*o.Stride[d])
	}
	size, at := int(o.Type.Size()), addressOf(o)
	return at + uint64(first*size), at + uint64((last+1)*size)
}
