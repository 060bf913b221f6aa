package autograd_test

import (
	"github.com/torchmem/workbook/runtime/autograd"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/tensor"
)

// formula is an operator on some inputs, to be tried on each list of shapes.
type formula struct {
	name   string
	shapes [][][]int
	f      func(p *program, in []*autograd.Tensor) *autograd.Tensor
	// low and high bound the inputs, which are 0.5 to 2 by default.
	low, high float64
}

// unary are formulas of one input.
func unary(name string, low, high float64, f func(x *autograd.Tensor) *autograd.Tensor) formula {
	return formula{name: name, low: low, high: high,
		shapes: [][][]int{{{5}}, {{2, 3}}, {{1, 4}}, {{3, 1}}, {{2, 1, 3}}, {{}}},
		f:      func(_ *program, in []*autograd.Tensor) *autograd.Tensor { return f(in[0]) }}
}

// matrix are formulas of one input of two dimensions.
func matrix(name string, f func(x *autograd.Tensor) *autograd.Tensor) formula {
	return formula{name: name, shapes: [][][]int{{{2, 3}}, {{1, 4}}, {{3, 1}}, {{4, 4}}},
		f: func(_ *program, in []*autograd.Tensor) *autograd.Tensor { return f(in[0]) }}
}

// binary are formulas of two inputs that stretch to one shape.
func binary(name string, f func(a, b *autograd.Tensor) *autograd.Tensor) formula {
	return formula{name: name,
		shapes: [][][]int{{{5}, {5}}, {{2, 3}, {2, 3}}, {{2, 3}, {3}}, {{3}, {2, 3}}, {{2, 1}, {1, 3}}, {{2, 3}, {2, 1}}, {{2, 3}, {}}, {{}, {4}}, {{2, 1, 3}, {4, 1}}, {{1, 1}, {1}}},
		f:      func(_ *program, in []*autograd.Tensor) *autograd.Tensor { return f(in[0], in[1]) }}
}

type t = autograd.Tensor

