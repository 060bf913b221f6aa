package tensor

import (
	"fmt"

	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/host"
)

// Empty returns a tensor whose elements nobody has set. A negative size, and a
// shape whose bytes overflow, panic with an Error.
func Empty(d *Device, t gpu.DType, shape ...int) *Tensor {
	return emptyStrided(d, t, shape, rowMajor(shape))
}

// emptyStrided returns a new dense tensor with the strides given.
func emptyStrided(d *Device, t gpu.DType, shape, stride []int) *Tensor {
	checkShape(shape, t.Size())
	s := newStorage(d, int64(elements(shape))*t.Size())
	return newTensor(s, t, shape, stride, 0)
}

// emptyOf returns a tensor of another type that lies as x does.
func emptyOf(t gpu.DType, x *Tensor) *Tensor {
	return emptyStrided(x.Device(), t, x.shape, strideLike(x))
}

// EmptyLike returns a tensor of the same shape, type and device. It keeps the
// order of dimensions in memory.
func EmptyLike(x *Tensor) *Tensor { return emptyOf(x.dtype, x) }

// finish runs what completes a new tensor and returns it. Where that panics,
// for want of memory, the tensor ends.
func finish(out *Tensor, complete func()) *Tensor {
	done := false
	defer func() {
		if !done {
			out.Drop()
		}
	}()
	complete()
	done = true
	return out
}

// Full returns a tensor of one number.
func Full(d *Device, t gpu.DType, number float64, shape ...int) *Tensor {
	return Fill(Empty(d, t, shape...), number)
}

// FullLike returns a tensor of one number in the shape of x.
func FullLike(x *Tensor, number float64) *Tensor { return Fill(EmptyLike(x), number) }

// Fill sets every element of x and returns x.
func Fill(x *Tensor, number float64) *Tensor {
	x.Device().launch(gpu.Kernel{Name: "fill", Out: x.operand(), Scalars: []float64{number}})
	return x
}

// Randn returns a tensor of draws from the standard normal distribution.
func Randn(d *Device, shape ...int) *Tensor {
	x := Empty(d, gpu.Float32, shape...)
	return draw(x, "randn", 2*x.Elements())
}

// Rand returns a tensor of draws from [0, 1).
func Rand(d *Device, shape ...int) *Tensor {
	x := Empty(d, gpu.Float32, shape...)
	return draw(x, "rand", x.Elements())
}

// Bernoulli returns a bool tensor in the shape of x whose elements are true
// with the probability p.
func Bernoulli(x *Tensor, p float64) *Tensor {
	mask := emptyOf(gpu.Bool, x)
	return draw(mask, "bernoulli", mask.Elements(), p)
}

// draw fills x with n draws of its device's generator.
func draw(x *Tensor, kernel string, n int, scalars ...float64) *Tensor {
	state := x.Device().generator.take(n)
	x.Device().launch(gpu.Kernel{
		Name: kernel, Out: x.operand(), Scalars: scalars, Seed: state.Seed, Draw: state.Draw,
	})
	return x
}

// FromFloat32 returns a CPU tensor of the numbers, in row-major order.
func FromFloat32(cpu *Device, numbers []float32, shape ...int) *Tensor {
	checkShape(shape, gpu.Float32.Size())
	if elements(shape) != len(numbers) {
		Raise("shape '%s' is invalid for input of size %d", Sizes(shape), len(numbers))
	}
	x := Empty(cpu, gpu.Float32, shape...)
	if err := cpu.compute.Upload(x.storage.ptr, host.FromFloat32(numbers), 0); err != nil {
		panic(fmt.Errorf("tensor: upload of %s: %w", x, err))
	}
	return x
}
