package tensor

import (
	"slices"

	"github.com/torchmem/workbook/runtime/gpu"
)

// Map applies a kernel of one operand to every element. The result has the
// operand's type.
func Map(kernel string, x *Tensor) *Tensor {
	return mapInto(EmptyLike(x), kernel, []*Tensor{x})
}

// MapFloat is Map for a function whose results are fractions: of integers it
// makes float32.
func MapFloat(kernel string, x *Tensor) *Tensor {
	return mapInto(emptyOf(floating(x.dtype), x), kernel, []*Tensor{x})
}

// MapScalar applies a kernel of one operand and some numbers to every element.
func MapScalar(kernel string, x *Tensor, numbers ...float64) *Tensor {
	return mapInto(emptyOf(besideNumbers(x.dtype, kernel, numbers), x), kernel, []*Tensor{x}, numbers...)
}

// Map2 applies a kernel of two operands to every pair of elements, stretching
// dimensions of one element.
func Map2(kernel string, a, b *Tensor, scalars ...float64) *Tensor {
	t := promote(a, b)
	if kernel == "div" {
		t = floating(t)
	}
	return zip(t, kernel, []*Tensor{a, b}, scalars...)
}

// Test applies a kernel that is true or false to every element, or to every
// pair of elements.
func Test(kernel string, operands []*Tensor, scalars ...float64) *Tensor {
	return zip(gpu.Bool, kernel, operands, scalars...)
}

// Where takes from a where the condition holds and from b elsewhere.
func Where(condition, a, b *Tensor) *Tensor {
	return zip(promote(a, b), "where", []*Tensor{condition, a, b})
}

// zip applies a kernel of some operands, which are stretched to one shape. The
// result has the type t.
func zip(t gpu.DType, kernel string, operands []*Tensor, scalars ...float64) *Tensor {
	shape := operands[0].shape
	for _, x := range operands[1:] {
		shape = broadcast(shape, x.shape)
	}
	d := deviceOf(operands...)
	d.mustReach(operands...)
	out := emptyStrided(d, t, shape, outputStride(shape, operands...))
	return mapInto(out, kernel, operands, scalars...)
}

// Update applies a kernel of some operands and writes the result over x, which
// keeps its storage.
func Update(kernel string, x *Tensor, operands []*Tensor, scalars ...float64) {
	if x.repeats() {
		Raise("unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation.")
	}
	for _, b := range operands {
		if x.overlaps(b) {
			Raise("unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory location. Please clone() the tensor before performing the operation.")
		}
		if shape := broadcast(x.shape, b.shape); !slices.Equal(shape, x.shape) {
			Raise("output with shape %s doesn't match the broadcast shape %s", Sizes(x.shape), Sizes(shape))
		}
		d := deviceOf(x, b)
		d.mustHave(x)
		x.mustHold(promote(x, b))
		d.mustReach(b)
	}
	x.storage.version++
	mapInto(x, kernel, operands, scalars...)
}

// Update2 applies a kernel of two operands, x and b, and writes the result
// over x.
func Update2(kernel string, x, b *Tensor) { Update(kernel, x, []*Tensor{x, b}) }

// UpdateScalar applies a kernel of one operand to every element in place.
func UpdateScalar(kernel string, x *Tensor, numbers ...float64) {
	x.mustHold(besideNumbers(x.dtype, kernel, numbers))
	Update(kernel, x, []*Tensor{x}, numbers...)
}

// repeats tells a stretched tensor, which shows an element many times.
func (x *Tensor) repeats() bool {
	for i, d := range x.shape {
		if d > 1 && x.stride[i] == 0 {
			return true
		}
	}
	return false
}

// overlaps tells a tensor that shares some of x's memory and not all of it. Of
// tensors with gaps PyTorch cannot tell, and lets them pass.
func (x *Tensor) overlaps(b *Tensor) bool {
	if x.storage != b.storage || !x.Dense() || !b.Dense() {
		return false
	}
	from, to := x.offset, x.offset+x.Elements()
	bFrom, bTo := b.offset, b.offset+b.Elements()
	if from == bFrom && to == bTo {
		return !slices.Equal(x.stride, b.stride)
	}
	return from < bTo && bFrom < to
}

// mustHold refuses to write fractions into integers.
func (x *Tensor) mustHold(t gpu.DType) {
	if IsFloat(t) && !IsFloat(x.dtype) {
		Raise("result type %s can't be cast to the desired output type %s", TypeWord(t), TypeWord(x.dtype))
	}
}

// mapInto launches an elementwise kernel that writes out, and returns out.
func mapInto(out *Tensor, kernel string, in []*Tensor, scalars ...float64) *Tensor {
	d := out.Device()
	k := gpu.Kernel{Name: kernel, Out: out.operand(), Scalars: scalars}
	for _, x := range in {
		operand := x.stretched(out.shape)
		if x.Device() != d {
			operand = x.argument(operand)
		}
		k.In = append(k.In, operand)
	}
	d.launch(k)
	return out
}

// stretched shows the tensor to a kernel in a larger shape.
func (x *Tensor) stretched(shape []int) gpu.Operand {
	o := x.operand()
	if slices.Equal(shape, x.shape) {
		return o
	}
	wide := make([]int, len(shape))
	for i := range x.shape {
		at := len(shape) - len(x.shape) + i
		if x.shape[i] != 1 || shape[at] == 1 {
			wide[at] = x.stride[i]
		}
	}
	o.Shape, o.Stride = shape, wide
	return o
}
