package autograd

import (
	"strconv"

	"github.com/torchmem/workbook/runtime/tensor"
)

// Number is a Python number that came from a tensor. It holds no memory of the
// device. On the simulated device it is computed when it is read. The zero value
// is 0.
type Number struct{ read func() float64 }

// NumberOf returns a number that is known.
func NumberOf(x float64) Number { return Number{func() float64 { return x }} }

// Float64 reads the number.
func (n Number) Float64() float64 {
	if n.read == nil {
		return 0
	}
	return n.read()
}

// String reads the number and prints it.
func (n Number) String() string { return strconv.FormatFloat(n.Float64(), 'g', 6, 64) }

// Plus returns the sum of two numbers, which is a number: nothing of the
// device is involved any more.
func (n Number) Plus(m Number) Number {
	return Number{func() float64 { return n.Float64() + m.Float64() }}
}

// Item is x.item(): the only element, as a number.
func (t *Tensor) Item() Number {
	t.check()
	if t.raw.Elements() != 1 {
		tensor.Raise("a Tensor with %d elements cannot be converted to Scalar", t.raw.Elements())
	}
	read := t.read()
	t.consume()
	return Number{func() float64 { return read()[0] }}
}

// Values reads the elements in row-major order.
func (t *Tensor) Values() []float64 {
	t.check()
	defer t.consume()
	return t.read()()
}

// read returns a function that reads the elements. What lies on a GPU takes
// memory of the CPU then.
func (t *Tensor) read() func() []float64 {
	if t.raw.Device().IsGPU() {
		t.ctx.CPU.Took(t.raw.Bytes())
	}
	return tensor.Later(t.raw)
}
