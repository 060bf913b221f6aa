package torch_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/torch"
)

// TestCPUScalarErrors makes the program's mistakes. Each text is PyTorch's.
func TestCPUScalarErrors(t *testing.T) {
	m := newTwin(t, "cpu_scalar_graphs")
	c := func(shape ...int) *torch.Tensor { return m.Cuda.Full(1, shape...) }
	scalar := func() *torch.Tensor { return m.Scalar(2) }
	long := func() *torch.Tensor { return m.Cuda.FullOf(torch.Int64, 1, 2) }
	changed := func(t *torch.Tensor) {
		x := m.Let("x", t)
		z := m.Let("z", x.Mul(c(2).RequiresGrad_()).Sum())
		m.NoGrad(func() { x.Add_(1) })
		z.Backward()
	}
	for name, f := range map[string]func(){
		"changed":         func() { changed(m.number(2)) },
		"changed no grad": func() { changed(scalar()) },
		"inference": func() {
			x := m.Var("x")
			m.InferenceMode(func() { x.Set(scalar()) })
			x.Mul(c(2).RequiresGrad_())
		},
		"hook to cuda": func() {
			x := m.Let("x", m.number(2))
			x.RegisterHook((*torch.Tensor).Cuda)
			x.Mul(c(2)).Sum().Backward()
		},
		"twice": func() {
			z := m.Let("z", m.number(2).Mul(c(2)).Sum())
			z.Backward()
			z.Backward()
		},
		"t += y":       func() { scalar().Add_(c()) },
		"t += matrix":  func() { scalar().Add_(c(2)) },
		"leaf += y":    func() { m.number(2).Add_(c()) },
		"one + y":      func() { m.Zeros(1).Add(c(2)) },
		"y + one":      func() { c(2).Add(m.Zeros(1)) },
		"one * scalar": func() { m.Zeros(1).Mul(c()) },
		"two + y":      func() { m.Zeros(2).Add(c(3)) },
		"y += two":     func() { c(3).Add_(m.Zeros(2)) },
		"y += one":     func() { c(3).Add_(m.Zeros(1)) },
		"expanded":     func() { m.number(2).Expand(2).Add(c(2)) },
		"int *= 2.5":   func() { long().Mul_(m.Scalar(2.5)) },
		"int t += y":   func() { m.numberOf(torch.Int64, 2).Add_(c()) },
		"two += y":     func() { m.Zeros(2).Add_(c(2)) },
		"int two += y": func() { m.Var("x").Set(long().CPU()); m.Var("x").Add_(c(2)) },
		"int *= one":   func() { long().Mul_(m.Full(2.5, 1)) },
		"cat":          func() { m.Cat(0, c(1), m.number(2).View(1)) },
		"cat scalar":   func() { m.Cat(0, c(1), m.number(2)) },
		"stack":        func() { m.Stack(0, c(), m.number(2)) },
		"given":        func() { c(2).RequiresGrad_().Mul(1).BackwardWith(m.Ones(2)) },
		"mse":          func() { m.MSELoss(c(), scalar()) },
		"mse grad":     func() { m.MSELoss(c().RequiresGrad_(), scalar()).Backward() },
		"mse wide":     func() { m.MSELoss(c(2, 3), scalar()) },
		"mse matrices": func() { m.MSELoss(m.Ones(2, 3), c(2, 3)) },
		"mse shapes":   func() { m.MSELoss(m.Ones(2, 3), c(4)) },
	} {
		key := "error " + name
		require.Equal(t, m.want.Text(key), raisedBy(m.Torch, f), name)
		delete(m.want.Extra, key)
	}
	// PyTorch names the CPU first here, as it does nowhere else.
	text := raisedBy(m.Torch, func() { m.MSELoss(m.number(2), c()) })
	require.Equal(t, strings.Replace(m.want.Text("error mse of t"), "cpu and cuda:0", "cuda:0 and cpu", 1), text)
	delete(m.want.Extra, "error mse of t")
	for key := range m.want.Extra {
		require.NotContains(t, key, "error", "a recorded error is not tried")
	}
}
