package tensor

import (
	"slices"

	"github.com/torchmem/workbook/runtime/gpu"
)

// Norms are the two numbers of each row that a layer norm keeps: the mean, and
// one over the standard deviation.
type Norms struct{ Mean, RStd *Tensor }

// LayerNorm brings each row, which is all elements along the last dimensions,
// whose sizes are given, to a mean of zero and a deviation of one. weight and
// bias, unless they are nil, are applied after that.
func LayerNorm(x *Tensor, size []int, weight, bias *Tensor, epsilon float64) (out *Tensor, kept Norms) {
	x.checkRows(size)
	x.mustBeFloat("LayerNormKernelImpl")
	x = Contiguous(x)
	defer x.Drop()
	n := elements(size)
	out = EmptyLike(x)
	finish(out, func() {
		kept.Mean = Empty(x.Device(), x.dtype, x.Elements()/max(n, 1))
		finish(kept.Mean, func() { kept.RStd = EmptyLike(kept.Mean) })
	})
	d := x.Device()
	d.run("row_mean", kept.Mean.operand(), nil, x.rows(n))
	d.run("row_rstd", kept.RStd.operand(), []float64{epsilon}, x.rows(n))
	in := []gpu.Operand{x.rows(n), kept.Mean.perRow(n), kept.RStd.perRow(n)}
	if weight != nil {
		weight, bias = Contiguous(weight), Contiguous(bias)
		defer weight.Drop()
		defer bias.Drop()
		in = append(in, weight.perColumn(x, n), bias.perColumn(x, n))
	}
	d.run("layer_norm", out.rows(n), nil, in...)
	return out, kept
}

// LayerNormBackward is the gradient of LayerNorm's input x, where g is that of
// its result.
func LayerNormBackward(g, x, weight *Tensor, n int, kept Norms) *Tensor {
	out := Empty(x.Device(), x.dtype, x.shape...)
	return finish(out, func() {
		in, drop := kept.operands(g, x, n)
		defer drop()
		if weight != nil {
			weight := Contiguous(weight)
			defer weight.Drop()
			in = append(in, weight.perColumn(x, n))
		}
		x.Device().run("layer_norm_backward", out.rows(n), nil, in...)
	})
}

// LayerNormWeightGrad is the gradient of the weight, in the shape of the
// weight.
func LayerNormWeightGrad(g, x, weight *Tensor, kept Norms) *Tensor {
	out := Empty(weight.Device(), weight.dtype, weight.shape...)
	return finish(out, func() {
		in, drop := kept.operands(g, x, weight.Elements())
		defer drop()
		x.Device().run("layer_norm_weight", out.operand(), nil, in...)
	})
}

// LayerNormBiasGrad is the gradient of the bias, in the shape of the weight. It
// takes no scratch memory: the kernel that adds up is the weight's.
func LayerNormBiasGrad(g, weight *Tensor) *Tensor {
	n := weight.Elements()
	out := Empty(weight.Device(), weight.dtype, weight.shape...)
	return finish(out, func() {
		g := Contiguous(g)
		defer g.Drop()
		o := out.operand()
		o.Shape, o.Stride = []int{1, n}, []int{n, 1}
		g.Device().run("sum", o, []float64{1}, g.rows(n))
	})
}

// operands shows g, x and what was kept of it to a kernel, and returns what
// ends the copies that this takes.
func (k Norms) operands(g, x *Tensor, n int) (in []gpu.Operand, drop func()) {
	g, x = Contiguous(g), Contiguous(x)
	in = []gpu.Operand{g.rows(n), x.rows(n), k.Mean.perRow(n), k.RStd.perRow(n)}
	return in, func() { x.Drop(); g.Drop() }
}

// checkRows refuses sizes that are not those of the last dimensions.
func (x *Tensor) checkRows(size []int) {
	lead := len(x.shape) - len(size)
	if lead < 0 || !slices.Equal(x.shape[lead:], size) {
		Raise("Given normalized_shape=%s, expected input with shape [*, %s], but got input of size%s",
			Sizes(size), join(size, ", "), Sizes(x.shape))
	}
}

// rows shows a contiguous tensor as rows of n elements.
func (x *Tensor) rows(n int) gpu.Operand { return x.shown([]int{x.Elements() / max(n, 1), n}, n, 1) }

// perRow shows one number for each row of n elements.
func (x *Tensor) perRow(n int) gpu.Operand { return x.shown([]int{x.Elements(), n}, 1, 0) }

// perColumn shows a row of n elements once for each row of like.
func (x *Tensor) perColumn(like *Tensor, n int) gpu.Operand {
	return x.shown([]int{like.Elements() / max(n, 1), n}, 0, 1)
}

func (x *Tensor) shown(shape []int, stride ...int) gpu.Operand {
	o := x.operand()
	o.Shape, o.Stride = shape, stride
	return o
}

// run launches a kernel on operands.
func (d *Device) run(kernel string, out gpu.Operand, scalars []float64, in ...gpu.Operand) {
	d.launch(gpu.Kernel{Name: kernel, Out: out, In: in, Scalars: scalars})
}
