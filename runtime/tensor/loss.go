package tensor

import "github.com/torchmem/workbook/runtime/gpu"

// MSELoss returns the mean of the squared differences. The result is one
// element, but its storage is that of all differences: PyTorch allocates it
// for them, and shrinks the shape and not the storage. They are computed in a
// second tensor.
func MSELoss(a, b *Tensor) *Tensor {
	out := differences(a, b)
	finish(out, func() {
		squares := differences(a, b)
		defer squares.Drop()
		mapInto(squares, "mse", []*Tensor{a, b})
		n := float64(squares.Elements())
		reduceInto(out.scalar(), "sum", squares, KeepDims(squares, nil), 1/n)
	})
	return out
}

// differences returns a tensor with room for a - b.
func differences(a, b *Tensor) *Tensor {
	shape := broadcast(a.shape, b.shape)
	d := deviceOf(a, b)
	d.mustHave(a, b)
	return emptyStrided(d, promote(a, b), shape, outputStride(shape, a, b))
}

// scalar shrinks the shape of a new tensor to that of one element.
func (x *Tensor) scalar() *Tensor {
	x.shape, x.stride = []int{}, []int{}
	return x
}

// MSELossBackward is the gradient of a, where g is that of the loss.
func MSELossBackward(g, a, b *Tensor) *Tensor {
	out := Empty(a.Device(), a.dtype, broadcast(a.shape, b.shape)...)
	return mapInto(out, "mse_backward", []*Tensor{g, a, b}, 2/float64(out.Elements()))
}

// NLLLoss returns the mean of what a table of logarithms, one row a sample,
// says of each sample's class, with the sign turned. The second result is the
// number of samples, which PyTorch keeps as a tensor.
func NLLLoss(x, target *Tensor) (out, weight *Tensor) {
	out = Empty(x.Device(), x.dtype)
	finish(out, func() { weight = Full(x.Device(), x.dtype, float64(target.Elements())) })
	return mapRows(out, "nll_loss", x, target), weight
}

// NLLLossBackward is the gradient of x, where g is that of the loss.
func NLLLossBackward(g, x, target *Tensor) *Tensor {
	return mapRows(Empty(x.Device(), x.dtype, x.shape...), "nll_loss_backward", g, target)
}

// mapRows launches a kernel whose operands keep their own shapes.
func mapRows(out *Tensor, kernel string, in ...*Tensor) *Tensor {
	k := gpu.Kernel{Name: kernel, Out: out.operand()}
	for _, x := range in {
		k.In = append(k.In, x.operand())
	}
	out.Device().launch(k)
	return out
}

// CheckClasses refuses classes that do not fit a table of one row a sample.
func CheckClasses(x, target *Tensor) {
	switch {
	case len(x.shape) != 2 || len(target.shape) != 1:
		Raise("cross_entropy: this workbook takes a table of one row a sample and a class for each, not %s and %s", Sizes(x.shape), Sizes(target.shape))
	case x.shape[0] != target.shape[0]:
		RaiseValue("Expected input batch_size (%d) to match target batch_size (%d).", x.shape[0], target.shape[0])
	case target.dtype != gpu.Int64:
		Raise("expected scalar type Long but found %s", TypeWord(target.dtype))
	}
	sameDeviceIn("nll_loss_forward", parameter{"self", x}, parameter{"target", target})
}
