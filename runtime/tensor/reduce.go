package tensor

import "github.com/torchmem/workbook/runtime/gpu"

// Sum adds over the dimensions, or over all when none is named. The result
// keeps only the other dimensions. Sums of integers are int64.
func Sum(x *Tensor, dims ...int) *Tensor {
	return reduce("sum", x, reducedShape(x, dims), KeepDims(x, dims), 1)
}

// SumKeep is Sum with keepdim: a dimension that is summed over stays as one
// element.
func SumKeep(x *Tensor, dims ...int) *Tensor {
	wide := KeepDims(x, dims)
	return reduce("sum", x, wide, wide, 1)
}

// Mean is the sum over the dimensions divided by how many elements were added.
func Mean(x *Tensor, dims ...int) *Tensor { return mean(x, reducedShape(x, dims), dims) }

// MeanKeep is Mean with keepdim.
func MeanKeep(x *Tensor, dims ...int) *Tensor { return mean(x, KeepDims(x, dims), dims) }

func mean(x *Tensor, shape, dims []int) *Tensor {
	if !IsFloat(x.dtype) {
		Raise("mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: %s", TypeWord(x.dtype))
	}
	wide := KeepDims(x, dims)
	return reduce("sum", x, shape, wide, float64(elements(wide))/float64(x.Elements()))
}

// Norm is the square root of the sum of all squares.
func Norm(x *Tensor) *Tensor { return reduce("norm", x, []int{}, KeepDims(x, nil)) }

// Max returns the largest element.
func Max(x *Tensor) *Tensor { return extreme("max", x) }

// Min returns the smallest element.
func Min(x *Tensor) *Tensor { return extreme("min", x) }

func extreme(kernel string, x *Tensor) *Tensor {
	if x.Elements() == 0 {
		Raise("%s(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.", kernel)
	}
	return reduce(kernel, x, []int{}, KeepDims(x, nil))
}

// SumTo adds over the dimensions that an operand of that shape was stretched
// in: the gradient of broadcasting. The result may be a view; for an operand
// without dimensions it is not.
func SumTo(x *Tensor, shape []int) *Tensor {
	if len(shape) == 0 && len(x.shape) > 0 {
		return Sum(x)
	}
	var dims []int
	lead := len(x.shape) - len(shape)
	for i := range x.shape {
		if i < lead || (shape[i-lead] == 1 && x.shape[i] != 1) {
			dims = append(dims, i)
		}
	}
	if len(dims) == 0 {
		return x.Retain(Temporary)
	}
	sum := SumKeep(x, dims...)
	if lead == 0 {
		return sum
	}
	defer sum.Drop()
	return View(sum, shape...)
}

// reduce launches a reduction. wide is the shape of the result with one element
// in each dimension that is reduced.
func reduce(kernel string, x *Tensor, shape, wide []int, scalars ...float64) *Tensor {
	t := x.dtype
	if kernel == "sum" && !IsFloat(t) {
		t = gpu.Int64
	}
	out := Empty(x.Device(), t, shape...)
	return finish(out, func() { reduceInto(out, kernel, x, wide, scalars...) })
}

// reduceInto writes a reduction into a dense tensor. A sum over many elements
// takes scratch memory and a block of semaphores, and gives both back when it
// is queued, the semaphores first. Elements of another type than the result's
// are converted before.
func reduceInto(out *Tensor, kernel string, x *Tensor, wide []int, scalars ...float64) {
	x = Convert(x, out.dtype)
	defer x.Drop()
	if x.Device().IsGPU() {
		p := planReduction(x, wide)
		defer x.Device().scratch(p.scratch)()
		defer x.Device().scratch(p.semaphores)()
	}
	o := out.operand()
	o.Shape, o.Stride = wide, rowMajor(wide)
	x.Device().launch(gpu.Kernel{Name: kernel, Out: o, In: []gpu.Operand{x.operand()}, Scalars: scalars})
}

// scratch takes bytes that no tensor shows, if any, and returns what frees
// them.
func (d *Device) scratch(size int64) func() {
	if size == 0 {
		return func() {}
	}
	_, block := d.take(size)
	return func() { d.memory.give(block) }
}
