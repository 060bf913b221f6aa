package autograd

import "github.com/torchmem/workbook/runtime/tensor"

// The functions of this file work on one element at a time. Those whose
// gradient can be told from the result keep the result, the others keep the
// input. That decides what stays in memory until backward.

// Exp is torch.exp. It keeps its result.
func (t *Tensor) Exp() *Tensor { return t.fromResult("ExpBackward0", "exp", times) }

// Sigmoid is torch.sigmoid. It keeps its result.
func (t *Tensor) Sigmoid() *Tensor {
	return t.fromResult("SigmoidBackward0", "sigmoid", mapped2("sigmoid_backward"))
}

// Tanh is torch.tanh. It keeps its result.
func (t *Tensor) Tanh() *Tensor {
	return t.fromResult("TanhBackward0", "tanh", mapped2("tanh_backward"))
}

// Sqrt is torch.sqrt. It keeps its result.
func (t *Tensor) Sqrt() *Tensor {
	return t.fromResult("SqrtBackward0", "sqrt", func(g, y *tensor.Tensor) *tensor.Tensor {
		twice := tensor.MapScalar("mul_scalar", y, 2)
		defer twice.Drop()
		return tensor.Map2("div", g, twice)
	})
}

// Log is torch.log. It keeps its input.
func (t *Tensor) Log() *Tensor { return t.fromInput("LogBackward0", "log", mapped2("div")) }

// Sin is torch.sin. It keeps its input.
func (t *Tensor) Sin() *Tensor { return t.fromInput("SinBackward0", "sin", timesMapped("cos")) }

// Cos is torch.cos. It keeps its input.
func (t *Tensor) Cos() *Tensor {
	return t.fromInput("CosBackward0", "cos", func(g, x *tensor.Tensor) *tensor.Tensor {
		sine := tensor.Map("sin", x)
		defer sine.Drop()
		minus := tensor.Map("neg", sine)
		defer minus.Drop()
		return tensor.Map2("mul", g, minus)
	})
}

// Abs is torch.abs. It keeps its input.
func (t *Tensor) Abs() *Tensor { return t.fromInput("AbsBackward0", "abs", timesMapped("sign")) }

// Pow is t ** exponent. It keeps its input.
func (t *Tensor) Pow(exponent float64) *Tensor {
	return apply("PowBackward0", []*Tensor{t}, func(o *operator) *tensor.Tensor {
		x := o.save(0)
		o.backward(func(p *Pass, g *tensor.Tensor) {
			x := p.open(x)
			p.want(0, func() *tensor.Tensor { return powGrad(g, x, exponent) })
		})
		return tensor.MapScalar("pow_scalar", t.raw, exponent)
	})
}

func powGrad(g, x *tensor.Tensor, exponent float64) *tensor.Tensor {
	if exponent == 0 {
		return tensor.FullLike(x, 0)
	}
	power := tensor.MapScalar("pow_scalar", x, exponent-1)
	defer power.Drop()
	slope := tensor.MapScalar("mul_scalar", power, exponent)
	defer slope.Drop()
	return tensor.Map2("mul", g, slope)
}

// fromResult is a function whose gradient is told from its result y.
func (t *Tensor) fromResult(name, kernel string, gradient func(g, y *tensor.Tensor) *tensor.Tensor) *Tensor {
	return apply(name, []*Tensor{t}, func(o *operator) *tensor.Tensor {
		o.backward(fromSaved(o.saveResult(), gradient))
		return tensor.MapFloat(kernel, t.raw)
	})
}

// fromInput is a function whose gradient is told from its input x.
func (t *Tensor) fromInput(name, kernel string, gradient func(g, x *tensor.Tensor) *tensor.Tensor) *Tensor {
	return apply(name, []*Tensor{t}, func(o *operator) *tensor.Tensor {
		o.backward(fromSaved(o.save(0), gradient))
		if kernel == "abs" {
			return tensor.Map(kernel, t.raw)
		}
		return tensor.MapFloat(kernel, t.raw)
	})
}

// fromSaved is the rule of a function with one input that keeps one tensor.
func fromSaved(s *Saved, gradient func(g, kept *tensor.Tensor) *tensor.Tensor) backwardFunc {
	return func(p *Pass, g *tensor.Tensor) {
		kept := p.open(s)
		p.want(0, func() *tensor.Tensor { return gradient(g, kept) })
	}
}

// times is g times what was kept.
func times(g, kept *tensor.Tensor) *tensor.Tensor { return tensor.Map2("mul", g, kept) }

// mapped2 is a kernel of g and what was kept.
func mapped2(kernel string) func(g, kept *tensor.Tensor) *tensor.Tensor {
	return func(g, kept *tensor.Tensor) *tensor.Tensor { return tensor.Map2(kernel, g, kept) }
}

// timesMapped is g times a function of what was kept.
func timesMapped(kernel string) func(g, kept *tensor.Tensor) *tensor.Tensor {
	return func(g, kept *tensor.Tensor) *tensor.Tensor {
		y := tensor.Map(kernel, kept)
		defer y.Drop()
		return tensor.Map2("mul", g, y)
	}
}
