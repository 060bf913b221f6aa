package drivertest

import (
	"maps"
	"math"
	"math/rand/v2"

	"github.com/torchmem/workbook/runtime/gpu"
)

// kernelForm says how trials of a kernel are made, and what its arithmetic may
// add to the true result.
type kernelForm struct {
	build func(m *maker) gpu.Kernel
	noise noise     // nil where every bit counts
	edges []float64 // what may stand among the inputs
}

// kernelForms has each kernel of the instruction set.
var kernelForms = gathered(copies, arithmetic, functions, gradients, tests, draws, reductions, rowForms, normForms, lossForms, products)

func gathered(families ...map[string]kernelForm) map[string]kernelForm {
	all := map[string]kernelForm{}
	for _, family := range families {
		maps.Copy(all, family)
	}
	return all
}

var (
	fractions = []gpu.DType{gpu.Float32, gpu.Float64}
	anything  = []gpu.DType{gpu.Float32, gpu.Float32, gpu.Float64, gpu.Int64, gpu.Uint8, gpu.Bool}
)

var (
	infinity = math.Inf(1)
	nothing  = math.NaN()
	negative = math.Copysign(0, -1)
)

// allEdges are numbers that formulas forget.
var allEdges = []float64{0, negative, 1, -1, infinity, -infinity, nothing, 1e-45, -1e-45, 0x1p-126, math.MaxFloat32, -math.MaxFloat32, 88.8, -104}

// endless are those that a sum shows.
var endless = []float64{infinity, -infinity, nothing}

// mapped is a kernel that makes each element from those of the inputs at the
// same place. Sometimes it writes over its first input.
func (m *maker) mapped(kind gpu.DType, shape []int, scalars []float64, in ...gpu.Operand) gpu.Kernel {
	if first := in[0]; first.Type == kind && first.Number == nil && !stretches(first) && m.chance(4) {
		return gpu.Kernel{Out: first, In: in, Scalars: scalars}
	}
	return gpu.Kernel{Out: m.output(kind, shape), In: in, Scalars: scalars}
}

func stretches(o gpu.Operand) bool {
	for d, n := range o.Shape {
		if n > 1 && o.Stride[d] == 0 {
			return true
		}
	}
	return false
}

// ofOne is a kernel of one input and some numbers. Its result has the input's
// type, or is a fraction where the input is none and fraction is asked for.
func ofOne(kinds []gpu.DType, draw domain, scalars ...domain) func(*maker) gpu.Kernel {
	return func(m *maker) gpu.Kernel {
		shape, kind := m.shape(), one(m, kinds...)
		return m.mapped(kind, shape, m.drawAll(scalars), m.argument(kind, shape, draw))
	}
}

// ofTwo is a kernel of two inputs. The second may have a smaller type.
func ofTwo(kinds []gpu.DType, draw domain, second domain, scalars ...domain) func(*maker) gpu.Kernel {
	return func(m *maker) gpu.Kernel {
		shape, kind := m.shape(), one(m, kinds...)
		other := kind
		if m.chance(4) {
			other = min(kind, gpu.Float64)
			if kind >= gpu.Int64 {
				other = gpu.Bool
			}
		}
		return m.mapped(kind, shape, m.drawAll(scalars), m.argument(kind, shape, draw), m.argument(other, shape, second))
	}
}

func (m *maker) drawAll(scalars []domain) []float64 {
	var out []float64
	for _, draw := range scalars {
		out = append(out, draw(m.Rand))
	}
	return out
}

// whole tells the types without fractions.
func whole(kind gpu.DType) bool { return kind != gpu.Float32 && kind != gpu.Float64 }

// copies move and choose elements. What is cut to a smaller type is positive: no
// rule says what becomes of the rest.
var copies = map[string]kernelForm{
	"copy": {build: func(m *maker) gpu.Kernel {
		shape, from, to := m.shape(), one(m, anything...), one(m, anything...)
		draw := wideNormal
		if whole(to) {
			draw = positive
		}
		return m.mapped(to, shape, nil, m.argument(from, shape, draw))
	}},
	"fill": {build: func(m *maker) gpu.Kernel {
		kind := one(m, anything...)
		return gpu.Kernel{Out: m.output(kind, m.shape()), Scalars: []float64{drawn(kind, wideNormal(m.Rand))}}
	}},
	"where": {build: func(m *maker) gpu.Kernel {
		shape, kind := m.shape(), one(m, anything...)
		return m.mapped(kind, shape, nil, m.argument(gpu.Bool, shape, normal), m.argument(kind, shape, normal), m.argument(kind, shape, normal))
	}, edges: allEdges},
	"masked_fill": {build: func(m *maker) gpu.Kernel {
		shape, kind := m.shape(), one(m, anything...)
		number := []float64{drawn(kind, normal(m.Rand))}
		return m.mapped(kind, shape, number, m.argument(kind, shape, normal), m.argument(gpu.Bool, shape, normal))
	}, edges: allEdges},
}

