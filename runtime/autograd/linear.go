package autograd

import (
	"slices"

	"github.com/torchmem/workbook/runtime/tensor"
)

// Linear is torch.nn.functional.linear: x @ weight.T + bias, with a bias or
// with nil. It is two operators: the transposed weight, a view, and the
// product. The product keeps x, which is why a Linear cannot do without its
// input until backward. An x of more than two dimensions is shown as a matrix
// of all its rows.
func Linear(x, weight, bias Value) *Tensor {
	if shape := ValueOf(x).Shape(); len(shape) > 2 {
		return linearOfRows(ValueOf(x), weight, bias)
	}
	if bias == nil {
		return ValueOf(x).MatMul(ValueOf(weight).T())
	}
	inputs := []*Tensor{ValueOf(bias), ValueOf(x), ValueOf(weight).T()}
	return apply("AddmmBackward0", inputs, func(o *operator) *tensor.Tensor {
		first, second := o.saveFor(2, 1), o.saveFor(1, 2)
		left, right := leftRule(o.raw(1)), rightRule(o.raw(2))
		o.backward(func(p *Pass, g *tensor.Tensor) {
			a, b := p.open(first), p.open(second)
			p.want(1, func() *tensor.Tensor { return left(g, b) })
			p.want(2, func() *tensor.Tensor { return right(g, a) })
			p.want(0, same(g))
		})
		return tensor.AddMM(o.raw(0), o.raw(1), o.raw(2))
	})
}

// linearOfRows is Linear for an x of more than two dimensions. Where x must be
// copied to show it as a matrix, PyTorch adds the bias in a step of its own.
func linearOfRows(x *Tensor, weight, bias Value) *Tensor {
	last := len(x.raw.Shape()) - 1
	shape := append(slices.Clone(x.raw.Shape()[:last]), ValueOf(weight).Shape()[0])
	whole := x.raw.Contiguous()
	return x.ctx.Borrow(func() *Tensor {
		rows := x.Reshape(-1, x.raw.Shape()[last])
		if whole && bias != nil {
			return Linear(rows, weight, bias).View(shape...)
		}
		out := rows.MatMul(ValueOf(weight).T()).unsafeView(shape...)
		if bias != nil {
			out.Add_(bias)
		}
		return out
	}, x)
}
