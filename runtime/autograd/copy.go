package autograd

import (
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/tensor"
)

// Clone returns a copy in memory of its own.
func (t *Tensor) Clone() *Tensor {
	return t.copied("CloneBackward0", tensor.Clone, again)
}

// Contiguous returns the tensor itself where its elements lie in row-major
// order, and a copy in that order otherwise.
func (t *Tensor) Contiguous() *Tensor {
	t.check()
	if t.raw.Contiguous() {
		return t
	}
	return t.copied("CloneBackward0", tensor.Contiguous, again)
}

// Cuda returns the tensor on the GPU: itself where it lies there already.
func (t *Tensor) Cuda() *Tensor { return t.to(t.ctx.NeedGPU()) }

// CPU returns the tensor on the CPU: itself where it lies there already. The
// copy is recorded like any operator: it keeps the graph, and with it GPU
// memory, unless the tensor is detached first.
func (t *Tensor) CPU() *Tensor { return t.to(t.ctx.CPU) }

func (t *Tensor) to(d *tensor.Device) *Tensor {
	t.check()
	from := t.raw.Device()
	if from == d {
		return t
	}
	return t.copied("ToCopyBackward0",
		func(x *tensor.Tensor) *tensor.Tensor { return tensor.Move(x, d) },
		func(g *tensor.Tensor) *tensor.Tensor { return tensor.Move(g, from) })
}

// Double returns the elements as float64.
func (t *Tensor) Double() *Tensor { return t.convert(gpu.Float64) }

// Float returns the elements as float32.
func (t *Tensor) Float() *Tensor { return t.convert(gpu.Float32) }

func (t *Tensor) convert(to gpu.DType) *Tensor {
	t.check()
	from := t.raw.DType()
	if from == to {
		return t
	}
	return t.copied("ToCopyBackward0",
		func(x *tensor.Tensor) *tensor.Tensor { return tensor.Convert(x, to) },
		func(g *tensor.Tensor) *tensor.Tensor { return tensor.Convert(g, from) })
}

// copied is an operator that moves elements and keeps nothing for backward.
func (t *Tensor) copied(name string, forward, backward func(x *tensor.Tensor) *tensor.Tensor) *Tensor {
	return apply(name, []*Tensor{t}, func(o *operator) *tensor.Tensor {
		o.backward(fromGrad(backward))
		return forward(t.raw)
	})
}

// MoveTo moves a leaf and its gradient to another device: it stays the same
// variable, with other memory. This is what moving a module does to each of
// its parameters.
func (t *Tensor) MoveTo(d *tensor.Device) {
	t.check()
	if t.raw.Device() == d {
		return
	}
	t.raw.Rehouse(tensor.Move(t.raw, d))
	t.accumulator = nil // a graph that has it recorded the old device
	if t.grad != nil {
		t.grad.MoveTo(d)
	}
}
