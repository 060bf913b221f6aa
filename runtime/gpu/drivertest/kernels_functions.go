package drivertest

import (
	"math"
	"math/rand/v2"

	"github.com/torchmem/workbook/runtime/gpu"
)

// relatively is the noise of functions whose result is right to so many halves
// of a last digit.
func relatively(steps float64) noise {
	return func(_ trial, exact []float64) []float64 {
		out := make([]float64, len(exact))
		for i, x := range exact {
			out[i] = steps * epsilon64 * math.Abs(x)
			if math.IsInf(x, 0) {
				out[i] = 0
			}
		}
		return append(out, 0) // never a list of one
	}
}

// absolutely is the noise of functions that add: so many halves of a last digit
// of one.
func absolutely(size func(t trial) float64) noise {
	return func(t trial, _ []float64) []float64 { return []float64{epsilon64 * size(t)} }
}

// largest returns the largest magnitude of an input, but no less than one. What
// is infinite does not count.
func (t trial) largest(i int) float64 {
	in, best := t.kernel.In[i], 1.0
	if in.Number != nil {
		best = max(best, math.Abs(piece{in.Type, make([]float64, 1)}.decode(in.Number.Bytes())[0]))
		return finite(best)
	}
	for _, x := range t.at(in).numbers {
		best = max(best, finite(math.Abs(x)))
	}
	return best
}

func finite(x float64) float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return 1
	}
	return x
}

// functions are those of the mathematics library. Two libraries differ by a few
// last digits, and by more where a rounded argument is magnified: x*x times in
// the tail of a normal distribution, and as often as its logarithm says in a
// power.
var functions = map[string]kernelForm{
	"exp":     {build: fraction(wideNormal), noise: relatively(8), edges: allEdges},
	"log":     {build: fraction(positive), noise: relatively(8), edges: allEdges},
	"sin":     {build: fraction(angles), noise: absolutely(func(trial) float64 { return 8 }), edges: allEdges},
	"cos":     {build: fraction(angles), noise: absolutely(func(trial) float64 { return 8 }), edges: allEdges},
	"tanh":    {build: fraction(normal), noise: relatively(8), edges: allEdges},
	"sigmoid": {build: fraction(wideNormal), noise: relatively(16), edges: allEdges},
	"silu":    {build: fraction(wideNormal), noise: relatively(16), edges: allEdges},
	"gelu":    {build: fraction(wideNormal), noise: relatively(1024), edges: allEdges},
	"pow_scalar": {build: func(m *maker) gpu.Kernel {
		if m.chance(3) { // powers of integers are integers
			shape := m.shape()
			return m.mapped(gpu.Int64, shape, []float64{float64(m.IntN(6))}, m.argument(gpu.Int64, shape, wideNormal))
		}
		exponent := one(m, 0, 1, 2, 3, -1, -2, 0.5, -0.5, 1.7, m.NormFloat64())
		return ofOne(fractions, positive, func(*rand.Rand) float64 { return exponent })(m)
	}, noise: relatively(1024), edges: allEdges},
}

// fraction is a function whose result is a fraction, also that of an integer.
func fraction(draw domain) func(*maker) gpu.Kernel {
	return func(m *maker) gpu.Kernel {
		shape, kind := m.shape(), one(m, fractions...)
		from := kind
		if kind == gpu.Float32 && m.chance(4) {
			from = one(m, gpu.Int64, gpu.Uint8, gpu.Bool)
		}
		return m.mapped(kind, shape, nil, m.argument(from, shape, draw))
	}
}

// gradients are products of a gradient with the slope of a function, and what
// else adds a few products.
var gradients = map[string]kernelForm{
	"tanh_backward":    {build: ofTwo(fractions, normal, normal), noise: spread(4), edges: someEdges},
	"sigmoid_backward": {build: ofTwo(fractions, normal, normal), noise: spread(4), edges: someEdges},
	"gelu_backward":    {build: ofTwo(fractions, normal, wideNormal), noise: spread(64), edges: someEdges},
	"silu_backward":    {build: ofTwo(fractions, normal, wideNormal), noise: spread(16), edges: someEdges},
	"mse":              {build: ofTwo(fractions, normal, normal), noise: spread(4), edges: someEdges},
	"mse_backward": {build: func(m *maker) gpu.Kernel {
		shape, kind := m.shape(), one(m, fractions...)
		return m.mapped(kind, shape, []float64{positive(m.Rand)}, m.argument(kind, shape, normal), m.argument(kind, shape, normal), m.argument(kind, shape, normal))
	}, noise: func(t trial, exact []float64) []float64 {
		return []float64{8 * epsilon64 * t.largest(0) * (t.largest(1) + t.largest(2)) * t.kernel.Scalars[0]}
	}, edges: someEdges},
}

// someEdges are numbers whose squares are no larger than what is tested.
var someEdges = []float64{0, negative, 1, -1, infinity, -infinity, nothing, 1e-45, -1e-45, 20, -20}

// spread is the noise of a gradient times a polynomial of the second degree.
func spread(steps float64) noise {
	return absolutely(func(t trial) float64 { return steps * math.Pow(t.largest(0)*t.largest(1), 2) })
}
