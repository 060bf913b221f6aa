package tensor

import "slices"

// How a result lies in memory matters to the allocator: a gradient that does
// not lie as its leaf does is copied, and a copy is an allocation.

// Contiguous reports whether the elements lie in row-major order without gaps.
func (x *Tensor) Contiguous() bool {
	if x.Elements() == 0 {
		return true
	}
	step := 1
	for i := len(x.shape) - 1; i >= 0; i-- {
		if x.shape[i] != 1 && x.stride[i] != step {
			return false
		}
		step *= x.shape[i]
	}
	return true
}

// Dense reports whether the elements fill one piece of memory, in any order of
// dimensions: PyTorch's non-overlapping and dense.
func (x *Tensor) Dense() bool {
	if x.Elements() == 0 {
		return true
	}
	step := 1
	for _, d := range byStride(x) {
		if x.stride[d] != step {
			return false
		}
		step *= x.shape[d]
	}
	return true
}

// byStride lists the dimensions of more than one element, fastest first.
func byStride(x *Tensor) []int {
	var order []int
	for d, n := range x.shape {
		if n != 1 {
			order = append(order, d)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return x.stride[a] - x.stride[b] })
	return order
}

// strideLike returns the strides of a dense tensor laid out as x is.
func strideLike(x *Tensor) []int {
	if x.Dense() {
		return x.stride
	}
	return denseStride(x.shape, x.stride)
}

// outputStride lays the result of an elementwise operator out as its operands
// lie: exactly so where they agree, and otherwise dense, with the dimensions in
// the order of the first operand that tells one.
func outputStride(shape []int, operands ...*Tensor) []int {
	if stride := commonStride(shape, operands); stride != nil {
		return stride
	}
	strides := make([][]int, len(operands))
	for i, x := range operands {
		strides[i] = x.stretched(shape).Stride
	}
	return denseStride(shape, strides...)
}

// commonStride returns the strides that all operands have, or nil.
func commonStride(shape []int, operands []*Tensor) []int {
	first := operands[0]
	for _, x := range operands {
		if !slices.Equal(x.shape, shape) || !x.Dense() || !slices.Equal(x.stride, first.stride) {
			return nil
		}
	}
	return first.stride
}

// denseStride returns the strides of a dense tensor whose dimensions have the
// order that the given strides tell. A stride of zero tells nothing, and then
// the next operand is asked. The comparison is not a total order, so the way
// of sorting is part of the rule.
func denseStride(shape []int, strides ...[]int) []int {
	order := make([]int, len(shape)) // fastest first
	for i := range order {
		order[i] = len(shape) - 1 - i
	}
	for i := range order {
		at := i
		for j := i - 1; j >= 0; j-- {
			c := slower(shape, strides, order[j], order[at])
			if c < 0 {
				break
			}
			if c > 0 {
				order[j], order[at] = order[at], order[j]
				at = j
			}
		}
	}
	stride, step := make([]int, len(shape)), 1
	for _, d := range order {
		stride[d] = step
		step *= max(shape[d], 1)
	}
	return stride
}

// slower returns 1 where dimension a has the larger stride, -1 where b has,
// and 0 where no operand tells.
func slower(shape []int, strides [][]int, a, b int) int {
	for _, s := range strides {
		switch {
		case s[a] == 0 || s[b] == 0:
		case s[a] < s[b]:
			return -1
		case s[a] > s[b] || shape[a] > shape[b]:
			return 1
		}
	}
	return 0
}