// arithmetic is one operation of float64 and one rounding.
var arithmetic = map[string]kernelForm{
	"neg":        {build: ofOne([]gpu.DType{gpu.Float32, gpu.Float64, gpu.Int64}, wideNormal), edges: allEdges},
	"abs":        {build: ofOne(anything, wideNormal), edges: allEdges},
	"sign":       {build: ofOne(anything, small), edges: allEdges},
	"sqrt":       {build: ofOne(fractions, positive), edges: allEdges},
	"reciprocal": {build: ofOne(fractions, wideNormal), edges: allEdges},
	"relu":       {build: ofOne(anything, wideNormal), edges: allEdges},
	"add_scalar": {build: ofOne(fractions, wideNormal, normal), edges: allEdges},
	"sub_from":   {build: ofOne(fractions, wideNormal, normal), edges: allEdges},
	"mul_scalar": {build: ofOne([]gpu.DType{gpu.Float32, gpu.Float64, gpu.Int64}, small, small), edges: allEdges},
	"div_scalar": {build: ofOne(fractions, wideNormal, positive), edges: allEdges},
	"clamp_min":  {build: ofOne(fractions, wideNormal, normal), edges: allEdges},
	"clamp_max":  {build: ofOne(fractions, wideNormal, normal), edges: allEdges},
	"leaky_relu": {build: ofOne(fractions, wideNormal, normal), edges: allEdges},
	"add":        {build: ofTwo([]gpu.DType{gpu.Float32, gpu.Float64, gpu.Int64, gpu.Bool}, wideNormal, normal), edges: allEdges},
	"sub":        {build: ofTwo([]gpu.DType{gpu.Float32, gpu.Float64, gpu.Int64}, wideNormal, normal), edges: allEdges},
	"mul":        {build: ofTwo(anything, small, small), edges: allEdges},
	"div":        {build: ofTwo(fractions, wideNormal, normal), edges: allEdges},

	"relu_backward":       {build: ofTwo(fractions, normal, small), edges: allEdges},
	"leaky_relu_backward": {build: ofTwo(fractions, normal, small, positive), edges: allEdges},
	"dropout": {build: func(m *maker) gpu.Kernel {
		shape, kind := m.shape(), one(m, fractions...)
		return m.mapped(kind, shape, []float64{1.25}, m.argument(kind, shape, normal), m.argument(gpu.Bool, shape, normal))
	}, edges: allEdges},
}

// tests are true or false.
var tests = map[string]kernelForm{
	"eq":          {build: test(2, small), edges: allEdges},
	"logical_and": {build: test(2, small), edges: allEdges},
	"logical_or":  {build: test(2, small), edges: allEdges},
	"isnan":       {build: test(1, doubtful), edges: allEdges},
	"ge_scalar":   {build: test(1, small, small), edges: allEdges},
	"le_scalar":   {build: test(1, small, small), edges: allEdges},
	"eq_scalar":   {build: test(1, small, small), edges: allEdges},
}

func test(inputs int, draw domain, scalars ...domain) func(*maker) gpu.Kernel {
	return func(m *maker) gpu.Kernel {
		shape := m.shape()
		var in []gpu.Operand
		for range inputs {
			in = append(in, m.argument(one(m, anything...), shape, draw))
		}
		return m.mapped(gpu.Bool, shape, m.drawAll(scalars), in...)
	}
}

// draws use the generator: the same state gives the same numbers.
var draws = map[string]kernelForm{
	"rand":      {build: drawing(fractions)},
	"bernoulli": {build: drawing([]gpu.DType{gpu.Bool, gpu.Float32}, func(*rand.Rand) float64 { return 0.3 })},
	"randn":     {build: drawing(fractions), noise: absolutely(func(trial) float64 { return 512 })},
}

func drawing(kinds []gpu.DType, scalars ...domain) func(*maker) gpu.Kernel {
	return func(m *maker) gpu.Kernel {
		return gpu.Kernel{Out: m.output(one(m, kinds...), m.shape()), Scalars: m.drawAll(scalars), Seed: m.Uint64(), Draw: m.Uint64() >> m.IntN(64)}
	}
}
