package autograd

import "github.com/torchmem/workbook/runtime/tensor"

// Add is t + other, where other is a tensor or a number. It keeps nothing.
func (t *Tensor) Add(other any) *Tensor {
	if s, ok := number(other); ok {
		return t.shifted("AddBackward0", s)
	}
	b := value(other)
	return apply("AddBackward0", []*Tensor{t, b}, func(o *operator) *tensor.Tensor {
		o.backward(addGrads)
		return tensor.Map2("add", o.raw(0), o.raw(1))
	})
}

func addGrads(p *Pass, g *tensor.Tensor) {
	p.want(1, same(g))
	p.want(0, same(g))
}

// Sub is t - other, where other is a tensor or a number. It keeps nothing.
func (t *Tensor) Sub(other any) *Tensor {
	if s, ok := number(other); ok {
		return t.shifted("SubBackward0", -s)
	}
	b := value(other)
	return apply("SubBackward0", []*Tensor{t, b}, func(o *operator) *tensor.Tensor {
		o.backward(subGrads)
		return tensor.Map2("sub", o.raw(0), o.raw(1))
	})
}

func subGrads(p *Pass, g *tensor.Tensor) {
	p.want(1, func() *tensor.Tensor { return tensor.Map("neg", g) })
	p.want(0, same(g))
}

// shifted is t plus a number.
func (t *Tensor) shifted(name string, s float64) *Tensor {
	return apply(name, []*Tensor{t}, func(o *operator) *tensor.Tensor {
		o.backward(func(p *Pass, g *tensor.Tensor) { p.want(0, same(g)) })
		return tensor.MapScalar("add_scalar", t.raw, s)
	})
}

// SubFrom is number - t: x.SubFrom(1) is 1 - x. It keeps nothing.
func (t *Tensor) SubFrom(number float64) *Tensor {
	return apply("RsubBackward1", []*Tensor{t}, func(o *operator) *tensor.Tensor {
		o.backward(negGrad)
		return tensor.MapScalar("sub_from", t.raw, number)
	})
}

// Neg is -t. It keeps nothing.
func (t *Tensor) Neg() *Tensor {
	return apply("NegBackward0", []*Tensor{t}, func(o *operator) *tensor.Tensor {
		o.backward(negGrad)
		return tensor.Map("neg", t.raw)
	})
}

func negGrad(p *Pass, g *tensor.Tensor) {
	p.want(0, func() *tensor.Tensor { return tensor.Map("neg", g) })
}
