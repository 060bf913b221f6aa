package autograd

import "github.com/torchmem/workbook/runtime/tensor"

// Cat is torch.cat: it joins the tensors along a dimension. It keeps nothing;
// the gradient of each is a view of the result's gradient.
func (c *Context) Cat(dim int, values ...Value) *Tensor {
	if len(values) == 0 {
		tensor.RaiseValue("torch.cat(): expected a non-empty list of Tensors")
	}
	return apply("CatBackward0", tensorsOf(values), func(o *operator) *tensor.Tensor {
		raws := make([]*tensor.Tensor, len(o.inputs))
		sizes := make([]int, len(o.inputs))
		for i := range raws {
			raws[i] = o.raw(i)
		}
		out := tensor.Cat(raws, dim)
		for i := range raws {
			sizes[i] = raws[i].Shape()[raws[i].Dimension(dim)]
		}
		o.backward(func(p *Pass, g *tensor.Tensor) {
			at := 0
			for i, size := range sizes {
				p.want(i, func() *tensor.Tensor { return tensor.Narrow(g, dim, at, at+size) })
				at += size
			}
		})
		return out
	})
}

// Stack is torch.stack: it joins tensors of one shape along a new dimension.
func (c *Context) Stack(dim int, values ...Value) *Tensor {
	if len(values) == 0 {
		tensor.Raise("stack expects a non-empty TensorList")
	}
	return apply("StackBackward0", tensorsOf(values), func(o *operator) *tensor.Tensor {
		rows := make([]*tensor.Tensor, len(o.inputs))
		for i := range rows {
			checkStacks(o.raw(0), o.raw(i), i)
			rows[i] = tensor.Unsqueeze(o.raw(i), dim)
			defer rows[i].Drop()
		}
		o.backward(func(p *Pass, g *tensor.Tensor) {
			for i := range o.inputs {
				p.want(i, func() *tensor.Tensor { return tensor.Select(g, dim, i) })
			}
		})
		return tensor.Cat(rows, dim)
	})
}

func tensorsOf(values []Value) []*Tensor {
	all := make([]*Tensor, len(values))
	for i, v := range values {
		all[i] = ValueOf(v)
	}
	return all
}

// checkStacks refuses the i-th tensor of a list where its shape is not the
// first's.
func checkStacks(first, x *tensor.Tensor, i int) {
	if tensor.Sizes(first.Shape()) != tensor.Sizes(x.Shape()) {
		tensor.Raise("stack expects each tensor to be equal size, but got %s at entry 0 and %s at entry %d",
			tensor.Sizes(first.Shape()), tensor.Sizes(x.Shape()), i)
	}
}