var formulas = []formula{
	unary("exp", -1, 1, (*t).Exp), unary("log", 0.5, 2, (*t).Log), unary("sqrt", 0.5, 2, (*t).Sqrt),
	unary("sin", -2, 2, (*t).Sin), unary("cos", -2, 2, (*t).Cos), unary("tanh", -2, 2, (*t).Tanh),
	unary("sigmoid", -2, 2, (*t).Sigmoid), unary("relu", -2, 2, (*t).Relu), unary("abs", -2, 2, (*t).Abs),
	unary("gelu", -2, 2, (*t).Gelu), unary("silu", -2, 2, (*t).Silu), unary("neg", -2, 2, (*t).Neg),
	unary("leaky_relu", -2, 2, func(x *t) *t { return x.LeakyRelu(0.25) }),
	unary("clamp_min", -2, 2, func(x *t) *t { return x.ClampMin(0.3) }),
	unary("clamp_max", -2, 2, func(x *t) *t { return x.ClampMax(0.3) }),
	unary("clamp", -2, 2, func(x *t) *t { return x.Clamp(-0.7, 0.3) }),
	unary("reciprocal", 0.5, 2, (*t).Reciprocal),
	unary("pow 3", -2, 2, func(x *t) *t { return x.Pow(3) }), unary("pow 0.5", 0.5, 2, func(x *t) *t { return x.Pow(0.5) }),
	unary("pow 0", -2, 2, func(x *t) *t { return x.Pow(0) }), unary("pow 1", -2, 2, func(x *t) *t { return x.Pow(1) }),
	unary("pow -2", 0.5, 2, func(x *t) *t { return x.Pow(-2) }),
	unary("add number", -2, 2, func(x *t) *t { return x.Add(3) }), unary("sub number", -2, 2, func(x *t) *t { return x.Sub(3) }),
	unary("mul number", -2, 2, func(x *t) *t { return x.Mul(3.5) }), unary("div number", -2, 2, func(x *t) *t { return x.Div(3.5) }),
	unary("sub_from", -2, 2, func(x *t) *t { return x.SubFrom(1.5) }), unary("div_into", 0.5, 2, func(x *t) *t { return x.DivInto(1.5) }),
	unary("clone", -2, 2, (*t).Clone), unary("dropout 0", -2, 2, func(x *t) *t { return x.Dropout(0) }),
	unary("dropout 1", -2, 2, func(x *t) *t { return x.Dropout(1) }),
	unary("sum", -2, 2, func(x *t) *t { return x.Sum() }), unary("mean", -2, 2, func(x *t) *t { return x.Mean() }),
	unary("max", -2, 2, (*t).Max), unary("min", -2, 2, (*t).Min), unary("norm", 0.5, 2, (*t).Norm),
	unary("sum of last", -2, 2, func(x *t) *t { return x.Sum(-1) }), unary("mean of last", -2, 2, func(x *t) *t { return x.MeanKeepDim(-1) }),
	unary("softmax", -2, 2, func(x *t) *t { return x.Softmax(0) }), unary("log_softmax", -2, 2, func(x *t) *t { return x.LogSoftmax(0) }),
	unary("softmax of last", -2, 2, func(x *t) *t { return x.Softmax(-1) }), unary("log_softmax of last", -2, 2, func(x *t) *t { return x.LogSoftmax(-1) }),
	unary("view", -2, 2, func(x *t) *t { return x.Contiguous().View(-1) }), unary("reshape", -2, 2, func(x *t) *t { return x.Reshape(-1, 1) }),
	unary("unsqueeze", -2, 2, func(x *t) *t { return x.Unsqueeze(-1) }), unary("squeeze", -2, 2, func(x *t) *t { return x.Squeeze(-1) }),
	unary("x * x", -2, 2, func(x *t) *t { return x.Mul(x) }), unary("x + x", -2, 2, func(x *t) *t { return x.Add(x) }),
	unary("x - x / x", 0.5, 2, func(x *t) *t { return x.Sub(x.Div(x)) }),
	unary("in place", -2, 2, func(x *t) *t { return x.Mul(2).Add_(1).Mul_(3).Sub_(2) }),
	unary("relu_", -2, 2, func(x *t) *t { return x.Mul(1).Relu_() }), unary("mul_ self", -2, 2, func(x *t) *t { return x.Mul(2).Mul_(x) }),
	unary("zero_", -2, 2, func(x *t) *t { return x.Mul(2).Zero_().Add(x) }),

	matrix("t", (*t).T), matrix("transposed copy", func(x *t) *t { return x.T().Contiguous() }),
	matrix("transposed reshape", func(x *t) *t { return x.T().Reshape(-1) }),
	matrix("x[0]", func(x *t) *t { return x.Index(0) }), matrix("x[-1]", func(x *t) *t { return x.Index(-1) }),
	matrix("x[0:1]", func(x *t) *t { return x.Slice(0, 1) }), matrix("x[-2:9]", func(x *t) *t { return x.Slice(-2, 9) }),
	matrix("sum 0", func(x *t) *t { return x.Sum(0) }), matrix("sum keep", func(x *t) *t { return x.SumKeepDim(0) }),
	matrix("sum 0 1", func(x *t) *t { return x.Sum(0, 1) }), matrix("mean 1 0", func(x *t) *t { return x.Mean(1, 0) }),
	matrix("x * mean", func(x *t) *t { return x.Mul(x.MeanKeepDim(1)) }),
	matrix("x @ x.T", func(x *t) *t { return x.MatMul(x.T()) }), matrix("x.T @ x", func(x *t) *t { return x.T().MatMul(x) }),
	matrix("expand", func(x *t) *t { return x.Unsqueeze(0).Expand(3, -1, -1) }),
	matrix("slice changed", named(func(_, y *t) *t { y.Index(0).Mul_(3).Drop(); return y.Add(1) })),
	matrix("slice changed by a row", named(func(x, y *t) *t { y.Index(-1).Mul_(x.Index(0)).Drop(); return y.Add(1) })),
	matrix("two slices changed", named(func(x, y *t) *t {
		y.Index(0).Mul_(x.Index(-1)).Drop()
		y.Slice(0, 1).Add_(x.Slice(0, 1)).Drop()
		return y.Mul(x)
	})),
	matrix("columns changed", named(func(x, y *t) *t {
		y.T().Index(0).Add_(5).Mul_(x.T().Index(0)).Drop()
		return y.Mul(x)
	})),
	matrix("a view from before the change", func(x *t) *t {
		y := x.Mul(2).Own(held)
		defer y.Disown(held)
		v := y.Index(0).Own(held)
		defer v.Disown(held)
		y.Mul_(x)
		return v.Mul(3)
	}),
	matrix("another view of the slice", func(x *t) *t {
		y := x.Mul(2).Own(held)
		defer y.Disown(held)
		v := y.T().Own(held)
		defer v.Disown(held)
		y.Index(0).Mul_(x.Index(0)).Drop()
		return v.MatMul(x)
	}),
	matrix("a slice of what needs none", func(x *t) *t {
		y := x.Detach().Mul(0).Add(2).Own(held)
		defer y.Disown(held)
		y.Index(0).Mul_(x.Index(0)).Drop()
		return y.Add(1)
	}),

	binary("add", func(a, b *t) *t { return a.Add(b) }), binary("sub", func(a, b *t) *t { return a.Sub(b) }),
	binary("mul", func(a, b *t) *t { return a.Mul(b) }), binary("div", func(a, b *t) *t { return a.Div(b) }),

	{name: "add_ row", shapes: [][][]int{{{2, 3}, {3}}, {{2, 3}, {2, 1}}}, f: func(_ *program, in []*t) *t { return in[0].Mul(2).Add_(in[1]) }},
	{name: "mul_ row", shapes: [][][]int{{{2, 3}, {3}}, {{2, 3}, {2, 1}}}, f: func(_ *program, in []*t) *t { return in[0].Mul(2).Mul_(in[1]) }},
	{name: "sub_ row", shapes: [][][]int{{{2, 3}, {3}}, {{2, 3}, {2, 1}}}, f: func(_ *program, in []*t) *t { return in[0].Mul(2).Sub_(in[1]) }},
	{name: "mm", shapes: [][][]int{{{2, 3}, {3, 4}}, {{1, 3}, {3, 2}}, {{2, 1}, {1, 2}}, {{2, 3}, {3, 1}}, {{1, 1}, {1, 1}}}, f: func(_ *program, in []*t) *t { return in[0].MatMul(in[1]) }},
	{name: "mm of T", shapes: [][][]int{{{3, 2}, {4, 3}}, {{1, 2}, {3, 1}}}, f: func(_ *program, in []*t) *t { return in[0].T().MatMul(in[1].T()) }},
	{name: "mv", shapes: [][][]int{{{2, 3}, {3}}, {{1, 3}, {3}}, {{3, 1}, {1}}}, f: func(_ *program, in []*t) *t { return in[0].MatMul(in[1]) }},
	{name: "outer", shapes: [][][]int{{{2}, {3}}, {{1}, {1}}}, f: func(_ *program, in []*t) *t { return in[0].Outer(in[1]) }},
	{name: "linear", shapes: [][][]int{{{2, 3}, {4, 3}, {4}}, {{1, 3}, {4, 3}, {4}}, {{2, 1}, {4, 1}, {4}}, {{2, 3}, {1, 3}, {1}}}, f: func(_ *program, in []*t) *t { return autograd.Linear(in[0], in[1], in[2]) }},
	{name: "linear without bias", shapes: [][][]int{{{2, 3}, {4, 3}}, {{1, 3}, {4, 3}}}, f: func(_ *program, in []*t) *t { return autograd.Linear(in[0], in[1], nil) }},
	{name: "linear of T", shapes: [][][]int{{{3, 2}, {4, 3}, {4}}}, f: func(_ *program, in []*t) *t { return autograd.Linear(in[0].T(), in[1], in[2]) }},
	{name: "mse_loss", shapes: [][][]int{{{2, 3}, {2, 3}}, {{4}, {4}}, {{2, 3}, {3}}}, f: func(_ *program, in []*t) *t { return autograd.MSELoss(in[0], in[1]) }},
	{name: "layer_norm", shapes: [][][]int{{{2, 4}}, {{3, 2, 4}}, {{4}}}, f: func(_ *program, in []*t) *t { return autograd.LayerNorm(in[0], []int{4}, nil, nil) }},
	{name: "layer_norm of two", shapes: [][][]int{{{3, 2, 4}}}, f: func(_ *program, in []*t) *t { return autograd.LayerNorm(in[0], []int{2, 4}, nil, nil) }},
	{name: "layer_norm with weight", shapes: [][][]int{{{2, 4}, {4}, {4}}, {{4, 4}, {4}, {4}}}, f: func(_ *program, in []*t) *t { return autograd.LayerNorm(in[0], []int{4}, in[1], in[2]) }},
	{name: "cat", shapes: [][][]int{{{2, 3}, {1, 3}, {2, 3}}, {{2}, {3}}}, f: func(p *program, in []*t) *t { return p.Cat(0, values(in)...) }},
	{name: "cat 1", shapes: [][][]int{{{2, 3}, {2, 1}}}, f: func(p *program, in []*t) *t { return p.Cat(-1, values(in)...) }},
	{name: "stack", shapes: [][][]int{{{2, 3}, {2, 3}}, {{}, {}}}, f: func(p *program, in []*t) *t { return p.Stack(0, values(in)...) }},
	{name: "stack 1", shapes: [][][]int{{{2, 3}, {2, 3}}}, f: func(p *program, in []*t) *t { return p.Stack(-1, values(in)...) }},
	{name: "three", shapes: [][][]int{{{2, 3}, {3}}}, f: func(_ *program, in []*t) *t {
		return in[0].Add(in[1]).Mul(in[0].Sub(in[1])).Add(in[0])
	}},
	{name: "cross_entropy", shapes: [][][]int{{{3, 4}}, {{1, 4}}, {{3, 1}}}, f: func(p *program, in []*t) *t {
		n := in[0].Shape()[0]
		classes := tensor.Full(p.CPU, gpu.Int64, float64(in[0].Shape()[1]-1), n)
		return autograd.CrossEntropy(in[0], p.Wrap(classes))
	}},
	{name: "checkpoint", shapes: [][][]int{{{2, 3}, {3}}}, f: func(_ *program, in []*t) *t {
		return autograd.Checkpoint(autograd.Func(func(x *t) *t { return x.Exp().Mul(in[1]).Tanh() }), in[0], autograd.UseReentrant(false))
	}},
	{name: "reentrant checkpoint", shapes: [][][]int{{{2, 3}, {3}}}, f: func(_ *program, in []*t) *t {
		return autograd.Checkpoint(autograd.Func(func(x *t) *t { return x.Exp().Mul(in[1]).Tanh() }), in[0], autograd.UseReentrant(true))
	}},
}

func values(in []*autograd.Tensor) []autograd.Value {
	all := make([]autograd.Value, len(in))
	for i, x := range in {
		all[i] = x
	}
	return all
}

// named runs a formula on x and on x*2, which has an owner meanwhile.
func named(f func(x, y *autograd.Tensor) *autograd.Tensor) func(x *autograd.Tensor) *autograd.Tensor {
	return func(x *autograd.Tensor) *autograd.Tensor {
		y := x.Mul(2).Own(held)
		defer y.Disown(held)
		return f(x, y)
	}
}
