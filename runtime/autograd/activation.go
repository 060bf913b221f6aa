package autograd

import "github.com/torchmem/workbook/runtime/tensor"

// Relu is torch.relu. It keeps its result.
func (t *Tensor) Relu() *Tensor {
	return apply("ReluBackward0", []*Tensor{t}, func(o *operator) *tensor.Tensor {
		o.backward(fromSaved(o.saveResult(), mapped2("relu_backward")))
		return tensor.Map("relu", t.raw)
	})
}

// Gelu is torch.nn.functional.gelu. It keeps its input.
func (t *Tensor) Gelu() *Tensor {
	return t.fromInput("GeluBackward0", "gelu", mapped2("gelu_backward"))
}

// Silu is torch.nn.functional.silu. It keeps its input.
func (t *Tensor) Silu() *Tensor {
	return t.fromInput("SiluBackward0", "silu", mapped2("silu_backward"))
}

// LeakyRelu is torch.nn.functional.leaky_relu: below zero the slope is the
// number, which is 0.01 by default in PyTorch. It keeps its input.
func (t *Tensor) LeakyRelu(slope float64) *Tensor {
	return apply("LeakyReluBackward0", []*Tensor{t}, func(o *operator) *tensor.Tensor {
		o.backward(fromSaved(o.save(0), func(g, x *tensor.Tensor) *tensor.Tensor {
			return tensor.Map2("leaky_relu_backward", g, x, slope)
		}))
		return tensor.MapScalar("leaky_relu", t.raw, slope)
	})
}

// ClampMin is x.clamp(min=low). It keeps its input; backward makes a mask of a
// byte an element.
func (t *Tensor) ClampMin(low float64) *Tensor {
	return t.clamped([]string{"clamp_min"}, []string{"ge_scalar"}, low)
}

// ClampMax is x.clamp(max=high).
func (t *Tensor) ClampMax(high float64) *Tensor {
	return t.clamped([]string{"clamp_max"}, []string{"le_scalar"}, high)
}

// Clamp is x.clamp(low, high).
func (t *Tensor) Clamp(low, high float64) *Tensor {
	return t.clamped([]string{"clamp_min", "clamp_max"}, []string{"ge_scalar", "le_scalar"}, low, high)
}

// clamped stops at limits. Each has a kernel, and a test that tells where the
// gradient passes.
func (t *Tensor) clamped(kernels, tests []string, limits ...float64) *Tensor {
	return apply("ClampBackward1", []*Tensor{t}, func(o *operator) *tensor.Tensor {
		o.backward(fromSaved(o.save(0), func(g, x *tensor.Tensor) *tensor.Tensor {
			zero := tensor.Full(g.Device(), g.DType(), 0)
			defer zero.Drop()
			inside := tensor.Test(tests[0], []*tensor.Tensor{x}, limits[0])
			defer inside.Drop()
			for i := 1; i < len(tests); i++ {
				more := tensor.Test(tests[i], []*tensor.Tensor{x}, limits[i])
				tensor.Update2("logical_and", inside, more)
				defer more.Drop()
			}
			return tensor.Where(inside, g, zero)
		}))
		out := o.make(tensor.MapScalar(kernels[0], t.raw, limits[0]))
		for i := 1; i < len(kernels); i++ {
			tensor.UpdateScalar(kernels[i], out, limits[i])
		}
		return out
	})
}

// Softmax is torch.softmax along a dimension. It keeps its result.
func (t *Tensor) Softmax(dim int) *Tensor {
	return apply("SoftmaxBackward0", []*Tensor{t}, func(o *operator) *tensor.Tensor {
		o.backward(fromSaved(o.saveResult(), func(g, y *tensor.Tensor) *tensor.Tensor {
			return tensor.SoftmaxBackward(g, y, dim)
		}))
		return tensor.Softmax(t.raw, dim)
	})
}

// LogSoftmax is torch.log_softmax along a dimension. It keeps its result.
func (t *Tensor) LogSoftmax(dim int) *Tensor {
	return apply("LogSoftmaxBackward0", []*Tensor{t}, func(o *operator) *tensor.Tensor {
		o.backward(fromSaved(o.saveResult(), func(g, y *tensor.Tensor) *tensor.Tensor {
			return tensor.LogSoftmaxBackward(g, y, dim)
		}))
		return tensor.LogSoftmax(t.raw, dim)
	})
}
