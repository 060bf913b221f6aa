package tensor

import "slices"

// The functions of this file allocate nothing: they return another window on
// the same storage.
//
// A view keeps its base alive, the tensor that it was first taken from, and
// not only the base's storage. So a view that was taken without recording
// keeps the graph of its base too.

// window returns a view: a tensor that shows x's storage in another way.
func (x *Tensor) window(shape, stride []int, offset int) *Tensor {
	v := newTensor(x.storage, x.dtype, shape, stride, offset)
	v.base = x
	if x.base != nil {
		v.base = x.base
	}
	v.base.Retain(v)
	return v
}

// Base returns the tensor that x is a view of, or nil.
func (x *Tensor) Base() *Tensor { return x.base }

// Holder names a view as an owner of its base.
func (x *Tensor) Holder() string { return "a view of it" }

// Detached returns a second tensor on all that x shows. It is no view: it
// keeps the storage alive, and not x.
func Detached(x *Tensor) *Tensor { return newTensor(x.storage, x.dtype, x.shape, x.stride, x.offset) }

// Alias returns a view of all that x shows.
func Alias(x *Tensor) *Tensor { return x.window(x.shape, x.stride, x.offset) }

// Transpose swaps two dimensions.
func Transpose(x *Tensor, a, b int) *Tensor {
	a, b = x.Dimension(a), x.Dimension(b)
	if len(x.shape) == 0 {
		return Alias(x)
	}
	shape, stride := slices.Clone(x.shape), slices.Clone(x.stride)
	shape[a], shape[b] = shape[b], shape[a]
	stride[a], stride[b] = stride[b], stride[a]
	return x.window(shape, stride, x.offset)
}

// T swaps the dimensions of a matrix. A vector stays as it is.
func T(x *Tensor) *Tensor {
	switch len(x.shape) {
	case 0, 1:
		return Alias(x)
	case 2:
		return Transpose(x, 0, 1)
	}
	Raise("t() expects a tensor with <= 2 dimensions, but self is %dD", len(x.shape))
	return nil
}

// Select shows the i-th slice along a dimension. A negative i counts from the
// end.
func Select(x *Tensor, d, i int) *Tensor {
	if len(x.shape) == 0 {
		RaiseIndex("invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number")
	}
	d = x.Dimension(d)
	n := x.shape[d]
	if i < -n || i >= n {
		RaiseIndex("index %d is out of bounds for dimension %d with size %d", i, d, n)
	}
	if i < 0 {
		i += n
	}
	return x.window(without(x.shape, d), without(x.stride, d), x.offset+i*x.stride[d])
}

// Narrow shows the slices from start to end, without end, along a dimension. A
// negative bound counts from the end, and one beyond the size is moved to it.
func Narrow(x *Tensor, d, start, end int) *Tensor {
	if len(x.shape) == 0 {
		RaiseIndex("slice() cannot be applied to a 0-dim tensor.")
	}
	d = x.Dimension(d)
	n := x.shape[d]
	start = bound(start, n)
	end = max(start, bound(end, n))
	shape := slices.Clone(x.shape)
	shape[d] = end - start
	return x.window(shape, x.stride, x.offset+start*x.stride[d])
}

func bound(i, n int) int {
	if i < 0 {
		i += n
	}
	return max(0, min(i, n))
}

// Unsqueeze shows x with a dimension of one element more, at d.
func Unsqueeze(x *Tensor, d int) *Tensor {
	d = dimensionOf(d, len(x.shape)+1)
	step := 1
	if d < len(x.shape) {
		step = x.shape[d] * x.stride[d]
	}
	return x.window(slices.Insert(slices.Clone(x.shape), d, 1), slices.Insert(slices.Clone(x.stride), d, step), x.offset)
}

// Squeeze shows x without the dimension d, which has one element. Any other
// stays.
func Squeeze(x *Tensor, d int) *Tensor {
	d = x.Dimension(d)
	if len(x.shape) == 0 || x.shape[d] != 1 {
		return Alias(x)
	}
	return x.window(without(x.shape, d), without(x.stride, d), x.offset)
}

// without returns the list without its d-th number.
func without(list []int, d int) []int { return slices.Delete(slices.Clone(list), d, d+1) }

// Expand stretches dimensions of one element to the shape. A size of -1 stays
// as it is.
func Expand(x *Tensor, shape ...int) *Tensor {
	lead := len(shape) - len(x.shape)
	if lead < 0 {
		Raise("expand(%s{%s}, size=%s): the number of sizes provided (%d) must be greater or equal to the number of dimensions in the tensor (%d)",
			x.TypeName(), Sizes(x.shape), Sizes(shape), len(shape), len(x.shape))
	}
	wide, stride := slices.Clone(shape), make([]int, len(shape))
	for i := range shape {
		if i < lead {
			if shape[i] < 0 {
				Raise("The expanded size of the tensor (%d) isn't allowed in a leading, non-existing dimension %d", shape[i], i)
			}
			continue
		}
		wide[i], stride[i] = x.expandDimension(i-lead, i, shape)
	}
	return x.window(wide, stride, x.offset)
}

// expandDimension returns the size and the stride of the d-th dimension of x,
// stretched to the i-th of the shape.
func (x *Tensor) expandDimension(d, i int, shape []int) (size, stride int) {
	switch {
	case shape[i] == x.shape[d] || shape[i] == -1:
		return x.shape[d], x.stride[d]
	case x.shape[d] == 1 && shape[i] >= 0:
		return shape[i], 0
	}
	Raise("The expanded size of the tensor (%d) must match the existing size (%d) at non-singleton dimension %d.  Target sizes: %s.  Tensor sizes: %s",
		shape[i], x.shape[d], i, Sizes(shape), Sizes(x.shape))
	return 0, 0
}

// AsStrided shows x as the view shows its base. x is laid out as the base is.
func AsStrided(x, view, base *Tensor) *Tensor {
	return x.window(view.shape, view.stride, x.offset+view.offset-base.offset)
}
