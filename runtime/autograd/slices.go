package autograd

import "github.com/torchmem/workbook/runtime/tensor"

// A view and its base show one memory, so a change of one is a change of both.
// The base records a recorded change of a view: it becomes the result of a
// node that passes most of a gradient on and sends the changed slice through
// the change. Every view of the base then finds out, by the version of the
// storage, that what it recorded is out of date, and records anew how it comes
// from the base.

// base returns the tensor that t is a view of, or nil.
func (t *Tensor) base() *Tensor {
	if t.raw.Base() == nil {
		return nil
	}
	base, _ := t.raw.Base().Attached().(*Tensor)
	return base
}

// refresh records a view anew after its storage was changed.
func (t *Tensor) refresh() {
	base := t.base()
	if base == nil || t.version == t.raw.Storage().Version() {
		return
	}
	if t.node == nil && !base.RequiresGrad() {
		return
	}
	view, whole := t.raw, base.raw
	n := t.ctx.newNode("AsStridedBackward0", []*Tensor{base})
	n.backward = fromGrad(func(g *tensor.Tensor) *tensor.Tensor {
		zeros := tensor.FullLike(whole, 0)
		slice := tensor.AsStrided(zeros, view, whole)
		defer slice.Drop()
		tensor.Assign(slice, g)
		return zeros
	})
	t.setNode(n)
}

// rebase makes t the result of the node of a change in place.
func (t *Tensor) rebase(n *Node) {
	base := t.base()
	if base == nil {
		t.setNode(n)
		return
	}
	if !base.raw.Dense() {
		tensor.Raise("a change in place of a view of a tensor with gaps is not part of this workbook")
	}
	n.refs++
	n.describe(t.raw)
	slices := &Node{ctx: t.ctx, name: "torch::autograd::CopySlices", sequence: t.ctx.nextSequence(), inner: n}
	slices.next = append([]*Node{base.edge()}, n.next[1:]...)
	for _, next := range n.next[1:] {
		if next != nil {
			next.refs++
		}
	}
	slices.backward = n.throughSlice(t.raw, base.raw)
	base.setNode(slices)
}

// throughSlice is the rule of a change to a view: the view's part of the
// gradient goes through the change, in a copy.
func (n *Node) throughSlice(view, base *tensor.Tensor) backwardFunc {
	return func(p *Pass, g *tensor.Tensor) {
		whole := tensor.CloneLike(g, base)
		defer whole.Drop()
		slice := tensor.AsStrided(whole, view, base)
		defer slice.Drop()
		inner := &Pass{node: n, grads: make([]*tensor.Tensor, len(n.next))}
		defer inner.drop()
		inner.computeCopy(slice)
		if p.needs(0) {
			tensor.Assign(slice, inner.grads[0])
			p.grads[0] = again(whole)
		}
		for i := 1; i < len(n.next); i++ {
			p.grads[i], inner.grads[i] = inner.grads[i], nil
		}
	}
}

// computeCopy computes with a copy of the gradient.
func (p *Pass) computeCopy(g *tensor.Tensor) {
	g = tensor.Clone(g)
	defer g.Drop()
	p.compute(g)
}
