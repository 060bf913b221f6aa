package autograd

import (
	"slices"

	"github.com/torchmem/workbook/runtime/tensor"
)

// Hook is a function that sees a tensor's gradient during backward.
type Hook struct {
	f     func(grad *Tensor) *Tensor
	owner *Tensor
	node  *Node
}

// RegisterHook lets the function see the gradient of t during backward. The
// gradient is a temporary: the hook may keep it, and a gradient that is kept
// stays allocated. What the function returns replaces the gradient, unless it
// is nil.
func (t *Tensor) RegisterHook(f func(grad *Tensor) *Tensor) *Hook {
	t.check()
	if !t.RequiresGrad() {
		tensor.Raise("cannot register a hook on a tensor that doesn't require gradient")
	}
	h := &Hook{f: f, owner: t, node: t.node}
	if t.node != nil {
		t.node.hooks = append(t.node.hooks, h)
		return h
	}
	t.hooks = append(t.hooks, h)
	if t.accumulator != nil {
		t.accumulator.hooks = t.hooks
	}
	return h
}

// Remove takes the hook away. What it kept is not its to give back.
func (h *Hook) Remove() {
	same := func(other *Hook) bool { return other == h }
	if h.node != nil {
		h.node.hooks = slices.DeleteFunc(h.node.hooks, same)
		return
	}
	h.owner.hooks = slices.DeleteFunc(h.owner.hooks, same)
	if h.owner.accumulator != nil {
		h.owner.accumulator.hooks = h.owner.hooks
	}
}

// callHook passes a gradient, which a reference of inFlight keeps, through a
// hook and returns what comes out, kept in the same way.
func (n *Node) callHook(h *Hook, g *tensor.Tensor) *tensor.Tensor {
	seen := n.ctx.handle(g)
	result := n.ctx.Borrow(func() *Tensor { return h.f(seen) }, seen)
	if result == nil || result == seen {
		seen.consume()
		return g
	}
	defer result.consume()
	result.check()
	mayReplace(g, result.raw)
	raw := result.raw.Retain(inFlight)
	g.Release(inFlight)
	return raw
}

// mayReplace refuses a hook's result that is no gradient of the same tensor.
func mayReplace(g, result *tensor.Tensor) {
	if g.TypeName() != result.TypeName() {
		tensor.Raise("hook '<lambda>' has changed the type of value (was %s got %s)", g.TypeName(), result.TypeName())
	}
	if !slices.Equal(g.Shape(), result.Shape()) {
		tensor.Raise("hook '<lambda>' has changed the size of value")
	}
}

// handle returns the tensor of a gradient in flight, as a temporary. A hook
// before may have kept it: then it is that same tensor.
func (c *Context) handle(g *tensor.Tensor) *Tensor {
	t, ok := g.Attached().(*Tensor)
	switch {
	case !ok:
		return c.Wrap(again(g))
	case t.temporary:
		return t
	}
	again(g)
	return t.float()
}
