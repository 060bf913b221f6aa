package autograd

import "github.com/torchmem/workbook/runtime/tensor"

// reentrant is the older way to checkpoint: one node stands for the whole
// function. Its backward runs the function again on a detached input and then
// a second backward inside the first.
//
// The node exists only if the input requires a gradient. If it does not, the
// parameters inside the function get no gradient at all.
func (c *Context) reentrant(f Function, x *Tensor, s checkpointSettings) *Tensor {
	if !x.RequiresGrad() {
		c.warn("None of the inputs have requires_grad=True. Gradients will be None")
	}
	then := c.keepGenerators(s)
	return apply("CheckpointFunctionBackward", []*Tensor{x}, func(o *operator) *tensor.Tensor {
		kept := o.save(0)
		o.backward(fromSaved(kept, func(g, input *tensor.Tensor) *tensor.Tensor {
			return c.reenter(f, input, g, then)
		}))
		return c.withoutGraph(f, x)
	})
}

// withoutGraph runs the function unrecorded and returns its result.
func (c *Context) withoutGraph(f Function, x *Tensor) *tensor.Tensor {
	var raw *tensor.Tensor
	c.NoGrad(func() {
		out := f.Call(x)
		out.check()
		defer out.consume()
		if out.temporary {
			raw = again(out.raw)
		} else {
			raw = tensor.Alias(out.raw)
		}
	})
	return raw
}

// reenter runs the function again, recorded, and passes the gradient through
// it. It returns the gradient of the input.
func (c *Context) reenter(f Function, input, g *tensor.Tensor, then *generators) *tensor.Tensor {
	const frame = tensor.Role("a checkpoint that is running again")
	leaf := c.Wrap(tensor.Detached(input)).RequiresGrad_().Own(frame)
	defer leaf.Disown(frame)
	var out *Tensor
	c.replaying(then, func() {
		c.EnableGrad(func() { out = f.Call(leaf).Own(frame) })
	})
	defer out.Disown(frame)
	if !out.RequiresGrad() {
		tensor.Raise("none of output has requires_grad=True, this checkpoint() is not necessary")
	}
	run := &backwardRun{ctx: c}
	run.execute(out, g)
	if leaf.grad == nil {
		return nil // the function ignores its input
	}
	return again(leaf.grad.raw)
}
