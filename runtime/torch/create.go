package torch

import (
	"github.com/torchmem/workbook/runtime/autograd"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/tensor"
)

// DType is the type of one element.
type DType = gpu.DType

// The element types.
const (
	Float32 = gpu.Float32
	Float64 = gpu.Float64
	Int64   = gpu.Int64
	Uint8   = gpu.Uint8
	Bool    = gpu.Bool
)

// Randn returns a CPU tensor of draws from the standard normal distribution.
func (t *Torch) Randn(shape ...int) *Tensor { return t.ctx.Wrap(tensor.Randn(t.ctx.CPU, shape...)) }

// Rand returns a CPU tensor of draws from [0, 1).
func (t *Torch) Rand(shape ...int) *Tensor { return t.ctx.Wrap(tensor.Rand(t.ctx.CPU, shape...)) }

// Zeros returns a CPU tensor of zeros.
func (t *Torch) Zeros(shape ...int) *Tensor { return t.Full(0, shape...) }

// Ones returns a CPU tensor of ones.
func (t *Torch) Ones(shape ...int) *Tensor { return t.Full(1, shape...) }

// Full returns a CPU tensor of one number.
func (t *Torch) Full(number float64, shape ...int) *Tensor {
	return t.ctx.Full(number, shape...)
}

// Tensor returns a CPU tensor of the numbers, in row-major order.
func (t *Torch) Tensor(numbers []float32, shape ...int) *Tensor {
	return t.ctx.Wrap(tensor.FromFloat32(t.ctx.CPU, numbers, shape...))
}

// OnesLike returns ones in the shape of x, on its device.
func (t *Torch) OnesLike(x Value) *Tensor {
	return t.ctx.Borrow(func() *Tensor { return t.ctx.Wrap(tensor.FullLike(x.Value().Raw(), 1)) }, x)
}

// Scalar returns a Python number as a tensor of no dimensions on the CPU. With
// a GPU tensor it acts as the number.
func (t *Torch) Scalar(number float64) *Tensor { return t.Full(number) }

// NumberOf returns a Python number.
func NumberOf(x float64) Number { return autograd.NumberOf(x) }
