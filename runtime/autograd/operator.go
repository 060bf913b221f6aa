package autograd

import "github.com/torchmem/workbook/runtime/tensor"

// operator is one call of an operator while it runs. Its methods record what
// backward will need; where nothing is recorded they do nothing.
type operator struct {
	ctx    *Context
	inputs []*Tensor
	node   *Node  // nil when nothing is recorded
	result *Saved // where the result is kept for backward, or nil
	made   *tensor.Tensor
}

// backwardFunc turns the gradient of an operator's result into the gradients
// of its inputs, with [Pass.want]. It asks for them in the order in which
// PyTorch computes them: by the alphabet of its parameters' names, so other
// before self.
type backwardFunc func(p *Pass, grad *tensor.Tensor)

// apply runs an operator: it records a node if a gradient is wanted, computes
// the result, and then ends the temporaries among the inputs.
func apply(name string, inputs []*Tensor, forward func(o *operator) *tensor.Tensor) *Tensor {
	o := begin(name, inputs)
	defer o.end()
	out := o.ctx.Wrap(o.compute(forward))
	finished := false
	defer func() {
		if !finished {
			out.consume()
		}
	}()
	if o.node != nil {
		o.keepResult(out)
		out.setNode(o.node)
	}
	finished = true
	return out
}

// compute runs the forward function. Where that raises, what it has made ends.
func (o *operator) compute(forward func(o *operator) *tensor.Tensor) *tensor.Tensor {
	finished := false
	defer func() {
		if !finished && o.made != nil {
			o.made.Drop()
		}
	}()
	out := forward(o)
	finished = true
	return out
}

// make notes the result, if there is more to do before it is returned.
func (o *operator) make(out *tensor.Tensor) *tensor.Tensor {
	o.made = out
	return out
}

// begin checks the inputs and records a node on them if a gradient is wanted.
func begin(name string, inputs []*Tensor) *operator {
	for _, in := range inputs {
		in.check()
		inputs[0].ctx.MustOwn(in)
	}
	o := &operator{ctx: inputs[0].ctx, inputs: inputs}
	if o.ctx.records(inputs) {
		o.node = o.ctx.newNode(name, inputs)
		o.node.refs++
	}
	return o
}

// end ends the temporaries among the inputs. The operator lets go of its node:
// where it raised, nobody else has it.
func (o *operator) end() {
	o.letGo()
	for _, in := range o.inputs {
		in.consume()
	}
}

// letGo gives up the operator's own reference to its node.
func (o *operator) letGo() {
	if o.node != nil {
		o.node.release()
	}
}

// records reports whether an operator on the inputs joins the graph.
func (c *Context) records(inputs []*Tensor) bool {
	if !c.gradMode || c.inference {
		return false
	}
	for _, in := range inputs {
		if in.RequiresGrad() {
			return true
		}
	}
	return false
}

// raw returns the i-th input without its graph.
func (o *operator) raw(i int) *tensor.Tensor { return o.inputs[i].raw }

// save keeps the i-th input for backward.
func (o *operator) save(i int) *Saved {
	if o.node == nil {
		return nil
	}
	return o.node.save(o.inputs[i])
}

// saveFor keeps the i-th input if the gradient of the j-th is wanted.
func (o *operator) saveFor(j, i int) *Saved {
	if o.node == nil || !o.node.needs(j) {
		return nil
	}
	return o.node.save(o.inputs[i])
}

// saveRaw keeps a second result, such as a mask, for backward.
func (o *operator) saveRaw(raw *tensor.Tensor) *Saved {
	if o.node == nil {
		return nil
	}
	t := o.ctx.Wrap(again(raw))
	defer t.consume()
	return o.node.save(t)
}

// saveNumber says that PyTorch keeps a number for backward. It takes no
// memory, but it makes a second backward an error.
func (o *operator) saveNumber() {
	if o.node != nil {
		o.node.keepsNumber = true
	}
}

// saveResult keeps the result for backward, once it is there.
func (o *operator) saveResult() *Saved {
	if o.node == nil {
		return nil
	}
	o.result = &Saved{}
	return o.result
}

// keepResult keeps the result that saveResult asked for.
func (o *operator) keepResult(out *Tensor) {
	if o.result == nil {
		return
	}
	n := o.node
	*o.result = *n.saveResult(out)
	n.saved[len(n.saved)-1] = o.result
}

// backward sets the gradient rule.
func (o *operator) backward(f backwardFunc) {
	if o.node != nil {
		o.node.backward = f
	}
}

// again returns the gradient itself with a new reference.
func again(g *tensor.Tensor) *tensor.Tensor { return g.Retain(tensor.Temporary) }

// same is the rule that passes a gradient on.
func same(g *tensor.Tensor) func() *tensor.Tensor {
	return func() *tensor.Tensor { return again(g) }
}
