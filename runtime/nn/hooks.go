package nn

import (
	"slices"

	"github.com/torchmem/workbook/runtime/autograd"
)

// ForwardPreHook is a function that sees what goes into a module before it
// runs.
type ForwardPreHook struct {
	module *Module
	f      func(in *autograd.Tensor)
}

// RegisterForwardPreHook lets the function see the argument of every call of
// the module, also of a call that ends early.
func (m *Module) RegisterForwardPreHook(f func(in *autograd.Tensor)) *ForwardPreHook {
	h := &ForwardPreHook{m, f}
	m.preHooks = append(m.preHooks, h)
	return h
}

// Remove takes the hook away.
func (h *ForwardPreHook) Remove() {
	h.module.preHooks = slices.DeleteFunc(h.module.preHooks, func(other *ForwardPreHook) bool { return other == h })
}

// ForwardHook is a function that sees what goes into a module and what comes
// out.
type ForwardHook struct {
	module *Module
	f      func(in, out *autograd.Tensor)
}

// see shows the hook a call and returns the output. A temporary output is the
// hook's argument, and lives on after whatever the hook computes with it.
func (h *ForwardHook) see(in, out *autograd.Tensor) *autograd.Tensor {
	return h.module.nn.ctx.Borrow(func() *autograd.Tensor {
		h.f(in, out)
		return out
	}, out)
}

// RegisterForwardHook lets the function see every call of the module. What it
// keeps stays allocated.
func (m *Module) RegisterForwardHook(f func(in, out *autograd.Tensor)) *ForwardHook {
	h := &ForwardHook{m, f}
	m.hooks = append(m.hooks, h)
	return h
}

// Remove takes the hook away. What it kept is not its to give back.
func (h *ForwardHook) Remove() {
	h.module.hooks = slices.DeleteFunc(h.module.hooks, func(other *ForwardHook) bool { return other == h })
}
