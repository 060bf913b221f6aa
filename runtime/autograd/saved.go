package autograd

import "github.com/torchmem/workbook/runtime/tensor"

// Saved is a tensor that a node keeps for backward: the tensor itself, or
// whatever a packer made of it.
type Saved struct {
	node    *Node
	raw     *tensor.Tensor
	version int  // of the storage, when the tensor was saved
	result  bool // of the node itself
	packed  unpacker
}

// packer decides what is kept instead of a saved tensor. It is PyTorch's
// pair of saved-tensor hooks.
type packer interface {
	pack(t *Tensor) unpacker
}

// unpacker gives back a saved tensor, with a reference of Temporary.
type unpacker interface {
	unpack() *tensor.Tensor
	discard()
}

// save keeps an input for backward, as it is.
func (n *Node) save(t *Tensor) *Saved { return n.keep(t, t.raw.Retain(n)) }

// saveResult keeps the node's own result. It keeps a second window on the
// storage, since the result itself refers to the node.
func (n *Node) saveResult(t *Tensor) *Saved {
	s := n.keep(t, tensor.Detached(t.raw).Hand(tensor.Temporary, n))
	s.result = true
	return s
}

func (n *Node) keep(t *Tensor, raw *tensor.Tensor) *Saved {
	s := &Saved{node: n, raw: raw, version: raw.Storage().Version()}
	n.saved = append(n.saved, s)
	if t.inference && !t.ctx.inference {
		tensor.Raise("Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use it in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`.")
	}
	if top := len(t.ctx.packers) - 1; top >= 0 {
		p := t.ctx.packers[top].pack(t)
		s.drop()
		s.packed = p
	}
	return s
}

// open returns the tensor with a new reference of Temporary. It panics, with
// PyTorch's text, when backward has already released it or when it was changed
// in place since it was saved.
func (s *Saved) open() *tensor.Tensor {
	switch {
	case s.packed != nil:
		return s.packed.unpack()
	case s.raw == nil:
		tensor.Raise("%s", backwardTwice)
	}
	s.mustBeUnchanged()
	return s.raw.Retain(tensor.Temporary)
}

// mustBeUnchanged refuses a tensor that was changed in place since it was
// saved.
func (s *Saved) mustBeUnchanged() {
	if s.raw.Storage().Version() == s.version {
		return
	}
	source := ""
	if maker := s.maker(); maker != nil {
		source = ", which is output 0 of " + maker.name + ","
	}
	tensor.Raise("one of the variables needed for gradient computation has been modified by an inplace operation: [%s %s]%s is at version %d; expected version %d instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False).",
		s.raw.TypeName(), tensor.Sizes(s.raw.Shape()), source, s.raw.Storage().Version(), s.version)
}

// maker returns the node that made the tensor, or nil for a leaf. After a
// change in place that is the change.
func (s *Saved) maker() *Node {
	if s.result {
		return s.node
	}
	if t, ok := s.raw.Attached().(*Tensor); ok {
		t.refresh()
		return t.node
	}
	return nil
}

// variable returns the saved tensor as a variable: the very tensor where it is
// kept as it is, a new leaf where it was packed.
func (s *Saved) variable(requiresGrad bool) *Tensor {
	if s.packed == nil && s.raw != nil {
		s.mustBeUnchanged()
		return s.raw.Attached().(*Tensor)
	}
	t := s.node.ctx.Wrap(s.open())
	t.requiresGrad = requiresGrad
	return t
}

const backwardTwice = "Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward."

// release lets go of the tensor for good.
func (s *Saved) release() {
	if s.packed != nil {
		s.packed.discard()
		s.packed = nil
	}
	s.drop()
}

// drop lets go of the tensor that is kept as it is.
func (s *Saved) drop() {
	if s.raw == nil {
		return
	}
	raw := s.raw
	s.raw = nil
	raw.Release(s.node)
}
