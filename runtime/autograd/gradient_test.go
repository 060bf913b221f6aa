package autograd_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/autograd"
)

// layout is how the inputs of a formula lie in memory.
type layout struct {
	name string
	make func(x *autograd.Tensor) *autograd.Tensor
}

var layouts = []layout{
	{"row-major", func(x *autograd.Tensor) *autograd.Tensor { return x.Mul(1) }},
	{"column-major", func(x *autograd.Tensor) *autograd.Tensor {
		if len(x.Shape()) != 2 {
			return x.Mul(1)
		}
		return x.T().Clone().Contiguous().T()
	}},
	{"with gaps", func(x *autograd.Tensor) *autograd.Tensor {
		return x.Context().Stack(-1, x, x.Mul(7)).Select(-1, 0)
	}},
}

// step is half the distance of the two points of a difference.
const step = 1.0 / (1 << 12)

// TestGradients compares the gradient of every operator with the difference of
// its values around the point, in float64.
func TestGradients(t *testing.T) {
	for _, f := range formulas {
		if f.low == f.high {
			f.low, f.high = 0.5, 2
		}
		for _, shapes := range f.shapes {
			t.Run(fmt.Sprintf("%s %v", f.name, shapes), func(t *testing.T) {
				for _, weighted := range []bool{true, false} {
					testGradient(t, f, shapes, weighted)
				}
			})
		}
	}
}

// testGradient compares the gradients of the sum of the formula's result,
// weighted or not: the gradient that starts backward then is a whole tensor or
// a single number, stretched.
func testGradient(t *testing.T, f formula, shapes [][]int, weighted bool) {
	p := newProgram(t)
	points := make([][]float64, len(shapes))
	leaves := make([]*autograd.Tensor, len(shapes))
	for i, shape := range shapes {
		points[i] = numbers(count(shape), uint64(i+1), f.low, f.high, 2*step)
		leaves[i] = p.keep(p.floats(points[i], shape...).Double().Detach().RequiresGrad_())
	}
	f.loss(p, leaves, weighted).Backward()
	for i, shape := range shapes {
		got := leaves[i].Grad().Detach().Values()
		require.Equal(t, shape, append([]int{}, leaves[i].Grad().Shape()...))
		for j := range points[i] {
			want := f.difference(p, points, shapes, i, j, weighted)
			require.InDelta(t, want, got[j], 1e-5*math.Max(1, math.Abs(want)), "input %d, element %d, weighted %v", i, j, weighted)
		}
	}
}

// loss is the sum of the formula's result.
func (f formula) loss(p *program, in []*autograd.Tensor, weighted bool) *autograd.Tensor {
	y := f.f(p, in)
	if !weighted {
		return y.Sum()
	}
	w := p.floats(numbers(count(y.Shape()), 99, -1, 1, 1.0/64), y.Shape()...)
	return y.Mul(w).Sum()
}

// difference is the slope of the loss along the j-th element of the i-th input.
func (f formula) difference(p *program, points [][]float64, shapes [][]int, i, j int, weighted bool) float64 {
	at := func(shift float64) float64 {
		in := make([]*autograd.Tensor, len(shapes))
		for k, shape := range shapes {
			list := append([]float64{}, points[k]...)
			if k == i {
				list[j] += shift
			}
			in[k] = p.keep(p.floats(list, shape...).Double())
		}
		defer func() {
			for _, x := range in {
				x.Disown(held)
			}
		}()
		var value float64
		p.NoGrad(func() { value = f.loss(p, in, weighted).Values()[0] })
		return value
	}
	return (at(step) - at(-step)) / (2 * step)
}

// TestLayouts compares gradients in float32, with inputs that lie in several
// ways, with those of the plain formula in float64.
func TestLayouts(t *testing.T) {
	for _, f := range formulas {
		if f.low == f.high {
			f.low, f.high = 0.5, 2
		}
		for _, l := range layouts {
			t.Run(f.name+" "+l.name, func(t *testing.T) {
				p := newProgram(t)
				for _, shapes := range f.shapes {
					testLayout(t, p, f, l, shapes)
				}
			})
		}
	}
}

func testLayout(t *testing.T, p *program, f formula, l layout, shapes [][]int) {
	single, double := make([]*autograd.Tensor, len(shapes)), make([]*autograd.Tensor, len(shapes))
	laid := make([]*autograd.Tensor, len(shapes))
	for i, shape := range shapes {
		list := numbers(count(shape), uint64(i+1), f.low, f.high, 1.0/256)
		single[i] = p.leaf(list, shape...)
		double[i] = p.keep(p.floats(list, shape...).Double().Detach().RequiresGrad_())
		laid[i] = p.keep(l.make(single[i]))
		require.Equal(t, shape, append([]int{}, laid[i].Shape()...))
	}
	got, want := p.keep(f.loss(p, laid, true)), p.keep(f.loss(p, double, true))
	requireClose(t, want.Values(), got.Values())
	got.Backward()
	want.Backward()
	for i := range shapes {
		requireClose(t, double[i].Grad().Values(), single[i].Grad().Values())
	}
}

// requireClose allows for a few roundings of float32.
func requireClose(t *testing.T, want, got []float64) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		require.InDelta(t, want[i], got[i], 4e-6*math.Max(1, math.Abs(want[i])), "element %d", i)
	}
}
