package tensor

import (
	"fmt"
	"slices"
	"strings"
)

// elements returns the number of elements of a shape.
func elements(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// rowMajor returns the strides of a dense row-major tensor.
func rowMajor(shape []int) []int {
	stride := make([]int, len(shape))
	step := 1
	for i := len(shape) - 1; i >= 0; i-- {
		stride[i] = step
		step *= max(shape[i], 1)
	}
	return stride
}

// checkShape refuses negative sizes and sizes whose bytes overflow an int64.
func checkShape(shape []int, itemSize int64) {
	for _, d := range shape {
		if d < 0 {
			Raise("Trying to create tensor with negative dimension %d: %s", d, Sizes(shape))
		}
	}
	bytes := itemSize
	for _, d := range shape {
		if d > 0 && bytes > (1<<63-1)/int64(d) {
			Raise("Storage size calculation overflowed with sizes=%s", Sizes(shape))
		}
		bytes *= int64(d)
	}
}

// ShapeString spells a shape as 1000x1000.
func ShapeString(shape []int) string { return join(shape, "x") }

// Sizes spells a shape as [1000, 1000].
func Sizes(shape []int) string { return "[" + join(shape, ", ") + "]" }

func join(shape []int, between string) string {
	words := make([]string, len(shape))
	for i, d := range shape {
		words[i] = fmt.Sprint(d)
	}
	return strings.Join(words, between)
}

// broadcast returns the shape that both shapes stretch to.
func broadcast(a, b []int) []int {
	out := make([]int, max(len(a), len(b)))
	for i := range out {
		da, db := fromRight(a, len(out)-1-i), fromRight(b, len(out)-1-i)
		if da != db && da != 1 && db != 1 {
			Raise("The size of tensor a (%d) must match the size of tensor b (%d) at non-singleton dimension %d", da, db, i)
		}
		out[i] = da
		if da == 1 {
			out[i] = db
		}
	}
	return out
}

// fromRight returns the i-th size counted from the last, or 1 beyond the first.
func fromRight(shape []int, i int) int {
	if i >= len(shape) {
		return 1
	}
	return shape[len(shape)-1-i]
}

// Dimension turns a negative dimension into its number from the front.
func (x *Tensor) Dimension(d int) int { return dimensionOf(d, len(x.shape)) }

// dimensionOf does so for a tensor of n dimensions.
func dimensionOf(d, n int) int {
	n = max(n, 1)
	if d < -n || d >= n {
		RaiseIndex("Dimension out of range (expected to be in range of [%d, %d], but got %d)", -n, n-1, d)
	}
	if d < 0 {
		d += n
	}
	return d
}

// named reports for each dimension whether it is in the list, where no list
// means all. A dimension may be listed once.
func (x *Tensor) named(dims []int) []bool {
	in := make([]bool, max(len(x.shape), 1))
	for _, d := range dims {
		d = x.Dimension(d)
		if in[d] {
			Raise("dim %d appears multiple times in the list of dims", d)
		}
		in[d] = true
	}
	if len(dims) == 0 {
		in = slices.Repeat([]bool{true}, len(in))
	}
	return in
}

// KeepDims returns the shape of a reduction over the dimensions that keeps
// each as one element.
func KeepDims(x *Tensor, dims []int) []int {
	wide := slices.Clone(x.shape)
	for d, reduced := range x.named(dims) {
		if reduced && d < len(wide) {
			wide[d] = 1
		}
	}
	return wide
}

// reducedShape returns the shape of a reduction that leaves the dimensions out.
func reducedShape(x *Tensor, dims []int) []int {
	shape := []int{}
	in := x.named(dims)
	for i, d := range x.shape {
		if !in[i] {
			shape = append(shape, d)
		}
	}
	return shape
}
