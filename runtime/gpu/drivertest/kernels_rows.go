package drivertest

import (
	"math"
	"math/rand/v2"

	"github.com/torchmem/workbook/runtime/gpu"
)

// rowForms work along the last dimension.
var rowForms = map[string]kernelForm{
	"softmax":              {build: rowwise(wideNormal), noise: softmaxNoise, edges: endless},
	"log_softmax":          {build: rowwise(wideNormal), noise: rowNoise, edges: endless},
	"softmax_backward":     {build: rowwise(normal, probability), noise: rowNoise, edges: endless},
	"log_softmax_backward": {build: rowwise(normal, logProbability), noise: rowNoise, edges: endless},
	"row_mean":             {build: moment(), noise: rowNoise, edges: endless},
	"row_rstd":             {build: moment(0.01), noise: rowNoise, edges: endless},
}

func probability(r *rand.Rand) float64 { return r.Float64() }

func logProbability(r *rand.Rand) float64 { return math.Log(r.Float64()) }

// rowShape draws a shape with at least one dimension.
func (m *maker) rowShape() []int {
	switch m.IntN(3) {
	case 0:
		return m.table()
	case 1:
		return []int{1 + m.IntN(3), 1 + m.IntN(3000)}
	}
	if shape := m.shape(); len(shape) > 0 {
		return shape
	}
	return []int{1}
}

func rowwise(domains ...domain) func(*maker) gpu.Kernel {
	return func(m *maker) gpu.Kernel {
		shape, kind := m.rowShape(), one(m, fractions...)
		var in []gpu.Operand
		for _, draw := range domains {
			in = append(in, m.input(kind, shape, draw))
		}
		return gpu.Kernel{Out: m.output(kind, shape), In: in}
	}
}

// moment writes one number a row.
func moment(scalars ...float64) func(*maker) gpu.Kernel {
	return func(m *maker) gpu.Kernel {
		shape, kind := m.rowShape(), one(m, fractions...)
		return gpu.Kernel{Out: m.output(kind, shape[:len(shape)-1]), In: []gpu.Operand{m.input(kind, shape, normal)}, Scalars: scalars}
	}
}

// length returns the length of the rows of the first input.
func (t trial) length() float64 {
	shape := t.kernel.In[0].Shape
	if len(shape) == 0 {
		return 1
	}
	return float64(shape[len(shape)-1])
}

// rowNoise is the noise of sums along a row, times numbers of the row.
func rowNoise(t trial, _ []float64) []float64 {
	size := t.length() + 64
	for i := range t.kernel.In {
		size *= t.largest(i)
	}
	if len(t.kernel.In) > 1 {
		size *= t.length()
	}
	return []float64{size * epsilon64}
}

// softmaxNoise is a share of the result: the exponent is off by so much.
func softmaxNoise(t trial, exact []float64) []float64 {
	return relatively((t.length()+64)*t.largest(0))(t, exact)
}

// normForms are those of the layer norm.
var normForms = map[string]kernelForm{
	"layer_norm":          {build: norm(1, 0, 2), noise: normNoise, edges: someEdges},
	"layer_norm_backward": {build: norm(2, 0, 1), noise: normNoise, edges: endless},
	"layer_norm_weight": {build: func(m *maker) gpu.Kernel {
		k := norm(2)(m)
		k.Out = m.output(k.In[0].Type, k.In[0].Shape[1:])
		return k
	}, noise: normNoise, edges: endless},
}

// norm has some tables of rows, then the mean and the deviation of each row,
// and sometimes operands of one row for all.
func norm(tables int, weights ...int) func(*maker) gpu.Kernel {
	return func(m *maker) gpu.Kernel {
		shape, kind := m.table(), one(m, fractions...)
		var in []gpu.Operand
		for range tables {
			in = append(in, m.input(kind, shape, normal))
		}
		in = append(in, m.window(kind, shape, []int{1, 0}, 0, normal), m.window(kind, shape, []int{1, 0}, 0, positive))
		if len(weights) > 0 {
			for range one(m, weights...) {
				in = append(in, m.window(kind, shape, []int{0, 1}, 0, normal))
			}
		}
		return gpu.Kernel{Out: m.output(kind, shape), In: in}
	}
}

// normNoise is the noise of sums over a dimension of products of all inputs.
func normNoise(t trial, _ []float64) []float64 {
	rows, columns := float64(t.kernel.In[0].Shape[0]), float64(t.kernel.In[0].Shape[1])
	size := (rows + columns) * (rows + columns + 64)
	for i := range t.kernel.In {
		size *= math.Pow(2*t.largest(i), 2)
	}
	return []float64{size * epsilon64}
}

// lossForms are those of the loss of a classifier.
var lossForms = map[string]kernelForm{
	"nll_loss": {build: func(m *maker) gpu.Kernel {
		shape, kind := m.table(), one(m, fractions...)
		return gpu.Kernel{Out: m.output(kind, []int{}), In: []gpu.Operand{m.input(kind, shape, logProbability), m.classes(shape)}}
	}, noise: func(t trial, _ []float64) []float64 {
		return []float64{epsilon64 * (float64(t.kernel.In[0].Shape[0]) + 16) * t.largest(0)}
	}, edges: endless},
	"nll_loss_backward": {build: func(m *maker) gpu.Kernel {
		shape, kind := m.table(), one(m, fractions...)
		return gpu.Kernel{Out: m.output(kind, shape), In: []gpu.Operand{m.input(kind, []int{}, normal), m.classes(shape)}}
	}, edges: someEdges},
}

// classes draws the class of each row.
func (m *maker) classes(shape []int) gpu.Operand {
	return m.input(gpu.Int64, shape[:1], func(r *rand.Rand) float64 { return float64(r.IntN(shape[1])) })
}
