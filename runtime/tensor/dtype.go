package tensor

import (
	"math"
	"slices"

	"github.com/torchmem/workbook/runtime/gpu"
)

// IsFloat tells the types that hold fractions.
func IsFloat(t gpu.DType) bool { return t == gpu.Float32 || t == gpu.Float64 }

// TypeWord is the name of an element type in PyTorch's messages.
func TypeWord(t gpu.DType) string {
	switch t {
	case gpu.Float64:
		return "Double"
	case gpu.Int64:
		return "Long"
	case gpu.Uint8:
		return "Byte"
	case gpu.Bool:
		return "Bool"
	default:
		return "Float"
	}
}

// TypeName is the old name of the tensor's type that PyTorch's messages still
// use, such as torch.cuda.FloatTensor.
func (x *Tensor) TypeName() string {
	if x.Device().IsGPU() {
		return "torch.cuda." + TypeWord(x.dtype) + "Tensor"
	}
	return "torch." + TypeWord(x.dtype) + "Tensor"
}

// floating returns the type itself, or float32 for a type that holds no
// fractions.
func floating(t gpu.DType) gpu.DType {
	if IsFloat(t) {
		return t
	}
	return gpu.Float32
}

// promote returns the wider of two tensors' types. A tensor of no dimensions
// counts only where it is of another kind.
func promote(a, b *Tensor) gpu.DType {
	if kind(a.dtype) == kind(b.dtype) && (len(a.shape) == 0) != (len(b.shape) == 0) {
		if len(a.shape) == 0 {
			return b.dtype
		}
		return a.dtype
	}
	order := []gpu.DType{gpu.Bool, gpu.Uint8, gpu.Int64, gpu.Float32, gpu.Float64}
	return order[max(slices.Index(order, a.dtype), slices.Index(order, b.dtype))]
}

// kind is what counts before the width: truth values, integers, fractions.
func kind(t gpu.DType) int {
	switch {
	case IsFloat(t):
		return 2
	case t == gpu.Bool:
		return 0
	}
	return 1
}

// besideNumbers returns the type of what a kernel makes of a tensor of type t
// and some numbers.
func besideNumbers(t gpu.DType, kernel string, numbers []float64) gpu.DType {
	fraction := func(x float64) bool { return x != math.Trunc(x) }
	switch {
	case IsFloat(t):
		return t
	case kernel == "div_scalar" || slices.ContainsFunc(numbers, fraction):
		return gpu.Float32
	case t == gpu.Bool && len(numbers) > 0:
		return gpu.Int64
	}
	return t
}
