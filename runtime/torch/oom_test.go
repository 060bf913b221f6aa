package torch_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
	"github.com/torchmem/workbook/runtime/torch"
)

// scarce is a driver that has memory for so many more requests, and then none
// until it is told otherwise.
type scarce struct {
	*sim.Driver
	left int
}

func (d *scarce) Malloc(size int64) (gpu.Ptr, error) {
	if d.left == 0 {
		return 0, gpu.ErrOutOfMemory
	}
	d.left--
	return d.Driver.Malloc(size)
}

const plenty = 1 << 30

// TestOutOfMemoryAnywhere runs training steps that run out of memory at the
// first request to the driver, at the second, and so on to the last: in the
// forward pass, in backward, in the second run of a checkpoint. Each time the
// error is returned, nothing is left behind, and the step then works.
func TestOutOfMemoryAnywhere(t *testing.T) {
	for name, step := range map[string]func(m *torch.Torch, model *torch.Module, x *torch.Var){
		"plain": func(m *torch.Torch, model *torch.Module, x *torch.Var) {
			model.Call(x).Softmax(1).Mul(x).Sum().Backward()
		},
		"losses": func(m *torch.Torch, model *torch.Module, x *torch.Var) {
			y := m.Let("y", model.Call(x))
			m.Let("loss", m.MSELoss(y, x).Add(m.CrossEntropy(y, m.Cuda.FullOf(torch.Int64, 7, 3000))).Add(y.Max())).Backward()
		},
		"joined": func(m *torch.Torch, model *torch.Module, x *torch.Var) {
			y := m.Let("y", x.Mul(1))
			y.Index(0).Mul_(x.Index(1)).Drop()
			m.Cat(0, y, model.Call(y).Relu_().Clamp(-1, 1), y.Div(x.Add(3)), x.T().Contiguous().T()).Norm().Backward()
		},
		"recomputing": func(m *torch.Torch, model *torch.Module, x *torch.Var) {
			m.CheckpointSequential(model, 3, x, useReentrant(false)).Sum().Backward()
		},
		"nested": func(m *torch.Torch, model *torch.Module, x *torch.Var) {
			f := torch.Func(func(x *torch.Tensor) *torch.Tensor {
				return m.CheckpointSequential(model, 3, x, useReentrant(false)).Exp()
			})
			m.Checkpoint(f, x.Mul(2), useReentrant(false), earlyStop(false)).Mean().Backward()
		},
		"reentrant": func(m *torch.Torch, model *torch.Module, x *torch.Var) {
			m.CheckpointSequential(model, 3, x, useReentrant(true)).Sum().Backward()
		},
		"hooks": func(m *torch.Torch, model *torch.Module, x *torch.Var) {
			y := m.Let("y", model.Call(x))
			y.RegisterHook(func(g *torch.Tensor) *torch.Tensor { return g.Mul(2).Add(g.Exp()) })
			y.Sum().Backward()
		},
		"numbers": func(m *torch.Torch, model *torch.Module, x *torch.Var) {
			n := m.Let("n", m.Scalar(2).Double().RequiresGrad_())
			n.Div(model.Call(x).Mul(n).Mul_(n)).Sub(n).Sum().Backward()
		},
	} {
		t.Run(name, func(t *testing.T) {
			failures := 0
			for failsAt(t, failures, step) {
				failures++
			}
			require.Greater(t, failures, 5)
		})
	}
}

// failsAt runs the step with memory for n requests and reports whether that
// was too little. If it was, the step is run again with plenty.
func failsAt(t *testing.T, n int, step func(m *torch.Torch, model *torch.Module, x *torch.Var)) bool {
	d := &scarce{sim.New(gpu.DefaultProfile()), plenty}
	m, err := torch.New(d, caching.DefaultConfig())
	require.NoError(t, err)
	model := m.NN.Sequential(m.NN.Linear(3000, 3000), m.NN.Dropout(0.5), m.NN.LayerNorm(3000), m.NN.GELU(), m.NN.LinearNoBias(3000, 3000)).Cuda()
	x := m.Let("x", m.Randn(3000, 3000).Cuda().RequiresGrad_())
	live, bytes := len(m.LiveTensors()), m.Cuda.MemoryAllocated()
	clean := func() {
		for _, name := range m.Names() {
			if name != x {
				name.None()
			}
		}
		model.ZeroGrad()
		x.ClearGrad()
		m.Cuda.ClearCublasWorkspaces()
		require.Len(t, m.LiveTensors(), live, "out of memory at request %d", n)
		require.Equal(t, bytes, m.Cuda.MemoryAllocated())
	}

	d.left = n
	err = m.Try(func() { step(m, model, x) })
	d.left = plenty
	failed := err != nil
	if failed {
		_, ok := errors.AsType[*caching.OutOfMemoryError](err)
		require.True(t, ok)
	}
	clean()
	require.NoError(t, m.Try(func() { step(m, model, x) }))
	for _, p := range model.Parameters() {
		require.NotNil(t, p.Grad())
	}
	clean()
	require.NoError(t, m.Close())
	return failed
}
