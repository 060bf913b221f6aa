package autograd

import (
	"math"

	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/tensor"
)

// Node is one recorded operator, or the end of the graph at a leaf. It counts
// its references: the tensor it made and the nodes that follow it.
type Node struct {
	ctx      *Context
	name     string
	sequence uint64
	// next are the nodes of the operator's inputs, nil where an input
	// needs no gradient.
	next []*Node
	// shape, dtype and device are those of the operator's result, and of
	// its gradient.
	shape    []int
	dtype    gpu.DType
	device   *tensor.Device
	saved    []*Saved
	backward backwardFunc
	hooks    []*Hook
	leaf     *Tensor // of an accumulator
	inner    *Node   // of a change to a slice: the change itself
	refs     int
	// keepsNumber says that PyTorch saves a number here, released that
	// what was saved is gone.
	keepsNumber, released bool
}

// Holder names the node as an owner.
func (n *Node) Holder() string { return "graph node " + n.name }

// newNode records an operator on the inputs.
func (c *Context) newNode(name string, inputs []*Tensor) *Node {
	n := &Node{ctx: c, name: name, sequence: c.nextSequence(), next: make([]*Node, len(inputs))}
	for i, in := range inputs {
		n.next[i] = in.edge()
	}
	return n
}

func (c *Context) nextSequence() uint64 {
	c.sequence++
	return c.sequence
}

// describe notes what the operator's result looks like.
func (n *Node) describe(x *tensor.Tensor) *Node {
	n.shape, n.dtype, n.device = x.Shape(), x.DType(), x.Device()
	return n
}

// setNode makes the tensor the result of a node, with a new reference, and
// lets go of the node before.
func (t *Tensor) setNode(n *Node) {
	before := t.node
	n.refs++
	t.node = n.describe(t.raw)
	t.version = t.raw.Storage().Version()
	if before != nil {
		before.release()
	}
}

// edge returns a new reference to the node that a gradient of t goes to, or
// nil.
func (t *Tensor) edge() *Node {
	t.refresh()
	switch {
	case t.node != nil:
		t.node.refs++
		return t.node
	case t.requiresGrad:
		return t.accumulate()
	default:
		return nil
	}
}

// accumulate returns a new reference to the leaf's accumulator. A leaf has one
// while a graph refers to it; the accumulator keeps the leaf alive.
func (t *Tensor) accumulate() *Node {
	if t.accumulator == nil {
		n := &Node{ctx: t.ctx, name: "AccumulateGrad", sequence: math.MaxUint64, leaf: t}
		n.describe(t.raw).hooks = t.hooks
		t.raw.Retain(n)
		t.accumulator = n
	}
	t.accumulator.refs++
	return t.accumulator
}

// release takes one reference away. A node without references dies, and with
// it every node that only it referred to: the last input's first, as PyTorch
// unwinds a graph without recursion.
func (n *Node) release() {
	n.refs--
	if n.refs > 0 {
		return
	}
	var orphans []*Node
	n.die(&orphans)
	for len(orphans) > 0 {
		last := orphans[len(orphans)-1]
		orphans = orphans[:len(orphans)-1]
		last.die(&orphans)
	}
}

// die releases what the node holds. Nodes that lose their last reference are
// added to the orphans.
func (n *Node) die(orphans *[]*Node) {
	n.releaseSaved()
	for i, next := range n.next {
		n.next[i] = nil
		orphan(next, orphans)
	}
	orphan(n.inner, orphans)
	n.hooks, n.backward, n.inner = nil, nil, nil
	if n.leaf != nil {
		if n.leaf.accumulator == n {
			n.leaf.accumulator = nil
		}
		n.leaf.raw.Release(n)
		n.leaf = nil
	}
}

// orphan takes a reference to a node, if there is one, away.
func orphan(n *Node, orphans *[]*Node) {
	if n == nil {
		return
	}
	n.refs--
	if n.refs == 0 {
		*orphans = append(*orphans, n)
	}
}

// releaseSaved lets go of the tensors kept for backward.
func (n *Node) releaseSaved() {
	for _, s := range n.saved {
		s.release()
	}
	if n.inner != nil {
		n.inner.releaseSaved()
	}
	n.released = true
}

// needs reports whether the i-th input wants a gradient.
func (n *Node) needs(i int) bool { return n.next[i] != nil }
