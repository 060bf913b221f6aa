package autograd_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/autograd"
	"github.com/torchmem/workbook/runtime/tensor"
)

// program is a program without a GPU. What it makes is held to the end, and
// then nothing may be left.
type program struct {
	*autograd.Context
	t *testing.T
}

const held = tensor.Role("the test")

func newProgram(t *testing.T) *program {
	live := &tensor.Registry{}
	p := &program{autograd.NewContext(live, tensor.NewCPU(live), nil), t}
	t.Cleanup(func() {
		if t.Failed() {
			return
		}
		p.DropTemporaries()
		for _, x := range live.Tensors() {
			for x.Alive() && x.References() > 0 && x.Holders()[0] == held.Holder() {
				x.Release(held)
			}
		}
		require.Zero(t, live.Count(), "tensors are left")
	})
	return p
}

// keep gives the tensor an owner.
func (p *program) keep(x *autograd.Tensor) *autograd.Tensor { return x.Own(held) }

// floats returns a float32 tensor of the numbers, which must be such.
func (p *program) floats(numbers []float64, shape ...int) *autograd.Tensor {
	list := make([]float32, len(numbers))
	for i, x := range numbers {
		list[i] = float32(x)
		require.Equal(p.t, x, float64(list[i]), "not a float32")
	}
	return p.Wrap(tensor.FromFloat32(p.CPU, list, shape...))
}

// leaf returns a tensor that requires a gradient and is held.
func (p *program) leaf(numbers []float64, shape ...int) *autograd.Tensor {
	return p.keep(p.floats(numbers, shape...).RequiresGrad_())
}

// count returns the number of elements of a shape.
func count(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// numbers returns n different numbers between low and high, in no order, that
// are multiples of step, a power of two.
func numbers(n int, seed uint64, low, high, step float64) []float64 {
	list := make([]float64, n)
	x := seed*2654435761 + 12345
	for i := range list {
		x = x*6364136223846793005 + 1442695040888963407
		share := float64(x>>40) / (1 << 24)
		list[i] = math.Round((low+share*(high-low))/step) * step
	}
	return list
}
