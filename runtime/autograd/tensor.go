// Package autograd adds gradients to tensors: it records which operator made
// which tensor, keeps what each will need later, and runs backward.
//
// # Two kinds of references
//
// A [Tensor] is what an expression evaluates to. While no variable holds it, it
// is a temporary: it lives until the call that takes it as an argument
// returns, no shorter and no longer. In Relu(x*2+1) the product dies when the
// sum is there, the sum when Relu returns. A variable's name, a list or a
// module takes a temporary over with [Tensor.Own]; from then on it lives until
// its owner lets go. Using a temporary a second time is a mistake and panics
// with a [DeadTensor]; it needs a name.
//
// # The graph
//
// Each operator on a tensor that requires a gradient makes a [Node]: edges to
// the nodes of its inputs, and the tensors it saves for backward. A node lives
// as long as a tensor or another node refers to it. So one loss in a list keeps
// its graph, and the graph keeps every activation. Backward releases what a
// node saved as soon as the node is done, unless it retains the graph.
//
// # Where to read
//
// operator.go is what all operators share; each other small file is one
// operator or one family, forward and backward together. engine.go runs
// backward. inplace.go and slices.go change tensors that others show too.
// saved.go and checkpoint.go trade memory for time. context.go is the state of
// one program: there is no other.
package autograd

import (
	"fmt"

	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/tensor"
)

// Tensor is a tensor with its place in the graph.
type Tensor struct {
	ctx          *Context
	raw          *tensor.Tensor
	node         *Node // the operator that made it, nil for a leaf
	requiresGrad bool  // of a leaf
	grad         *Tensor
	accumulator  *Node // of a leaf, while a graph refers to it
	hooks        []*Hook
	temporary    bool
	slot         int // in the list of temporaries
	serial       int // of the temporary
	inference    bool
	version      int   // of the storage, when node was recorded
	unrecorded   bool  // a view that was taken without recording
	missing      error // of a name that stands for nothing
}

// Value is anything that stands for a tensor: a tensor or a variable's name.
type Value interface{ Value() *Tensor }

// Value returns the tensor.
func (t *Tensor) Value() *Tensor { return t }

// DeadTensor is the panic that answers the use of a tensor that is gone.
type DeadTensor struct{ Text string }

func (e *DeadTensor) Error() string { return e.Text }

// Missing returns what a name stands for that stands for nothing: every use of
// it panics with the error.
func Missing(err error) *Tensor { return &Tensor{missing: err} }

// check panics when the tensor is gone.
func (t *Tensor) check() {
	if t == nil {
		panic(&tensor.Error{Kind: "AttributeError", Text: "'NoneType' object is no tensor: nil stands where a tensor is expected"})
	}
	if t.missing != nil {
		panic(t.missing)
	}
	if !t.raw.Alive() {
		panic(&DeadTensor{fmt.Sprintf("a temporary (%s) is used after the call that consumed it; give it a name", t.raw)})
	}
}

// Own makes the holder an owner of the tensor. A temporary stops being one.
func (t *Tensor) Own(h tensor.Holder) *Tensor {
	t.check()
	t.raw.Retain(h)
	t.consume()
	return t
}

// Disown takes the holder's reference away.
func (t *Tensor) Disown(h tensor.Holder) { t.raw.Release(h) }

// Drop ends a temporary that nobody wants. It does nothing to an owned tensor.
func (t *Tensor) Drop() {
	t.check()
	t.consume()
}

// Raw returns the tensor without its graph.
func (t *Tensor) Raw() *tensor.Tensor { t.check(); return t.raw }

// Context returns the program's state that the tensor belongs to.
func (t *Tensor) Context() *Context { return t.ctx }

// Shape returns the sizes of the dimensions.
func (t *Tensor) Shape() []int { t.check(); return t.raw.Shape() }

// Bytes returns the size of the elements that the tensor shows.
func (t *Tensor) Bytes() int64 { t.check(); return t.raw.Bytes() }

// DType returns the element type.
func (t *Tensor) DType() gpu.DType { t.check(); return t.raw.DType() }

// Device returns the name of the device, as PyTorch spells it.
func (t *Tensor) Device() string { t.check(); return t.raw.Device().String() }

// RequiresGrad reports whether operators on the tensor are recorded: it is a
// leaf that requires a gradient, or the result of a recorded operator, or a
// view of such a tensor, even one that was taken without recording.
func (t *Tensor) RequiresGrad() bool {
	t.check()
	t.refresh()
	if t.requiresGrad || t.node != nil {
		return true
	}
	base := t.base()
	return base != nil && base.RequiresGrad()
}

// IsLeaf reports whether no recorded operator made the tensor.
func (t *Tensor) IsLeaf() bool {
	t.check()
	t.refresh()
	return t.node == nil
}

// RequiresGrad_ makes a leaf require a gradient and returns it.
func (t *Tensor) RequiresGrad_() *Tensor {
	t.check()
	if !tensor.IsFloat(t.raw.DType()) {
		tensor.Raise("only Tensors of floating point dtype can require gradients")
	}
	if t.inference && !t.ctx.inference {
		tensor.Raise("Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.")
	}
	if t.node == nil {
		t.requiresGrad = true
	}
	return t
}

// Grad returns the gradient of a leaf, or nil.
func (t *Tensor) Grad() *Tensor { t.check(); return t.grad }

// ClearGrad is x.grad = None.
func (t *Tensor) ClearGrad() {
	t.check()
	t.setGrad(nil)
}

// gradOf is the holder of a leaf's gradient.
const gradOf = tensor.Role("a leaf, as its grad")

// setGrad replaces the gradient. The new one is owned first.
func (t *Tensor) setGrad(g *Tensor) {
	if g != nil {
		g.Own(gradOf)
	}
	if t.grad != nil {
		t.grad.Disown(gradOf)
	}
	t.grad = g
}

// Freed releases what the tensor kept alive: its graph, then its gradient. The
// tensor itself calls it when its last reference goes.
func (t *Tensor) Freed() {
	t.hooks = nil
	if t.node != nil {
		t.node.release()
		t.node = nil
	}
	t.setGrad(nil)
}

// String describes the tensor without reading it.
func (t *Tensor) String() string {
	if t.raw == nil || !t.raw.Alive() {
		return "a tensor that is gone"
	}
	return t.raw.String()
}
