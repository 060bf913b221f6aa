package nn

import (
	"math"

	"github.com/torchmem/workbook/runtime/autograd"
	"github.com/torchmem/workbook/runtime/tensor"
)

// Linear is torch.nn.Linear: x @ weight.T + bias, with a weight of out rows of
// in columns. Both start with draws from ±1/sqrt(in).
func (n *NN) Linear(in, out int) *Module {
	m := n.Module("Linear", nil)
	bound := initialBound(in)
	weight := m.parameter("weight", n.uniform(bound, out, in))
	bias := m.parameter("bias", n.uniform(bound, out))
	m.forward = func(x *autograd.Tensor) *autograd.Tensor { return autograd.Linear(x, weight, bias) }
	return m
}

// LinearNoBias is torch.nn.Linear with bias=False.
func (n *NN) LinearNoBias(in, out int) *Module {
	m := n.Module("Linear", nil)
	weight := m.parameter("weight", n.uniform(initialBound(in), out, in))
	m.forward = func(x *autograd.Tensor) *autograd.Tensor { return autograd.Linear(x, weight, nil) }
	return m
}

// initialBound is 1/sqrt(in), and 0 where there is no input.
func initialBound(in int) float64 {
	if in == 0 {
		return 0
	}
	return 1 / math.Sqrt(float64(in))
}

// uniform returns a CPU tensor of draws from ±bound.
func (n *NN) uniform(bound float64, shape ...int) *autograd.Tensor {
	t := n.ctx.Wrap(tensor.Rand(n.ctx.CPU, shape...))
	return t.Mul_(2 * bound).Add_(-bound)
}

// ReLU is torch.nn.ReLU.
func (n *NN) ReLU() *Module {
	return n.Module("ReLU", func(x *autograd.Tensor) *autograd.Tensor { return x.Relu() })
}

// GELU is torch.nn.GELU.
func (n *NN) GELU() *Module {
	return n.Module("GELU", func(x *autograd.Tensor) *autograd.Tensor { return x.Gelu() })
}

// LayerNorm is torch.nn.LayerNorm over the last dimension, which has size
// elements. Its weight starts with ones, its bias with zeros.
func (n *NN) LayerNorm(size int) *Module {
	m := n.Module("LayerNorm", nil)
	weight := m.parameter("weight", n.ctx.Full(1, size))
	bias := m.parameter("bias", n.ctx.Full(0, size))
	m.forward = func(x *autograd.Tensor) *autograd.Tensor {
		return autograd.LayerNorm(x, []int{size}, weight, bias)
	}
	return m
}

// Dropout is torch.nn.Dropout. In evaluation it returns its input.
func (n *NN) Dropout(p float64) *Module {
	autograd.CheckDropout(p)
	m := n.Module("Dropout", nil)
	m.forward = func(x *autograd.Tensor) *autograd.Tensor {
		if !m.training {
			return x
		}
		return x.Dropout(p)
	}
	return m
}

// Sequential is torch.nn.Sequential: each module gets what the one before
// returned.
func (n *NN) Sequential(modules ...*Module) *Module {
	m := n.Module("Sequential", nil, modules...)
	m.forward = func(x *autograd.Tensor) *autograd.Tensor {
		for _, c := range m.children {
			x = c.Call(x)
		}
		return x
	}
	return m
}

// Append adds a module at the end of a Sequential.
func (m *Module) Append(child *Module) {
	if m.kind != "Sequential" {
		tensor.Raise("'%s' object has no attribute 'append'", m.kind)
	}
	m.adopt(child)
}

// Functions lists the submodules as what a checkpoint can cut into segments.
func (m *Module) Functions() []autograd.Function {
	all := make([]autograd.Function, len(m.children))
	for i, c := range m.children {
		all[i] = c
	}
	return all
}

// ParameterBytes returns the bytes of all parameters.
func (m *Module) ParameterBytes() int64 {
	var sum int64
	for _, p := range m.Parameters() {
		sum += p.Bytes()
	}
	return sum
}
