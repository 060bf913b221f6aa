package torch_test

import (
	"fmt"
	"testing"

	"github.com/torchmem/workbook/runtime/torch"
)

// TestCPUScalarGraphs has numbers on the CPU at every place of a graph on the
// GPU. Its parts are one recorded program, so their order matters.
func TestCPUScalarGraphs(t *testing.T) {
	m := newTwin(t, "cpu_scalar_graphs")
	m.Cuda.EmptyUint8(40 << 20).Drop()
	m.row("reserve")
	m.sumsOfLosses()
	m.throughTheCPU()
	m.usedAgain()
	m.hooked()
	t2 := m.Let("t", m.number(2))
	for _, name := range []string{"add_", "sub_", "mul_"} {
		m.inPlace(name, t2)
	}
	y := m.Let("y", m.matrix(3).RequiresGrad_())
	m.views(t2, y)
	m.checkpointed(t2, y)
	m.retained(t2, y)
	m.typed()
	m.scalarsOnly()
	m.givenGradients()
	m.ofNothing()
	m.end()
}

// sumsOfLosses begins a sum on the CPU that goes on on the GPU.
func (m *twin) sumsOfLosses() {
	t, losses := m.Let("t", m.number(0)), m.List("losses")
	for i := range 3 {
		losses.Append(m.Cuda.Full(float64(i + 1)).RequiresGrad_())
	}
	m.row("losses")
	u := m.Let("u", t)
	for i := range 3 {
		u.Set(u.Add(losses.At(i)))
		m.row(fmt.Sprintf("%d u = u + losses[i]", i))
	}
	u.Backward()
	m.row("losses backward")
	grad := func(i int) *seen { return see(losses.At(i).Grad()) }
	m.sees("losses", see(u.Tensor), see(t.Grad()), grad(0), grad(1), grad(2))
	m.Del(u, t)
	losses.Clear()
	m.row("losses del")
}

// throughTheCPU moves a recorded number to the CPU.
func (m *twin) throughTheCPU() {
	w := m.Let("w", m.matrix(1).RequiresGrad_())
	s := m.Let("s", w.Sum().CPU())
	m.row("s = w.sum().cpu()")
	y := m.Let("y", m.matrix(3).RequiresGrad_())
	z := m.Let("z", s.Mul(y))
	m.row("z = s * y")
	z.Sum().Backward()
	m.row("s backward")
	m.sees("s", see(z.Tensor), see(w.Grad()), see(y.Grad()))
	m.Del(w, s, y, z)
	m.row("s del")

	t := m.Let("t", m.number(2))
	y.Set(m.matrix(3).RequiresGrad_())
	u := m.Let("u", t.Add(y.Sum().CPU()))
	m.row("u = t + y.sum().cpu()")
	u.Backward()
	m.row("u backward")
	m.sees("u", see(u.Tensor), see(t.Grad()), see(y.Grad()))
	m.Del(t, y, u)
	m.row("u del")
}

// usedAgain adds gradients up, in a leaf and on the way to it.
func (m *twin) usedAgain() {
	t, y := m.Let("t", m.number(2)), m.Let("y", m.matrix(3))
	m.row("again t y")
	for i := range 2 {
		t.Mul(y).Sum().Backward()
		m.row(fmt.Sprintf("%d again backward", i))
	}
	m.sees("again", see(t.Grad()))
	t.ClearGrad()
	z := m.Let("z", t.Mul(y).Sub(t).Mul(t))
	m.row("z = (t * y - t) * t")
	z.Sum().Backward()
	m.row("thrice backward")
	m.sees("thrice", see(z.Tensor), see(t.Grad()))
	m.Del(t, y, z)
	m.row("thrice del")
}

