package torch_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/torch"
)

// mlp is the recorder's chain of Linear and ReLU.
func mlp(m *torch.Torch, depth int) *torch.Module {
	model := m.NN.Sequential()
	for range depth {
		model.Append(m.NN.Linear(1000, 1000))
		model.Append(m.NN.ReLU())
	}
	return model
}

func python(yes bool) string {
	if yes {
		return "True"
	}
	return "False"
}

func TestDeepSegments(t *testing.T) {
	for _, segments := range []int{2, 3, 5, 8} {
		m := newTwin(t, fmt.Sprintf("deep_nonreentrant_%d", segments))
		model := mlp(m.Torch, 16).Cuda()
		m.row("model")
		x := m.Let("x", m.Randn(4096, 1000).Cuda().RequiresGrad_())
		m.row("x")
		m.Cuda.ResetPeakMemoryStats()
		m.row("reset_peak")
		y := m.Let("y", m.CheckpointSequential(model, segments, x, useReentrant(false)))
		m.row("forward")
		loss := m.Let("loss", y.Sum())
		m.row("loss")
		y.Del()
		m.row("del y")
		loss.Backward()
		m.row("backward")
		loss.Del()
		m.row("del loss")
		model.ZeroGrad()
		m.row("zero_grad")
		x.ClearGrad()
		m.row("x.grad=None")
		m.end()
	}
}

func TestCheckpointBlock(t *testing.T) {
	m := newTwin(t, "ckpt_block")
	model := mlp(m.Torch, 2).Cuda()
	m.row("model")
	x, y, l := m.Var("x"), m.Var("y"), m.Var("l")
	for _, early := range []bool{true, false} {
		options := []torch.CheckpointOption{useReentrant(false), earlyStop(early)}
		row := func(label string) { m.row(python(early) + " " + label) }
		x.Set(m.Randn(1000, 1000).Cuda())
		y.Set(m.Checkpoint(model, x, options...))
		row("forward")
		y.Sum().Backward()
		row("backward")
		y.Del()
		row("del y")
		model.ZeroGrad()
		row("zero_grad")

		y.Set(m.Checkpoint(torch.Func(func(a *torch.Tensor) *torch.Tensor {
			return m.Checkpoint(model, model.Call(a), options...)
		}), x, options...))
		row("nested forward")
		y.Sum().Backward()
		row("nested backward")
		y.Del()
		model.ZeroGrad()
		row("nested del y")

		y.Set(m.Checkpoint(model, x, options...))
		l.Set(y.Sum())
		row("retain forward")
		l.BackwardRetainGraph()
		row("retain backward")
		l.Backward()
		row("second backward")
		m.Del(y, l)
		model.ZeroGrad()
		row("retain del")
	}
	x.Set(m.Randn(1000, 1000).Cuda().RequiresGrad_())
	y.Set(m.Checkpoint(model, x, useReentrant(true)))
	m.row("reentrant forward")
	y.Sum().Backward()
	m.row("reentrant backward")
	y.Del()
	m.row("reentrant del y")
	x.ClearGrad()
	model.ZeroGrad()
	m.row("reentrant zero")
	y.Set(m.Checkpoint(model, x, useReentrant(true)))
	y.Sum().Backward()
	require.Equal(t, m.want.Text("reentrant_twice"), raisedBy(m.Torch, func() { y.Sum().Backward() }))
	m.row("reentrant twice")
	y.Del()
	x.ClearGrad()
	model.ZeroGrad()
	m.row("end")
	m.end()
}

func TestCheckpointMore(t *testing.T) {
	m := newTwin(t, "ckpt_more")
	model := mlp(m.Torch, 4).Cuda()
	m.row("model")
	x := m.Let("x", m.Randn(4096, 1000).Cuda())
	m.row("x")
	plain := useReentrant(false)
	y := m.Let("y", m.Checkpoint(model, x, plain))
	m.row("y")
	l := m.Let("l", y.Sum())
	l.BackwardRetainGraph()
	m.row("backward retain")
	l.Backward()
	m.row("backward again")
	m.Del(y, l)
	model.ZeroGrad()
	m.row("del")

	first := m.NN.Sequential(model.Children()[:2]...)
	inner := torch.Func(func(a *torch.Tensor) *torch.Tensor {
		return model.Children()[2].Call(m.Checkpoint(first, a, plain))
	})
	step := func(name string, forward func() *torch.Tensor) {
		m.Cuda.ResetPeakMemoryStats()
		y.Set(forward())
		m.row(name + " y")
		y.Sum().Backward()
		m.row(name + " backward")
		y.Del()
		model.ZeroGrad()
		m.row(name + " del")
	}
	step("nested", func() *torch.Tensor { return m.Checkpoint(inner, x, plain) })
	for _, stop := range []bool{true, false} {
		step("early_stop="+python(stop), func() *torch.Tensor { return m.Checkpoint(model, x, plain, earlyStop(stop)) })
	}
	for _, segments := range []int{1, 3, 5, 8} {
		for _, reentrant := range []bool{false, true} {
			leaf := m.Var("xx")
			m.Cuda.ResetPeakMemoryStats()
			leaf.Set(x.Detach().RequiresGrad_())
			name := fmt.Sprintf("%d %s", segments, python(reentrant))
			y.Set(m.CheckpointSequential(model, segments, leaf, useReentrant(reentrant)))
			m.row(name + " y")
			y.Sum().Backward()
			m.row(name + " backward")
			m.Del(y, leaf)
			model.ZeroGrad()
			m.row(name + " del")
		}
	}
	m.end()
}
