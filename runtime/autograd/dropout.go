package autograd

import (
	"github.com/torchmem/workbook/runtime/python"
	"github.com/torchmem/workbook/runtime/tensor"
)

// Dropout sets each element to zero with the probability p and scales the
// others up, as in training. It keeps the mask, one byte an element, and not
// its input. A p of 0 returns the tensor itself, a p of 1 is a product with
// zero.
func (t *Tensor) Dropout(p float64) *Tensor {
	CheckDropout(p)
	t.check()
	switch {
	case p == 0 || t.raw.Elements() == 0:
		return t
	case p == 1:
		return t.Mul(t.ctx.Wrap(tensor.Full(t.raw.Device(), t.raw.DType(), 0)))
	}
	scale := 1 / (1 - p)
	return apply("NativeDropoutBackward0", []*Tensor{t}, func(o *operator) *tensor.Tensor {
		mask := tensor.Bernoulli(t.raw, 1-p)
		defer mask.Drop()
		out := o.make(tensor.Map2("dropout", t.raw, mask, scale))
		o.backward(fromSaved(o.saveRaw(mask), func(g, mask *tensor.Tensor) *tensor.Tensor {
			return tensor.Map2("dropout", g, mask, scale)
		}))
		return out
	})
}

// CheckDropout refuses what is no probability.
func CheckDropout(p float64) {
	if !(p >= 0 && p <= 1) {
		tensor.RaiseValue("dropout probability has to be between 0 and 1, but got %s", python.Float(p))
	}
}