// hooked looks at the gradient of a number, and changes it.
func (m *twin) hooked() {
	t, y := m.Let("t", m.number(2)), m.Let("y", m.matrix(3).RequiresGrad_())
	var arrived *seen
	t.RegisterHook(func(g *torch.Tensor) *torch.Tensor { arrived = see(g); return nil })
	t.RegisterHook(func(g *torch.Tensor) *torch.Tensor { return g.Mul(2) })
	z := m.Let("z", t.Mul(y))
	m.row("hooked")
	z.Sum().Backward()
	m.row("hooked backward")
	m.sees("hooked", arrived, see(t.Grad()))
	m.Del(t, y, z)
	m.row("hooked del")
}

// inPlace changes matrices, recorded ones, and rows of them by the number t.
func (m *twin) inPlace(name string, t *torch.Var) {
	change := map[string]func(y *torch.Tensor) *torch.Tensor{
		"add_": func(y *torch.Tensor) *torch.Tensor { return y.Add_(t) },
		"sub_": func(y *torch.Tensor) *torch.Tensor { return y.Sub_(t) },
		"mul_": func(y *torch.Tensor) *torch.Tensor { return y.Mul_(t) },
	}[name]
	y := m.Let("y", m.matrix(3))
	change(y.Tensor)
	m.row(name)
	y.Sum().Backward()
	m.row(name + " backward")
	m.sees(name, see(y.Tensor), see(t.Grad()))
	t.ClearGrad()
	y.Del()
	m.row(name + " del")

	y.Set(m.matrix(3).RequiresGrad_())
	z := m.Let("z", y.Mul(1))
	change(z.Tensor)
	m.row(name + " both")
	z.Sum().Backward()
	m.row(name + " both backward")
	m.sees(name+" both", see(z.Tensor), see(t.Grad()), see(y.Grad()))
	t.ClearGrad()
	m.Del(y, z)
	m.row(name + " both del")

	y.Set(m.matrix(3))
	change(y.Index(0)).Drop()
	m.row(name + " row")
	y.Sum().Backward()
	m.row(name + " row backward")
	m.sees(name+" row", see(y.Tensor), see(t.Grad()))
	t.ClearGrad()
	y.Del()
	m.row(name + " row del")
}

// views puts numbers beside a transposed matrix, and one that is itself a view.
func (m *twin) views(t, y *torch.Var) {
	m.NoGrad(func() {
		y.Mul_(t)
		m.row("no_grad")
	})
	z := m.Let("z", y.T().Mul(t))
	m.row("z = y.t() * t")
	z.Sum().Backward()
	m.row("y.t() backward")
	m.sees("y.t()", see(z.Tensor), see(t.Grad()), see(y.Grad()))
	t.ClearGrad()
	y.ClearGrad()
	z.Del()
	m.row("y.t() del")

	v := m.Let("v", m.Tensor([]float32{1, 2}, 2).RequiresGrad_())
	z.Set(v.Index(1).Mul(y))
	m.row("z = v[1] * y")
	z.Sum().Backward()
	m.row("v[1] backward")
	m.sees("v[1]", see(z.Tensor), see(v.Grad()), see(v.Grad().Index(1)), see(y.Grad()))
	m.Del(v, z)
	y.ClearGrad()
	m.row("v[1] del")
}

// checkpointed saves numbers in a function that runs twice.
func (m *twin) checkpointed(t, y *torch.Var) {
	f := torch.Func(func(a *torch.Tensor) *torch.Tensor { return a.Mul(t).Exp().Div(t) })
	for _, reentrant := range []bool{false, true} {
		name := "checkpoint " + python(reentrant)
		z := m.Let("z", m.Checkpoint(f, y, useReentrant(reentrant)))
		m.row(name)
		z.Sum().Backward()
		m.row(name + " backward")
		m.sees(name, see(t.Grad()))
		t.ClearGrad()
		y.ClearGrad()
		z.Del()
		m.row(name + " del")
	}
}

func (m *twin) retained(t, y *torch.Var) {
	z := m.Let("z", t.Mul(y).Sum())
	m.row("retain z")
	z.BackwardRetainGraph()
	m.row("retain")
	z.Backward()
	m.row("retain backward")
	m.sees("retain", see(t.Grad()))
	m.Del(t, y, z)
	m.row("retain del")
}
