package autograd

import "github.com/torchmem/workbook/runtime/tensor"

// LayerNorm is torch.nn.functional.layer_norm over the last dimensions, whose
// sizes are given, with PyTorch's epsilon of 1e-5. weight and bias may be nil.
// It keeps its input, two numbers of each row, and the weight.
func LayerNorm(x Value, size []int, weight, bias Value) *Tensor {
	inputs := []*Tensor{ValueOf(x)}
	if weight != nil {
		inputs = append(inputs, ValueOf(weight), ValueOf(bias))
	}
	return apply("NativeLayerNormBackward0", inputs, func(o *operator) *tensor.Tensor {
		var rawWeight, rawBias *tensor.Tensor
		input, scale := o.save(0), (*Saved)(nil)
		if weight != nil {
			rawWeight, rawBias = o.raw(1), o.raw(2)
			scale = o.save(1)
		}
		out, norms := tensor.LayerNorm(o.raw(0), size, rawWeight, rawBias, 1e-5)
		defer norms.RStd.Drop()
		defer norms.Mean.Drop()
		o.make(out)
		mean, rstd := o.saveRaw(norms.Mean), o.saveRaw(norms.RStd)
		o.backward(func(p *Pass, g *tensor.Tensor) {
			x, w := p.open(input), p.open(scale)
			layerNormGrads(p, g, x, w, tensor.Norms{Mean: p.open(mean), RStd: p.open(rstd)}, size)
		})
		return out
	})
}

func layerNormGrads(p *Pass, g, x, weight *tensor.Tensor, norms tensor.Norms, size []int) {
	n := 1
	for _, d := range size {
		n *= d
	}
	p.want(0, func() *tensor.Tensor { return tensor.LayerNormBackward(g, x, weight, n, norms) })
	if weight == nil {
		return
	}
	p.want(1, func() *tensor.Tensor { return tensor.LayerNormWeightGrad(g, x, weight, norms) })
	p.want(2, func() *tensor.Tensor { return tensor.LayerNormBiasGrad(g, weight) })
}
