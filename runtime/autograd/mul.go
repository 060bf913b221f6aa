package autograd

import "github.com/torchmem/workbook/runtime/tensor"

// Mul is t * other, where other is a tensor or a number. A product of two
// tensors keeps each factor that the other's gradient needs.
func (t *Tensor) Mul(other any) *Tensor {
	if s, ok := number(other); ok {
		return t.scaled("MulBackward0", "mul_scalar", s)
	}
	b := value(other)
	return apply("MulBackward0", []*Tensor{t, b}, func(o *operator) *tensor.Tensor {
		second, first := o.saveFor(0, 1), o.saveFor(1, 0)
		o.backward(mulGrads(first, second))
		return tensor.Map2("mul", o.raw(0), o.raw(1))
	})
}

// mulGrads is the rule of a product of two saved factors.
func mulGrads(first, second *Saved) backwardFunc {
	return func(p *Pass, g *tensor.Tensor) {
		b, a := p.open(second), p.open(first)
		p.want(1, func() *tensor.Tensor { return tensor.Map2("mul", g, a) })
		p.want(0, func() *tensor.Tensor { return tensor.Map2("mul", g, b) })
	}
}

// scaled is t times a number, or t divided by it. It keeps no tensor.
func (t *Tensor) scaled(name, kernel string, s float64) *Tensor {
	return apply(name, []*Tensor{t}, func(o *operator) *tensor.Tensor {
		o.saveNumber()
		o.backward(scaleGrad(kernel, s))
		return tensor.MapScalar(kernel, t.raw, s)
	})
}

func scaleGrad(kernel string, s float64) backwardFunc {
	return func(p *Pass, g *tensor.Tensor) {
		p.want(0, func() *tensor.Tensor { return tensor.MapScalar(kernel, g, s) })
	}
}

// Div is t / other, where other is a tensor or a number. A quotient of two
// tensors keeps the divisor, and the dividend if the divisor wants a gradient.
func (t *Tensor) Div(other any) *Tensor {
	if s, ok := number(other); ok {
		return t.scaled("DivBackward0", "div_scalar", s)
	}
	b := value(other)
	return apply("DivBackward0", []*Tensor{t, b}, func(o *operator) *tensor.Tensor {
		divisor, dividend := o.save(1), o.saveFor(1, 0)
		o.backward(func(p *Pass, g *tensor.Tensor) {
			b, a := p.open(divisor), p.open(dividend)
			p.want(1, func() *tensor.Tensor { return divisorGrad(g, a, b) })
			p.want(0, func() *tensor.Tensor { return tensor.Map2("div", g, b) })
		})
		return tensor.Map2("div", o.raw(0), o.raw(1))
	})
}

// divisorGrad is -g * ((a / b) / b), the gradient of a quotient's divisor.
func divisorGrad(g, a, b *tensor.Tensor) *tensor.Tensor {
	quotient := tensor.Map2("div", a, b)
	defer quotient.Drop()
	twice := tensor.Map2("div", quotient, b)
	defer twice.Drop()
	minus := tensor.Map("neg", g)
	defer minus.Drop()
	return tensor.Map2("mul", minus, twice)
}

// DivInto is number / t: x.DivInto(1) is 1 / x. It is two operators, the
// reciprocal, which keeps its result, and a product with the number.
func (t *Tensor) DivInto(number float64) *Tensor {
	t.check()
	return t.ctx.Borrow(func() *Tensor { return t.Reciprocal().Mul(number) }, t)
}

// Reciprocal is 1 / t. It keeps its result.
func (t *Tensor) Reciprocal() *Tensor {
	return t.fromResult("ReciprocalBackward0", "reciprocal", func(g, y *tensor.Tensor) *tensor.Tensor {
		square := tensor.Map2("mul", y, y)
		defer square.Drop()
		minus := tensor.Map("neg", g)
		defer minus.Drop()
		return tensor.Map2("mul", minus, square)
	})
}
