package torch_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/torch"
)

// A tensor without dimensions on the CPU is a number for a kernel on the GPU,
// and a tensor for the graph.

// scalarFormulas use a number t and a matrix y.
var scalarFormulas = map[string]func(t, y *torch.Var) *torch.Tensor{
	"t + y":       func(t, y *torch.Var) *torch.Tensor { return t.Add(y) },
	"y + t":       func(t, y *torch.Var) *torch.Tensor { return y.Add(t) },
	"t - y":       func(t, y *torch.Var) *torch.Tensor { return t.Sub(y) },
	"y - t":       func(t, y *torch.Var) *torch.Tensor { return y.Sub(t) },
	"t * y":       func(t, y *torch.Var) *torch.Tensor { return t.Mul(y) },
	"y * t":       func(t, y *torch.Var) *torch.Tensor { return y.Mul(t) },
	"t / y":       func(t, y *torch.Var) *torch.Tensor { return t.Div(y) },
	"y / t":       func(t, y *torch.Var) *torch.Tensor { return y.Div(t) },
	"y.t() / t":   func(t, y *torch.Var) *torch.Tensor { return y.T().Div(t) },
	"y[0] * t":    func(t, y *torch.Var) *torch.Tensor { return y.Index(0).Mul(t) },
	"y.sum() * t": func(t, y *torch.Var) *torch.Tensor { return y.Sum().Mul(t) },
	"y += t":      func(t, y *torch.Var) *torch.Tensor { return y.Mul(1).Add_(t) },
	"y -= t":      func(t, y *torch.Var) *torch.Tensor { return y.Mul(1).Sub_(t) },
	"y *= t":      func(t, y *torch.Var) *torch.Tensor { return y.Mul(1).Mul_(t) },
	"t * t * y":   func(t, y *torch.Var) *torch.Tensor { return t.Mul(t).Mul(y) },
	"exp(t) * y":  func(t, y *torch.Var) *torch.Tensor { return t.Exp().Mul(y).Add(t) },
}

// TestNumbersBesideAGPU computes each formula twice, with the matrix on the CPU
// and on the GPU. Nothing but the device of the matrix differs.
func TestNumbersBesideAGPU(t *testing.T) {
	for name, f := range scalarFormulas {
		t.Run(name, func(t *testing.T) {
			m := newTorch(t)
			n, numbers := m.Let("t", m.Scalar(-1.5).RequiresGrad_()), []float32{1, 2, -3, 4, 0.5, -0.25}
			var results [][][]float64
			for _, device := range []string{"cpu", "cuda:0"} {
				y := m.Let("y", m.Tensor(numbers, 2, 3))
				if device == "cuda:0" {
					y.Set(y.Cuda())
				}
				y.RequiresGrad_()
				n.ClearGrad()
				z := m.Let("z", f(n, y))
				require.Equal(t, device, z.Device())
				z.Mul(z).Sum().Backward()
				require.Equal(t, device, y.Grad().Device())
				require.Equal(t, "cpu", n.Grad().Device())
				require.Empty(t, n.Grad().Shape())
				results = append(results, [][]float64{z.Detach().Values(), n.Grad().Values(), y.Grad().Values()})
			}
			for i := range results[0] {
				require.InDeltaSlice(t, results[0][i], results[1][i], 1e-4)
			}
		})
	}
}

// TestNumbersAreReadWhenTheyAreUsed changes a number after its use. What nobody
// saved may change.
func TestNumbersAreReadWhenTheyAreUsed(t *testing.T) {
	m := newTorch(t)
	n, y := m.Let("t", m.Scalar(2)), m.Let("y", m.Cuda.Full(3, 2).RequiresGrad_())
	sum, product := m.Let("sum", n.Add(y)), m.Let("product", n.Mul(y))
	n.Add_(100)
	require.Equal(t, []float64{5, 5}, sum.Values())
	require.Equal(t, []float64{6, 6}, product.Values())
	sum.Sum().Backward()
	require.Equal(t, []float64{1, 1}, y.Grad().Values())
	require.Contains(t, raisedBy(m, product.Sum().Backward), "[torch.FloatTensor []] is at version 1; expected version 0 instead.")
}

// TestNumbersTakeNoMemory counts what is alive beside the result. A product
// keeps the number for backward, and lets go of it there.
func TestNumbersTakeNoMemory(t *testing.T) {
	m := newTorch(t)
	y := m.Let("y", one(m).RequiresGrad_())
	z := m.Let("z", m.Scalar(2).Mul(y))
	require.Equal(t, 2.0, mibs(m))
	require.Len(t, m.LiveTensors(), 3)
	z.BackwardWith(m.OnesLike(z))
	require.Len(t, m.LiveTensors(), 3, "y, z and the gradient of y")
}

// TestNumbersWithoutAGraph has a waiting number: what it is made of is read when
// the result is.
func TestNumbersWithoutAGraph(t *testing.T) {
	m := newTorch(t)
	v := m.Let("v", m.Tensor([]float32{1, 2, 3}, 3))
	for i, want := range []float64{10, 20, 30} {
		x := m.Let("x", m.Cuda.Full(10, 2).Mul(v.Index(i)))
		require.Equal(t, []float64{want, want}, x.Values(), fmt.Sprintf("v[%d]", i))
	}
	mean := m.Let("mean", m.Cuda.Full(3, 1<<15, 1<<15).Mean().CPU())
	before := heap()
	x := m.Let("x", m.Cuda.Full(1, 1<<15, 1<<15).Mul(mean))
	require.EqualValues(t, 4<<30, x.Bytes())
	require.Less(t, heap(), before+10<<20, "nobody has read the four gigabytes")
}
