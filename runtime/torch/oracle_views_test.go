package torch_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/torch"
)

// TestBaseViews shows what views keep alive, and what a change in place of a
// view costs.
func TestBaseViews(t *testing.T) {
	m := newTwin(t, "base_views")
	x := m.Let("x", m.Randn(1000, 1000).Cuda().RequiresGrad_())
	m.row("x")
	y := m.Let("y", x.Mul(x))
	m.row("y = x * x")
	v := m.Var("v")
	m.NoGrad(func() { v.Set(y.Index(0)) })
	m.row("v = y[0] no_grad")
	y.Del()
	m.row("del y")
	u := m.Let("u", v.Detach())
	m.row("u = v.detach()")
	v.Del()
	m.row("del v")
	u.Del()
	m.row("del u")

	y.Set(x.Mul(2))
	m.row("y = x * 2")
	y.Index(0).Add_(1).Drop()
	m.row("y[0].add_(1)")
	y.Sum().Backward()
	m.row("y.sum().backward()")
	y.Del()
	x.ClearGrad()
	m.row("del y")

	y.Set(x.Mul(2))
	w := m.Var("w")
	w.Set(m.Cuda.Full(1, 1000))
	y.Index(0).Mul_(w).Drop()
	m.row("y[0].mul_(w)")
	y.Sum().Backward()
	m.row("backward")
	y.Del()
	x.ClearGrad()
	m.row("del y again")

	z := m.Let("z", m.Zeros(1000, 1000).Cuda())
	m.row("z")
	z.Index(0).Add_(x.Index(0)).Drop()
	m.row("z[0].add_(x[0])")
	z.Sum().Backward()
	m.row("z backward")
	z.Del()
	m.row("del z")
	d := m.Let("t", x.Detach())
	m.Let("d", d.Index(0))
	d.Del()
	m.row("d")
	m.end()
}

func TestCrossEntropy(t *testing.T) {
	m := newTwin(t, "cross_entropy")
	x := m.Let("x", m.Randn(4096, 8000).Cuda().RequiresGrad_())
	classes := m.Let("t", m.Cuda.FullOf(torch.Int64, 0, 4096))
	m.row("x t")
	loss := m.Let("l", m.CrossEntropy(x, classes))
	m.row("loss")
	loss.Backward()
	m.row("backward")
	loss.Del()
	m.row("del")
	x.ClearGrad()
	loss.Set(m.CrossEntropy(x.Mul(2), classes))
	m.row("loss tmp")
	loss.Backward()
	m.row("backward tmp")
	m.end()
}

func TestLinearShapes(t *testing.T) {
	m := newTwin(t, "linear_shapes")
	leaf := func(shape ...int) *torch.Tensor { return m.Cuda.Empty(shape...).RequiresGrad_() }
	x, w, c, y := m.Var("x"), m.Var("w"), m.Var("c"), m.Var("y")
	for _, b := range []int{1, 2, 3, 64, 1000} {
		for _, i := range []int{1, 2, 3, 64, 1000} {
			for _, o := range []int{1, 2, 64, 1000} {
				name := fmt.Sprintf("%d %d %d", b, i, o)
				x.Set(leaf(b, i))
				w.Set(leaf(o, i))
				c.Set(leaf(o))
				m.Cuda.ClearCublasWorkspaces()
				m.row(name + " clear")
				y.Set(m.Linear(x, w, c))
				m.row(name + " linear")
				y.Sum().Backward()
				m.row(name + " backward")
				m.Del(y, x, w, c)
				m.row(name + " del")
			}
		}
	}
	for _, s := range [][3]int{{1, 1000, 1000}, {1000, 1000, 1}, {64, 64, 64}, {1, 1, 1}} {
		name := fmt.Sprintf("nobias %d %d %d", s[0], s[1], s[2])
		x.Set(leaf(s[0], s[1]))
		w.Set(leaf(s[2], s[1]))
		m.Cuda.ClearCublasWorkspaces()
		m.row(name + " clear")
		y.Set(m.Linear(x, w, nil))
		m.row(name + " linear")
		y.Relu().Sum().Backward()
		m.row(name + " backward")
		m.Del(y, x, w)
		m.row(name + " del")
	}
	// The last six rows are of inputs that lie with gaps or are vectors,
	// which Linear does not take here.
	require.Equal(t, len(m.want.Rows), m.at+6)
}

// TestLinearRows gives Linear a batch of matrices.
func TestLinearRows(t *testing.T) {
	m := newTwin(t, "linear_nd")
	x := m.Let("x", m.Randn(8, 128, 1000).Cuda().RequiresGrad_())
	w := m.Let("w", m.Randn(500, 1000).Cuda().RequiresGrad_())
	b := m.Let("b", m.Randn(500).Cuda().RequiresGrad_())
	m.row("x w b")
	y := m.Var("y")
	for _, f := range []function{
		{"bias", func() *torch.Tensor { return m.Linear(x, w, b) }},
		{"nobias", func() *torch.Tensor { return m.Linear(x, w, nil) }},
		{"t", func() *torch.Tensor { return m.Linear(x.Transpose(0, 1), w, b) }},
	} {
		y.Set(f.call())
		m.row(f.name + " linear")
		y.Relu().Sum().Backward()
		m.row(f.name + " backward")
		y.Del()
		for _, leaf := range []*torch.Var{x, w, b} {
			leaf.ClearGrad()
		}
		m.row(f.name + " del")
	}
	m.end()
}

func TestHooks(t *testing.T) {
	m := newTwin(t, "hooks")
	x := m.Let("x", m.Randn(1000, 1000).Cuda().RequiresGrad_())
	y := m.Let("y", x.Add(2))
	m.row("x y")
	onY := y.RegisterHook(func(g *torch.Tensor) *torch.Tensor { return g.Mul(3) })
	onX := x.RegisterHook(func(g *torch.Tensor) *torch.Tensor { return g.Mul(5) })
	y.Relu().Sum().Backward()
	m.row("backward")
	x.ClearGrad()
	onY.Remove()
	y.Relu().Sum().Backward()
	m.row("after remove")
	onX.Remove()
	x.ClearGrad()
	y.Relu().Sum().Backward()
	m.row("after both")
	y.Del()
	m.row("del y")
	m.end()
}
