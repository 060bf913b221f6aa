package autograd

import (
	"fmt"

	"github.com/torchmem/workbook/runtime/tensor"
)

// MSELoss is torch.nn.functional.mse_loss: the mean of the squared
// differences. It keeps both sides. Its result is one number in a storage as
// large as the input: see [tensor.MSELoss].
func MSELoss(input, target Value) *Tensor {
	a, b := ValueOf(input), ValueOf(target)
	a.check()
	b.check()
	if tensor.Sizes(a.raw.Shape()) != tensor.Sizes(b.raw.Shape()) {
		a.ctx.warn(fmt.Sprintf("Using a target size (torch.Size(%s)) that is different to the input size (torch.Size(%s)). This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.",
			tensor.Sizes(b.raw.Shape()), tensor.Sizes(a.raw.Shape())))
	}
	return apply("MseLossBackward0", []*Tensor{a, b}, func(o *operator) *tensor.Tensor {
		first, second := o.save(0), o.save(1)
		o.backward(func(p *Pass, g *tensor.Tensor) {
			a, b := p.open(first), p.open(second)
			p.want(0, func() *tensor.Tensor { return tensor.MSELossBackward(g, a, b) })
			p.want(1, func() *tensor.Tensor { return tensor.MSELossBackward(g, b, a) })
		})
		return tensor.MSELoss(o.raw(0), o.raw(1))
	})
}

// CrossEntropy is torch.nn.functional.cross_entropy for a table of one row a
// sample and the number of each sample's class, as int64. It is two operators:
// log_softmax, whose result is as large as the input and stays until backward,
// and nll_loss.
func CrossEntropy(input, target Value) *Tensor {
	x, classes := ValueOf(input), ValueOf(target)
	x.check()
	classes.check()
	tensor.CheckClasses(x.raw, classes.raw)
	return x.ctx.Borrow(func() *Tensor { return nllLoss(x.LogSoftmax(1), classes) }, x, classes)
}

// nllLoss is the mean of what the rows say of their classes, sign turned.
func nllLoss(x, target *Tensor) *Tensor {
	return apply("NllLossBackward0", []*Tensor{x, target}, func(o *operator) *tensor.Tensor {
		rows, classes := o.save(0), o.save(1)
		out, weight := tensor.NLLLoss(o.raw(0), o.raw(1))
		defer weight.Drop()
		o.make(out)
		total := o.saveRaw(weight)
		o.backward(func(p *Pass, g *tensor.Tensor) {
			x, target := p.open(rows), p.open(classes)
			p.open(total)
			p.want(0, func() *tensor.Tensor { return tensor.NLLLossBackward(g, x, target) })
		})
		return out
	})
}
