package tensor

import (
	"math/bits"
	"slices"
)

// reduction is how a GPU spreads a sum over its threads, as far as memory is
// concerned: bytes of scratch memory and of semaphores, both zero where one
// block of threads sees all the elements of an output.
type reduction struct{ scratch, semaphores int64 }

// The limits of the reduction kernel.
const (
	reduceThreads  = 512 // threads of a block
	warp           = 32
	inputVector    = 4 // elements a thread reads at once
	minPerThread   = 16
	maxPerThread   = 256
	maxOutputWidth = 4 // outputs a thread makes at once
)

// planReduction follows the configuration of PyTorch's reduction kernel. wide
// is the input's shape with one element where it is summed over.
//
// The block of threads is shaped after the two sizes that matter: how many
// elements make one output, and how many outputs there are. When a thread
// would still read 256 elements or more, several blocks share an output; then
// their partial sums need scratch memory, and they need semaphores to know who
// is last.
func planReduction(x *Tensor, wide []int) reduction {
	in, outputs := x.Elements(), elements(wide)
	if in == 0 || in == outputs {
		return reduction{}
	}
	perOutput := in / outputs
	reduced, kept := mergedStrides(x, wide)
	fastest := len(kept) == 0 || (len(reduced) > 0 && reduced[0] < kept[0])

	d0, d1, width := outputs, perOutput, 1
	if fastest {
		d0, d1 = perOutput, outputs
		if len(kept) == 0 && len(reduced) == 1 && reduced[0] == 1 && d0 > 128 {
			d0 /= inputVector
		}
	} else if kept[0] == 1 {
		width = outputWidth(x, wide)
		d0 /= width
	}
	w, h := blockShape(d0, d1, reduceThreads/width)

	perThread, blocks := perOutput, ceilDiv(outputs, w*width)
	if fastest {
		perThread, blocks = ceilDiv(perOutput, w), outputs
	}
	shared := perThread >= h*minPerThread || perThread >= maxPerThread
	if !shared {
		return reduction{}
	}
	perThread = ceilDiv(perThread, h)
	target := x.Device().profile.Multiprocessors * (x.Device().profile.ThreadsPerMultiprocessor / (w * h))
	if perThread < maxPerThread || blocks > target {
		return reduction{}
	}
	parts := max(min(ceilDiv(target, blocks), ceilDiv(perThread, minPerThread)), ceilDiv(perThread, maxPerThread))
	if parts <= 1 {
		return reduction{}
	}
	scratch := x.dtype.Size() * int64(outputs) * int64(parts)
	if !fastest {
		scratch *= int64(w * width)
	}
	return reduction{scratch: scratch, semaphores: 4 * int64(blocks)}
}

// blockShape returns the width and the height of a block of at most threads
// threads for the two sizes.
func blockShape(d0, d1, threads int) (w, h int) {
	p0, p1 := min(powerBelow(d0), threads), min(powerBelow(d1), threads)
	w = min(p0, warp)
	h = min(p1, threads/w)
	return min(p0, threads/h), h
}

// outputWidth returns how many neighbouring outputs a thread makes: four, or
// two, or one, whatever divides their number and every other stride.
func outputWidth(x *Tensor, wide []int) int {
	width := maxOutputWidth
	fit := func(n int) {
		for n%width != 0 {
			width /= 2
		}
	}
	fit(x.offset)
	for i, d := range x.shape {
		if x.stride[i] == 1 && wide[i] == d && d > 1 {
			fit(d)
		} else if d > 1 {
			fit(x.stride[i])
		}
	}
	return width
}

// mergedStrides returns the strides of the dimensions that are summed over and
// of those that are kept, fastest first. Neighbours that lie without a gap are
// one dimension.
func mergedStrides(x *Tensor, wide []int) (reduced, kept []int) {
	return merge(x, func(i int) bool { return wide[i] != x.shape[i] }),
		merge(x, func(i int) bool { return wide[i] == x.shape[i] })
}

func merge(x *Tensor, choose func(i int) bool) []int {
	var dims []int
	for i, d := range x.shape {
		if d != 1 && choose(i) {
			dims = append(dims, i)
		}
	}
	slices.SortStableFunc(dims, func(a, b int) int { return x.stride[a] - x.stride[b] })
	var strides []int
	next := -1
	for _, d := range dims {
		if x.stride[d] != next {
			strides = append(strides, x.stride[d])
		}
		next = x.stride[d] * x.shape[d]
	}
	return strides
}

// powerBelow returns the largest power of two that is not above n.
func powerBelow(n int) int { return 1 << (bits.Len(uint(n)) - 1) }

func ceilDiv(a, b int) int { return (a + b - 1) / b }
