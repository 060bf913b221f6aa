package autograd

import (
	"slices"

	"github.com/torchmem/workbook/runtime/tensor"
)

// The functions of this file return views: they allocate nothing, and they
// keep the whole storage alive.

// T swaps the dimensions of a matrix.
func (t *Tensor) T() *Tensor { return t.view("TBackward0", tensor.T, tensor.T) }

// Transpose swaps two dimensions.
func (t *Tensor) Transpose(a, b int) *Tensor {
	swap := func(x *tensor.Tensor) *tensor.Tensor { return tensor.Transpose(x, a, b) }
	return t.view("TransposeBackward0", swap, swap)
}

// View shows the elements in another shape. One size may be -1: it is what
// remains.
func (t *Tensor) View(shape ...int) *Tensor {
	t.check()
	return t.view("ViewBackward0",
		func(x *tensor.Tensor) *tensor.Tensor { return tensor.View(x, shape...) },
		reshapedTo(t.raw.Shape()))
}

// Reshape is View where the elements lie so that no copy is needed, and a copy
// otherwise.
func (t *Tensor) Reshape(shape ...int) *Tensor {
	t.check()
	if tensor.Viewable(t.raw, shape...) {
		return t.View(shape...)
	}
	return t.ctx.Borrow(func() *Tensor {
		return t.copied("CloneBackward0", tensor.Compact, again).unsafeView(shape...)
	}, t)
}

// unsafeView is View of a temporary that nobody else will use. The result is
// no view of it.
func (t *Tensor) unsafeView(shape ...int) *Tensor {
	return t.copied("UnsafeViewBackward0",
		func(x *tensor.Tensor) *tensor.Tensor { return tensor.UnsafeView(x, shape...) },
		reshapedTo(t.raw.Shape()))
}

// reshapedTo shows a gradient in the shape, copied where it must be.
func reshapedTo(shape []int) func(g *tensor.Tensor) *tensor.Tensor {
	shape = slices.Clone(shape)
	return func(g *tensor.Tensor) *tensor.Tensor {
		if tensor.Viewable(g, shape...) {
			return tensor.View(g, shape...)
		}
		g = tensor.Compact(g)
		defer g.Drop()
		return tensor.View(g, shape...)
	}
}

// Unsqueeze adds a dimension of one element.
func (t *Tensor) Unsqueeze(dim int) *Tensor {
	t.check()
	return t.view("UnsqueezeBackward0",
		func(x *tensor.Tensor) *tensor.Tensor { return tensor.Unsqueeze(x, dim) },
		reshapedTo(t.raw.Shape()))
}

// Squeeze takes a dimension of one element away. A larger one stays.
func (t *Tensor) Squeeze(dim int) *Tensor {
	t.check()
	return t.view("SqueezeBackward1",
		func(x *tensor.Tensor) *tensor.Tensor { return tensor.Squeeze(x, dim) },
		reshapedTo(t.raw.Shape()))
}

// Expand stretches dimensions of one element. A size of -1 stays as it is.
func (t *Tensor) Expand(shape ...int) *Tensor {
	return t.view("ExpandBackward0",
		func(x *tensor.Tensor) *tensor.Tensor { return tensor.Expand(x, shape...) }, again)
}

// Index is x[i]: the i-th slice along the first dimension. A negative i counts
// from the end.
func (t *Tensor) Index(i int) *Tensor { return t.Select(0, i) }

// Select is the i-th slice along a dimension.
func (t *Tensor) Select(dim, i int) *Tensor {
	return t.part("SelectBackward0", func(x *tensor.Tensor) *tensor.Tensor { return tensor.Select(x, dim, i) })
}

// Slice is x[start:end] along the first dimension. As in Python, a negative
// bound counts from the end.
func (t *Tensor) Slice(start, end int) *Tensor {
	return t.part("SliceBackward0", func(x *tensor.Tensor) *tensor.Tensor { return tensor.Narrow(x, 0, start, end) })
}

// part is a view of some of the elements. The gradient of the others is zero:
// it takes a whole tensor of zeros, with the part's gradient in it.
func (t *Tensor) part(name string, window func(x *tensor.Tensor) *tensor.Tensor) *Tensor {
	t.check()
	shape, dtype, device := t.raw.Shape(), t.raw.DType(), t.raw.Device()
	return t.view(name, window, func(g *tensor.Tensor) *tensor.Tensor {
		whole := tensor.Full(device, dtype, 0, shape...)
		w := window(whole)
		defer w.Drop()
		tensor.Assign(w, g)
		return whole
	})
}

// view is an operator whose result shows its input's storage.
func (t *Tensor) view(name string, forward, backward func(x *tensor.Tensor) *tensor.Tensor) *Tensor {
	v := apply(name, []*Tensor{t}, func(o *operator) *tensor.Tensor {
		o.backward(fromGrad(backward))
		return forward(t.raw)
	})
	v.version = v.raw.Storage().Version()
	v.unrecorded = !v.ctx.gradMode
	return v
}

// fromGrad is the rule of an operator with one input that keeps nothing.
func fromGrad(gradient func(g *tensor.Tensor) *tensor.Tensor) backwardFunc {
	return func(p *Pass, g *tensor.Tensor) {
		p.want(0, func() *tensor.Tensor { return gradient(g) })
	}
}

// Detach returns the same memory without the graph. It is no view: it keeps
// the storage alive, and not t.
func (t *Tensor) Detach() *Tensor {
	t.check()
	defer t.consume()
	return t.ctx.Wrap(tensor.Detached(t.raw))
}

// Detach_ cuts the tensor itself from its graph and returns it. A view cannot be
// cut from the graph of its base.
func (t *Tensor) Detach_() *Tensor {
	t.check()
	if t.base() != nil {
		tensor.Raise("Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence detach_() cannot be called on these gradients. To fix this error, please refer to the Optimizer.zero_grad() function in torch/optim/optimizer.py as a solution.")
	}
	t.requiresGrad = false
	if n := t.node; n != nil {
		t.node = nil
		n.release()
	}
	return t
}
