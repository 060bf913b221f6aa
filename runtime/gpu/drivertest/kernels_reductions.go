package drivertest

import (
	"slices"

	"github.com/torchmem/workbook/runtime/gpu"
)

// reductions fold some dimensions.
var reductions = map[string]kernelForm{
	"sum":  {build: reduction([]gpu.DType{gpu.Float32, gpu.Float64, gpu.Int64}), noise: sumNoise, edges: endless},
	"norm": {build: reduction(fractions), noise: sumNoise, edges: endless},
	"max":  {build: reduction(anything), edges: endless},
	"min":  {build: reduction(anything), edges: endless},
}

func reduction(kinds []gpu.DType) func(*maker) gpu.Kernel {
	return func(m *maker) gpu.Kernel {
		shape, kind := m.shape(), one(m, kinds...)
		if m.chance(2) {
			shape = m.table()
		}
		wide := slices.Clone(shape)
		for d := range wide {
			if m.chance(2) && shape[d] > 0 {
				wide[d] = 1
			}
		}
		scalar := 1.0
		if !whole(kind) {
			scalar = one(m, 1, 1/float64(1+m.IntN(100)))
		}
		return gpu.Kernel{Out: m.output(kind, wide), In: []gpu.Operand{m.argument(kind, shape, wideNormal)}, Scalars: []float64{scalar}}
	}
}

// sumNoise is the noise of sums that are added up in two orders: each step may be
// off by half a last digit. Where all numbers are one, all steps are off in the
// same direction.
func sumNoise(t trial, exact []float64) []float64 {
	terms := float64(t.kernel.In[0].Elements()) / float64(max(1, len(exact)))
	return sums(t, 16+terms, epsilon64)
}

// sums returns so many halves of a last digit of what the kernel makes of the
// same numbers without signs.
func sums(t trial, steps, epsilon float64) []float64 {
	numbers, err := t.wide().absolute().onHost()
	if err != nil {
		return nil // the kernel itself has failed before
	}
	var out []float64
	for _, at := range places(t.kernel.Out) {
		out = append(out, steps*epsilon*finite(numbers[at]))
	}
	return append(out, 0) // never a list of one
}

// products are those of matrices. The textbook bounds what a sum of n products
// is off by: n times half a last digit of the sum of their magnitudes.
var products = map[string]kernelForm{
	"matmul": {build: product(2), noise: productNoise, edges: endless},
	"addmm":  {build: product(3), noise: productNoise, edges: endless},
}

func product(inputs int) func(*maker) gpu.Kernel {
	return func(m *maker) gpu.Kernel {
		rows, depth, columns := m.size(), m.size(), m.size()
		switch m.IntN(25) {
		case 0:
			depth = 0
		case 1:
			rows, depth, columns = 1281+m.IntN(99), 1+m.IntN(20), 1153+m.IntN(99) // many large tiles
		}
		kind := one(m, gpu.Float32, gpu.Float32, gpu.Float64)
		in := []gpu.Operand{m.input(kind, []int{rows, depth}, normal), m.input(kind, []int{depth, columns}, normal)}
		if inputs == 3 {
			in = append(in, m.input(kind, []int{rows, columns}, normal))
		}
		return gpu.Kernel{Out: m.dense(kind, []int{rows, columns}), In: in}
	}
}

func productNoise(t trial, _ []float64) []float64 {
	epsilon := epsilon32
	if t.kernel.Out.Type == gpu.Float64 {
		epsilon = epsilon64
	}
	return sums(t, float64(t.kernel.In[0].Shape[1])+4, epsilon)
}
