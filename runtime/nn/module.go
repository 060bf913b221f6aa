// Package nn has the building blocks of models.
//
// A [Module] is a function on tensors together with the parameters that it
// keeps. It holds a reference to each of them, so a model that lives on keeps
// its memory, and a model that is deleted gives it back. A model of its own is
// made from parts with [NN.Module]: a forward function and the modules it
// calls.
//
// Modules are made on the CPU, as in PyTorch, and moved with Cuda: each
// parameter is copied, and its old memory is dropped.
package nn

import (
	"slices"

	"github.com/torchmem/workbook/runtime/autograd"
	"github.com/torchmem/workbook/runtime/tensor"
)

// NN makes modules of one program.
type NN struct {
	ctx     *autograd.Context
	modules []*Module
}

// New returns the maker of modules for the program.
func New(ctx *autograd.Context) *NN { return &NN{ctx: ctx} }

// Module is a function on tensors with parameters and submodules.
type Module struct {
	nn         *NN
	kind       string
	parameters []*Parameter
	children   []*Module
	forward    func(x *autograd.Tensor) *autograd.Tensor
	preHooks   []*ForwardPreHook
	hooks      []*ForwardHook
	training   bool
	owners     int // how often other modules have it as a child
	dead       bool
}

// Parameter is a leaf that a module holds. Its tensor is replaced when the
// module moves to another device.
type Parameter struct {
	*autograd.Tensor
	name string
	kind string
}

// Holder names the parameter as an owner.
func (p *Parameter) Holder() string { return p.kind + "." + p.name }

// Name returns the parameter's name in its module: weight or bias.
func (p *Parameter) Name() string { return p.name }

// Module makes a module from a forward function and the modules it calls.
func (n *NN) Module(kind string, forward func(x *autograd.Tensor) *autograd.Tensor, children ...*Module) *Module {
	m := &Module{nn: n, kind: kind, forward: forward, training: true}
	for _, c := range children {
		m.adopt(c)
	}
	n.modules = append(n.modules, m)
	return m
}

// adopt adds a child. From then on it belongs to m, and goes with m, unless
// another module has it too.
func (m *Module) adopt(child *Module) {
	switch {
	case child == nil:
		tensor.Raise("NoneType is not a Module subclass")
	case child.has(m):
		tensor.Raise("the module %s cannot be a part of itself", m.kind)
	}
	child.owners++
	m.children = append(m.children, child)
}

// has reports whether other is m or one of its submodules.
func (m *Module) has(other *Module) bool {
	return m == other || slices.ContainsFunc(m.children, func(c *Module) bool { return c.has(other) })
}

// parameter adds a leaf that requires a gradient.
func (m *Module) parameter(name string, t *autograd.Tensor) *Parameter {
	p := &Parameter{name: name, kind: m.kind}
	p.Tensor = t.RequiresGrad_().Own(p)
	m.parameters = append(m.parameters, p)
	return p
}

// Call runs the module on x: model(x). A temporary argument lives until the
// call returns. Forward hooks see the result before the caller does.
func (m *Module) Call(x autograd.Value) *autograd.Tensor {
	t := autograd.ValueOf(x)
	m.nn.ctx.MustOwn(t)
	return m.nn.ctx.Borrow(func() *autograd.Tensor {
		for _, h := range slices.Clone(m.preHooks) {
			h.f(t)
		}
		out := m.forward(t)
		for _, h := range slices.Clone(m.hooks) {
			out = h.see(t, out)
		}
		return out
	}, t)
}

// Parameters lists the parameters of the module and of all its submodules. One
// that is shared is listed once.
func (m *Module) Parameters() []*Parameter {
	var all []*Parameter
	m.visit(func(p *Parameter) {
		if !slices.Contains(all, p) {
			all = append(all, p)
		}
	})
	return all
}

// visit calls the function for its own parameters and then for those of its
// submodules.
func (m *Module) visit(f func(p *Parameter)) {
	for _, p := range m.parameters {
		f(p)
	}
	for _, c := range m.children {
		c.visit(f)
	}
}

// Children lists the submodules.
func (m *Module) Children() []*Module { return m.children }

// Cuda moves the parameters to the GPU and returns the module.
func (m *Module) Cuda() *Module { return m.move(m.nn.ctx.NeedGPU()) }

// CPU moves the parameters to the CPU and returns the module.
func (m *Module) CPU() *Module { return m.move(m.nn.ctx.CPU) }

// move copies the submodules' parameters first, then its own, as PyTorch does.
func (m *Module) move(d *tensor.Device) *Module {
	for _, c := range m.children {
		c.move(d)
	}
	for _, p := range m.parameters {
		p.MoveTo(d)
	}
	return m
}

// Train switches the module and its submodules to training.
func (m *Module) Train() *Module { return m.setTraining(true) }

// Eval switches them to evaluation: a Dropout passes its input through. It
// does not switch gradients off.
func (m *Module) Eval() *Module { return m.setTraining(false) }

func (m *Module) setTraining(on bool) *Module {
	m.training = on
	for _, c := range m.children {
		c.setTraining(on)
	}
	return m
}

// ZeroGrad sets the gradient of every parameter to None.
func (m *Module) ZeroGrad() {
	for _, p := range m.Parameters() {
		p.ClearGrad()
	}
}

// Del is del model: the module and its submodules let go of their parameters.
// A module that belongs to another lives on with it. Using a module that is
// gone is a mistake, and so is deleting it again.
func (m *Module) Del() {
	if m.dead {
		m.raiseDead()
	}
	if m.owners == 0 {
		m.die()
	}
}

func (m *Module) die() {
	m.dead = true
	for _, p := range m.parameters {
		p.Disown(p)
	}
	m.parameters, m.preHooks, m.hooks = nil, nil, nil
	for _, c := range m.children {
		c.owners--
		if c.owners == 0 {
			c.die()
		}
	}
	m.children = nil
	m.forward = func(*autograd.Tensor) *autograd.Tensor {
		m.raiseDead()
		return nil
	}
}

func (m *Module) raiseDead() {
	panic(&autograd.DeadTensor{Text: "the module " + m.kind + " is used after it was deleted"})
}

// Close drops every module of the program.
func (n *NN) Close() {
	for _, m := range n.modules {
		if !m.dead {
			m.die()
		}
	}
	n.modules = nil
}
