package autograd

import (
	"slices"

	"github.com/torchmem/workbook/runtime/tensor"
)

// Sum adds the elements, over the dimensions named or over all. It keeps
// nothing: its gradient is one number, stretched.
func (t *Tensor) Sum(dims ...int) *Tensor { return t.reduced("SumBackward", dims, tensor.Sum, same) }

// SumKeepDim is Sum with keepdim=True: what is summed over stays as a
// dimension of one element.
func (t *Tensor) SumKeepDim(dims ...int) *Tensor {
	return t.reduced("SumBackward", dims, tensor.SumKeep, same)
}

// Mean is the sum divided by the number of elements that were added.
func (t *Tensor) Mean(dims ...int) *Tensor {
	return t.reduced("MeanBackward", dims, tensor.Mean, t.shared(dims))
}

// MeanKeepDim is Mean with keepdim=True.
func (t *Tensor) MeanKeepDim(dims ...int) *Tensor {
	return t.reduced("MeanBackward", dims, tensor.MeanKeep, t.shared(dims))
}

// shared divides the stretched gradient of a mean by the number of elements.
func (t *Tensor) shared(dims []int) func(wide *tensor.Tensor) func() *tensor.Tensor {
	t.check()
	count := 1
	for i, d := range tensor.KeepDims(t.raw, dims) {
		if d != t.raw.Shape()[i] {
			count *= t.raw.Shape()[i]
		}
	}
	return func(wide *tensor.Tensor) func() *tensor.Tensor {
		return func() *tensor.Tensor { return tensor.MapScalar("div_scalar", wide, float64(count)) }
	}
}

// reduced is an operator that makes one element of many. Its gradient is what
// finish makes of the result's gradient, stretched to the input's shape.
func (t *Tensor) reduced(name string, dims []int, forward func(x *tensor.Tensor, dims ...int) *tensor.Tensor, finish func(wide *tensor.Tensor) func() *tensor.Tensor) *Tensor {
	t.check()
	suffix, shape, kept := "0", slices.Clone(t.raw.Shape()), []int{}
	if len(dims) > 0 {
		suffix, kept = "1", tensor.KeepDims(t.raw, dims)
	}
	return apply(name+suffix, []*Tensor{t}, func(o *operator) *tensor.Tensor {
		out := forward(t.raw, dims...)
		o.backward(func(p *Pass, g *tensor.Tensor) {
			wide := stretch(g, kept, shape)
			defer wide.Drop()
			p.want(0, finish(wide))
		})
		return out
	})
}

// stretch shows the gradient of a reduction in the shape of what was reduced.
// The gradient of a sum over all is stretched as it is, one number without
// dimensions; others get their dimensions back first. The strides differ where a
// dimension has one element, and with them whether a leaf takes the gradient
// over or copies it.
func stretch(g *tensor.Tensor, kept, shape []int) *tensor.Tensor {
	viewed := tensor.View(g, kept...)
	defer viewed.Drop()
	return tensor.Expand(viewed, shape...)
}

// Norm is the square root of the sum of all squares. It keeps its input and
// its result.
func (t *Tensor) Norm() *Tensor {
	return apply("LinalgVectorNormBackward0", []*Tensor{t}, func(o *operator) *tensor.Tensor {
		input, result := o.save(0), o.saveResult()
		o.backward(func(p *Pass, g *tensor.Tensor) {
			x, y := p.open(input), p.open(result)
			p.want(0, func() *tensor.Tensor { return normGrad(g, x, y) })
		})
		return tensor.Norm(t.raw)
	})
}

// normGrad is g * (x / y), and zero where y is.
func normGrad(g, x, y *tensor.Tensor) *tensor.Tensor {
	share := tensor.Map2("div", x, y)
	defer share.Drop()
	none := tensor.Test("eq_scalar", []*tensor.Tensor{y}, 0)
	defer none.Drop()
	tensor.Update("masked_fill", share, []*tensor.Tensor{share, none}, 0)
	return tensor.Map2("mul", g, share)
}

// Max is the largest element. It keeps its input and its result; its gradient
// is spread evenly over all elements that equal the result.
func (t *Tensor) Max() *Tensor { return t.extreme("MaxBackward1", tensor.Max) }

// Min is the smallest element.
func (t *Tensor) Min() *Tensor { return t.extreme("MinBackward1", tensor.Min) }

func (t *Tensor) extreme(name string, forward func(x *tensor.Tensor) *tensor.Tensor) *Tensor {
	return apply(name, []*Tensor{t}, func(o *operator) *tensor.Tensor {
		input, result := o.save(0), o.saveResult()
		o.backward(func(p *Pass, g *tensor.Tensor) {
			x, y := p.open(input), p.open(result)
			p.want(0, func() *tensor.Tensor { return evenly(g, x, y) })
		})
		return forward(t.raw)
	})
}

// evenly spreads g over the elements of x that equal y. What is not a number
// equals itself here, which takes two more masks.
func evenly(g, x, y *tensor.Tensor) *tensor.Tensor {
	mask := tensor.Test("eq", []*tensor.Tensor{x, y})
	defer mask.Drop()
	noNumber := tensor.Test("isnan", []*tensor.Tensor{y})
	defer noNumber.Drop()
	both := tensor.Test("isnan", []*tensor.Tensor{x})
	defer both.Drop()
	tensor.Update2("logical_and", both, noNumber)
	tensor.Update2("logical_or", mask, both)
	count := tensor.Sum(mask)
	defer count.Drop()
	share := tensor.Map2("div", g, count)
	defer share.Drop()
	return tensor.Map2("mul", mask, share)
}
