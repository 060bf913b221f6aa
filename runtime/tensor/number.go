package tensor

import "github.com/torchmem/workbook/runtime/gpu"

// A tensor without dimensions on the CPU is a number: it may join tensors on a
// GPU in any elementwise operator. The kernel takes it as an argument, by value,
// so it needs no memory of the device. To a graph it is a tensor like any other.

// isNumber tells a tensor that a kernel of any device takes as an argument.
func (x *Tensor) isNumber() bool { return len(x.shape) == 0 && !x.Device().IsGPU() }

// mustReach refuses operands that a kernel on the device cannot read.
func (d *Device) mustReach(operands ...*Tensor) {
	for _, x := range operands {
		if !x.isNumber() {
			d.mustHave(x)
		}
	}
}

// argument returns a number of the CPU as an operand that travels with a launch.
func (x *Tensor) argument(stretched gpu.Operand) gpu.Operand {
	stretched.Base, stretched.Offset, stretched.Number = 0, 0, x.array()
	return stretched
}
