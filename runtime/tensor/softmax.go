package tensor

import "github.com/torchmem/workbook/runtime/gpu"

// Softmax turns the rows along a dimension into shares that add up to one.
func Softmax(x *Tensor, d int) *Tensor { return rowwise("softmax", x, d) }

// LogSoftmax is the logarithm of Softmax.
func LogSoftmax(x *Tensor, d int) *Tensor { return rowwise("log_softmax", x, d) }

func rowwise(kernel string, x *Tensor, d int) *Tensor {
	d = x.Dimension(d)
	x.mustBeFloat("host_softmax")
	out := Empty(x.Device(), x.dtype, x.shape...)
	return finish(out, func() { along(out, kernel, d, x) })
}

// SoftmaxBackward is the gradient of Softmax's input, where g is that of the
// result y. The product of the two is a temporary.
func SoftmaxBackward(g, y *Tensor, d int) *Tensor {
	out := Empty(g.Device(), g.dtype, g.shape...)
	return finish(out, func() {
		product := Map2("mul", g, y)
		defer product.Drop()
		along(out, "softmax_backward", y.Dimension(d), product, y)
	})
}

// LogSoftmaxBackward is the gradient of LogSoftmax's input, where g is that of
// the result y.
func LogSoftmaxBackward(g, y *Tensor, d int) *Tensor {
	out := Empty(g.Device(), g.dtype, g.shape...)
	return finish(out, func() { along(out, "log_softmax_backward", y.Dimension(d), g, y) })
}

// along launches a kernel of rows that lie along the dimension d. Operands that
// are not in row-major order are copied first.
func along(out *Tensor, kernel string, d int, in ...*Tensor) {
	k := gpu.Kernel{Name: kernel, Out: out.last(d)}
	for _, x := range in {
		x = Contiguous(x)
		defer x.Drop()
		k.In = append(k.In, x.last(d))
	}
	out.Device().launch(k)
}

// last shows the tensor to a kernel with the dimension d as the last.
func (x *Tensor) last(d int) gpu.Operand {
	o := x.operand()
	if len(x.shape) > 0 {
		o.Shape = append(without(x.shape, d), x.shape[d])
		o.Stride = append(without(x.stride, d), x.stride[d])
	}
	return o
}

// mustBeFloat refuses integers, with the name of PyTorch's kernel.
func (x *Tensor) mustBeFloat(kernel string) {
	if !IsFloat(x.dtype) {
		RaiseUnsupported("\"%s\" not implemented for '%s'", kernel, TypeWord(x.dtype))
	}
}
