package tensor

import "slices"

// View shows the tensor in another shape of as many elements. One size may be
// -1: it is what remains. The elements must lie so that no copy is needed.
func View(x *Tensor, shape ...int) *Tensor {
	shape = inferSize(x, shape)
	stride, ok := viewStride(x, shape)
	if !ok {
		Raise("view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.")
	}
	return x.window(shape, stride, x.offset)
}

// UnsafeView is View of a tensor that nobody else will use: the result keeps
// its storage alive, and not x.
func UnsafeView(x *Tensor, shape ...int) *Tensor {
	v := View(x, shape...)
	v.base.Release(v)
	v.base = nil
	return v
}

// Viewable reports whether View can show the tensor in the shape.
func Viewable(x *Tensor, shape ...int) bool {
	_, ok := viewStride(x, inferSize(x, shape))
	return ok
}

// inferSize replaces a size of -1 and checks the number of elements.
func inferSize(x *Tensor, shape []int) []int {
	out, unknown, known := slices.Clone(shape), -1, 1
	for i, d := range shape {
		switch {
		case d == -1 && unknown >= 0:
			Raise("only one dimension can be inferred")
		case d == -1:
			unknown = i
			continue
		case d < 0:
			Raise("invalid shape dimension %d at index %d of shape %s", d, i, Sizes(shape))
		}
		known *= d
	}
	n := x.Elements()
	fits := known == n || (unknown >= 0 && known > 0 && n%known == 0)
	if !fits {
		Raise("shape '%s' is invalid for input of size %d", Sizes(shape), n)
	}
	if unknown >= 0 {
		if known == 0 {
			Raise("cannot reshape tensor of 0 elements into shape %s because the unspecified dimension size -1 can be any value and is ambiguous", Sizes(shape))
		}
		out[unknown] = n / known
	}
	return out
}

// viewStride returns the strides with which the shape shows x's elements, if
// there are such. It walks both shapes from the last dimension: each piece of
// memory that x shows without gaps must be cut up whole.
func viewStride(x *Tensor, shape []int) ([]int, bool) {
	stride := make([]int, len(shape))
	if x.Elements() == 0 {
		return rowMajor(shape), true
	}
	to, base := len(shape)-1, 1
	if len(x.shape) > 0 {
		base = x.stride[len(x.stride)-1]
	}
	piece, taken := 1, 1
	for d := len(x.shape) - 1; d >= 0; d-- {
		piece *= x.shape[d]
		if d > 0 && (x.shape[d-1] == 1 || x.stride[d-1] == piece*base) {
			continue
		}
		for to >= 0 && (taken < piece || shape[to] == 1) {
			stride[to] = taken * base
			taken *= shape[to]
			to--
		}
		if taken != piece {
			return nil, false
		}
		if d > 0 {
			base, piece, taken = x.stride[d-1], 1, 1
		}
	}
	for ; to >= 0; to-- {
		stride[to] = taken * base
	}
	return stride, true
}
