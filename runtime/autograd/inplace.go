package autograd

import "github.com/torchmem/workbook/runtime/tensor"

// The functions of this file change a tensor in place and return it. A recorded
// tensor moves on in the graph: it becomes the result of the change. What a
// graph saved of it before is then out of date, and backward says so.

// Add_ is t += other, where other is a tensor or a number.
func (t *Tensor) Add_(other any) *Tensor {
	if s, ok := number(other); ok {
		return t.change("AddBackward0", nil, func(o *operator) {
			o.backward(func(p *Pass, g *tensor.Tensor) { p.want(0, same(g)) })
			tensor.UpdateScalar("add_scalar", t.raw, s)
		})
	}
	b := value(other)
	return t.change("AddBackward0", b, func(o *operator) {
		o.backward(addGrads)
		tensor.Update2("add", t.raw, b.raw)
	})
}

// Sub_ is t -= other, where other is a tensor or a number.
func (t *Tensor) Sub_(other any) *Tensor {
	if s, ok := number(other); ok {
		return t.change("SubBackward0", nil, func(o *operator) {
			o.backward(func(p *Pass, g *tensor.Tensor) { p.want(0, same(g)) })
			tensor.UpdateScalar("add_scalar", t.raw, -s)
		})
	}
	b := value(other)
	return t.change("SubBackward0", b, func(o *operator) {
		o.backward(subGrads)
		tensor.Update2("sub", t.raw, b.raw)
	})
}

// Mul_ is t *= other, where other is a tensor or a number. If other wants a
// gradient, t is copied first: the gradient needs what t was.
func (t *Tensor) Mul_(other any) *Tensor {
	if s, ok := number(other); ok {
		return t.change("MulBackward0", nil, func(o *operator) {
			o.saveNumber()
			o.backward(scaleGrad("mul_scalar", s))
			tensor.UpdateScalar("mul_scalar", t.raw, s)
		})
	}
	b := value(other)
	return t.change("MulBackward0", b, func(o *operator) {
		second, first := o.saveFor(0, 1), o.saveCopyFor(1, 0)
		o.backward(mulGrads(first, second))
		tensor.Update2("mul", t.raw, b.raw)
	})
}

// saveCopyFor keeps a copy of the i-th input if the gradient of the j-th is
// wanted.
func (o *operator) saveCopyFor(j, i int) *Saved {
	if o.node == nil || !o.node.needs(j) {
		return nil
	}
	before := tensor.Clone(o.raw(i))
	defer before.Drop()
	return o.saveRaw(before)
}

// Relu_ is torch.nn.functional.relu_. It keeps its result, which is t itself.
func (t *Tensor) Relu_() *Tensor {
	return t.change("ReluBackward0", nil, func(o *operator) {
		o.backward(fromSaved(o.saveResult(), mapped2("relu_backward")))
		tensor.UpdateScalar("relu", t.raw)
	})
}

// Zero_ sets every element to zero.
func (t *Tensor) Zero_() *Tensor {
	return t.change("ZeroBackward0", nil, func(o *operator) {
		o.backward(fromGrad(func(g *tensor.Tensor) *tensor.Tensor { return tensor.FullLike(g, 0) }))
		tensor.Update("fill", t.raw, nil, 0)
	})
}

// change runs an in-place operator on t and, where it is not nil, another
// operand. A temporary t stays one: it is the result.
func (t *Tensor) change(name string, other *Tensor, update func(o *operator)) *Tensor {
	t.check()
	if t.inference && !t.ctx.inference {
		tensor.Raise("Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details.")
	}
	inputs := []*Tensor{t}
	if other != nil {
		inputs = append(inputs, other)
	}
	if other != nil && other != t {
		defer other.consume()
	}
	o := begin(name, inputs)
	defer o.letGo()
	if o.node != nil {
		t.mayChange()
	}
	update(o)
	if o.node != nil {
		o.keepResult(t)
		t.rebase(o.node)
	}
	return t
}

// mayChange refuses a recorded change that could not be undone by backward.
func (t *Tensor) mayChange() {
	base := t.base()
	switch {
	case base != nil && t.unrecorded:
		tensor.Raise("A view was created in no_grad mode and is being modified inplace with grad mode enabled. Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view and the inplace either both inside the no_grad block (if you don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked).")
	case base != nil && base.requiresGrad && base.node == nil:
		tensor.Raise("a view of a leaf Variable that requires grad is being used in an in-place operation.")
	case t.requiresGrad && t.node == nil:
		tensor.Raise("a leaf Variable that requires grad is being used in an in-place operation.")
	}
}
