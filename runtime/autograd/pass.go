package autograd

import (
	"slices"

	"github.com/torchmem/workbook/runtime/tensor"
)

// Pass is one node's turn in a backward pass. The node's backward function
// opens saved tensors and computes gradients through it.
type Pass struct {
	node   *Node
	opened []*tensor.Tensor
	grads  []*tensor.Tensor // of the node's inputs
}

// needs reports whether the i-th input wants a gradient.
func (p *Pass) needs(i int) bool { return p.node.needs(i) }

// want computes the gradient of the i-th input, if it is wanted. The function
// returns it with a reference of Temporary.
func (p *Pass) want(i int, gradient func() *tensor.Tensor) {
	if p.needs(i) {
		p.grads[i] = gradient()
	}
}

// open returns a saved tensor, or nil where none was saved. It stays until the
// backward function returns.
func (p *Pass) open(s *Saved) *tensor.Tensor {
	if s == nil {
		return nil
	}
	t := s.open()
	p.opened = append(p.opened, t)
	return t
}

// close lets go of the opened tensors, the last first.
func (p *Pass) close() {
	for _, t := range slices.Backward(p.opened) {
		t.Drop()
	}
	p.opened = nil
}

// drop lets go of the gradients that nobody took.
func (p *Pass) drop() {
	for i, g := range p.grads {
		if g != nil {
			p.grads[i] = nil
			g.Drop()
		}
	}
}

// run computes the gradients of a node's inputs from that of its result. The
// order is PyTorch's: hooks; the backward function with the saved tensors
// open; gradients of inputs that were stretched are added up; then the
// gradient of the result, which a reference of inFlight keeps, is released.
// What raises on the way leaves nothing behind. All of it, the hooks too, belongs
// to the thread of the node's device.
func (n *Node) run(grad *tensor.Tensor) (p *Pass) {
	n.device.OnWorker(n.worker(), func() { p = n.pass(grad) })
	return p
}

func (n *Node) pass(grad *tensor.Tensor) *Pass {
	p := &Pass{node: n, grads: make([]*tensor.Tensor, len(n.next))}
	if grad == nil {
		return p // a function further up ignored its input
	}
	defer func() { grad.Release(inFlight) }()
	for _, h := range slices.Clone(n.hooks) {
		grad = n.callHook(h, grad)
	}
	if n.leaf != nil {
		n.leaf.addGrad(grad)
		return p
	}
	finished := false
	defer func() {
		if !finished {
			p.drop()
		}
	}()
	p.compute(grad)
	p.fitInputs()
	finished = true
	return p
}

// worker is the thread that runs the node.
func (n *Node) worker() tensor.Worker {
	if n.device.IsGPU() {
		return tensor.BackwardWorker
	}
	return tensor.ForwardWorker
}

// compute calls the backward function.
func (p *Pass) compute(grad *tensor.Tensor) {
	defer p.close()
	n := p.node
	if n.backward == nil || (n.keepsNumber && n.released) {
		tensor.Raise("%s", backwardTwice)
	}
	n.backward(p, grad)
}

// fitInputs brings each gradient to the shape, the type and the device of its
// input.
func (p *Pass) fitInputs() {
	for i, g := range p.grads {
		if g == nil {
			continue
		}
		next := p.node.next[i]
		p.change(i, func(g *tensor.Tensor) *tensor.Tensor { return tensor.SumTo(g, next.shape) })
		p.change(i, func(g *tensor.Tensor) *tensor.Tensor { return tensor.Convert(g, next.dtype) })
		p.change(i, func(g *tensor.Tensor) *tensor.Tensor { return moved(g, i, next.device) })
	}
}

// change replaces the gradient of the i-th input by what the function makes of
// it, with a reference of Temporary.
func (p *Pass) change(i int, f func(g *tensor.Tensor) *tensor.Tensor) {
	before := p.grads[i]
	p.grads[i] = f(before)
	before.Drop()
}

// moved brings the i-th gradient to the device of what it is the gradient of.
// They differ where a number of the CPU stood beside tensors on the GPU: what
// has no dimensions moves, and nothing else may.
func moved(g *tensor.Tensor, i int, to *tensor.Device) *tensor.Tensor {
	if g.Device() != to && len(g.Shape()) > 0 {
		tensor.Raise("invalid gradient at index %d - expected device %s but got %s", i, to, g.Device())
	}
	return tensor.Move(g, to)
}
