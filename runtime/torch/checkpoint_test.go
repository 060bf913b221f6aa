package torch_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/torch"
)

// noisy is a model that draws random numbers.
func noisy(m *torch.Torch) *torch.Module {
	return m.NN.Sequential(m.NN.Linear(8, 8), m.NN.Dropout(0.5), m.NN.ReLU(), m.NN.Linear(8, 8), m.NN.GELU())
}

// gradients returns those of the input and of all parameters after one step.
func gradients(m *torch.Torch, model *torch.Module, x *torch.Var, forward func() *torch.Tensor) [][]float64 {
	x.ClearGrad()
	model.ZeroGrad()
	m.ManualSeed(3)
	m.Cuda.Randn(5).Drop() // the state is not that of a fresh seed
	y := m.Let("y", forward())
	m.Cuda.Randn(5).Drop() // and other numbers are drawn before backward
	y.Pow(2).Sum().Backward()
	y.Del()
	after := m.Cuda.Randn(3).Values()
	all := [][]float64{after, x.Grad().Detach().Values()}
	for _, p := range model.Parameters() {
		all = append(all, p.Grad().Detach().Values())
	}
	return all
}

// TestCheckpointedGradients compares every way to checkpoint with the plain
// model: the gradients are equal to the bit.
func TestCheckpointedGradients(t *testing.T) {
	m := newTorch(t)
	model := noisy(m).Cuda()
	x := m.Let("x", m.Cuda.Randn(4, 8).RequiresGrad_())
	want := gradients(m, model, x, func() *torch.Tensor { return model.Call(x) })
	nested := torch.Func(func(a *torch.Tensor) *torch.Tensor {
		for _, part := range model.Children() {
			a = m.Checkpoint(part, a, useReentrant(false))
		}
		return a
	})
	ways := map[string]func() *torch.Tensor{
		"recomputing": func() *torch.Tensor { return m.Checkpoint(model, x, useReentrant(false)) },
		"to the end": func() *torch.Tensor {
			return m.Checkpoint(model, x, useReentrant(false), earlyStop(false))
		},
		"reentrant": func() *torch.Tensor { return m.Checkpoint(model, x, useReentrant(true)) },
		"nested":    func() *torch.Tensor { return m.Checkpoint(nested, x, useReentrant(false)) },
		"nested in reentrant": func() *torch.Tensor {
			return m.Checkpoint(nested, x, useReentrant(true))
		},
	}
	for segments := 1; segments <= 5; segments++ {
		for _, reentrant := range []bool{false, true} {
			ways[fmt.Sprintf("%d segments, reentrant %v", segments, reentrant)] = func() *torch.Tensor {
				return m.CheckpointSequential(model, segments, x, useReentrant(reentrant))
			}
		}
	}
	for name, forward := range ways {
		require.Equal(t, want, gradients(m, model, x, forward), name)
	}
	for _, reentrant := range []bool{false, true} {
		forward := func() *torch.Tensor {
			return m.Checkpoint(model, x, useReentrant(reentrant), preserveRNGState(false))
		}
		require.NotEqual(t, want[1:], gradients(m, model, x, forward)[1:], "the second run draws other numbers")
	}
	x.ClearGrad()
	model.ZeroGrad()
}

// counting is a module that counts its calls.
func counting(m *torch.Torch, calls *int, f func(x *torch.Tensor) *torch.Tensor) *torch.Module {
	return m.NN.Module("Counting", func(x *torch.Tensor) *torch.Tensor {
		*calls++
		return f(x)
	})
}

// TestSecondRuns counts how often each part of a checkpoint runs.
func TestSecondRuns(t *testing.T) {
	m := newTorch(t)
	x := m.Let("x", one(m).RequiresGrad_())
	for _, c := range []struct {
		name    string
		options []torch.CheckpointOption
		want    [3]int
	}{
		{"early stop", []torch.CheckpointOption{useReentrant(false)}, [3]int{2, 2, 1}},
		{"to the end", []torch.CheckpointOption{useReentrant(false), earlyStop(false)}, [3]int{2, 2, 2}},
		{"reentrant", []torch.CheckpointOption{useReentrant(true)}, [3]int{2, 2, 2}},
	} {
		var calls [3]int
		model := m.NN.Sequential(
			counting(m, &calls[0], (*torch.Tensor).Exp),
			counting(m, &calls[1], (*torch.Tensor).Sin),
			counting(m, &calls[2], func(x *torch.Tensor) *torch.Tensor { return x.Add(1) }), // saves nothing
		)
		y := m.Let("y", m.Checkpoint(model, x, c.options...))
		require.Equal(t, [3]int{1, 1, 1}, calls, c.name)
		loss := m.Let("loss", y.Sum())
		loss.BackwardRetainGraph()
		require.Equal(t, c.want, calls, c.name)
		loss.Backward()
		m.Del(y, loss)
		x.ClearGrad()
		require.Equal(t, 1.0, mibs(m), c.name)
	}
}

func TestCheckpointMemory(t *testing.T) {
	m := newTorch(t)
	x := m.Let("x", one(m).RequiresGrad_())
	deep := torch.Func(func(x *torch.Tensor) *torch.Tensor { return x.Exp().Sin().Exp().Sin() })
	y := m.Let("y", deep.Call(x))
	require.Equal(t, 4.0, mibs(m), "x, both exponentials and y: nobody keeps the sine between them")
	for _, reentrant := range []bool{false, true} {
		y.Set(m.Checkpoint(deep, x, useReentrant(reentrant)))
		require.Equal(t, 2.0, mibs(m), "only the input and the output")
	}
	var inNoGrad *torch.Var
	m.NoGrad(func() { inNoGrad = m.Let("z", m.Checkpoint(deep, x, useReentrant(false))) })
	require.False(t, inNoGrad.RequiresGrad())
	inNoGrad.Del()

	// A temporary argument lives as long as the graph needs it.
	y.Set(m.Checkpoint(deep, x.Mul(2), useReentrant(false)))
	require.Equal(t, 3.0, mibs(m))
	y.Del()
	require.Equal(t, 1.0, mibs(m))
}

// TestReentrantNeedsAnInputWithGradient is the trap of the older way.
func TestReentrantNeedsAnInputWithGradient(t *testing.T) {
	m := newTorch(t)
	var warnings []string
	m.OnWarning(func(text string) { warnings = append(warnings, text) })
	model := m.NN.Linear(4, 4)
	x := m.Let("x", m.Randn(2, 4))
	require.False(t, m.Checkpoint(model, x, useReentrant(true)).RequiresGrad())
	require.Equal(t, []string{"None of the inputs have requires_grad=True. Gradients will be None"}, warnings)
	y := m.Let("y", m.Checkpoint(model, x, useReentrant(false)))
	y.Sum().Backward()
	require.NotNil(t, model.Parameters()[0].Grad())
	require.Len(t, warnings, 1)

	m.Checkpoint(model, x).Drop()
	require.Len(t, warnings, 3)
	require.Contains(t, warnings[1], "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly.")
	m.CheckpointSequential(m.NN.Sequential(model), 1, x).Drop()
	require.Contains(t, warnings[3], "torch.utils.checkpoint.checkpoint_sequential: the use_reentrant parameter should be passed explicitly. In version 2.9 we will raise an exception if use_reentrant is not passed.")
}

func TestCheckpointMistakes(t *testing.T) {
	m := newTorch(t)
	x := m.Let("x", m.Ones(2).RequiresGrad_())
	constant := torch.Func(func(x *torch.Tensor) *torch.Tensor { return x.Detach() })
	require.Equal(t, "RuntimeError: none of output has requires_grad=True, this checkpoint() is not necessary",
		raisedBy(m, func() { m.Checkpoint(constant, x, useReentrant(true)).Sum().Backward() }))

	changing := func(first, second int) torch.Func {
		calls := 0
		return func(x *torch.Tensor) *torch.Tensor {
			n := first
			if calls++; calls > 1 {
				n = second
			}
			for range n {
				x = x.Exp()
			}
			return x
		}
	}
	const tip = "\n\nTip: To see a more detailed error message, either pass `debug=True` to\n`torch.utils.checkpoint.checkpoint(...)` or wrap the code block\nwith `with torch.utils.checkpoint.set_checkpoint_debug_enabled(True):` to\nenable checkpoint‑debug mode globally.\n"
	require.Equal(t, "CheckpointError: torch.utils.checkpoint: A different number of tensors was saved during the original forward and recomputation.\nNumber of tensors saved during forward: 2\nNumber of tensors saved during recomputation: 1."+tip,
		raisedBy(m, func() { m.Checkpoint(changing(2, 1), x, useReentrant(false)).Sum().Backward() }))
	require.Equal(t, "CheckpointError: torch.utils.checkpoint: trying to save more tensors during recomputation than during the original forward pass."+tip,
		raisedBy(m, func() {
			m.Checkpoint(changing(1, 2), x, useReentrant(false), earlyStop(false)).Sum().Backward()
		}))

	model := m.NN.Sequential(m.NN.ReLU(), m.NN.ReLU())
	call := func(segments int) string {
		return raisedBy(m, func() { m.CheckpointSequential(model, segments, x, useReentrant(false)) })
	}
	require.Equal(t, "ZeroDivisionError: integer division or modulo by zero", call(0))
	require.Equal(t, "ValueError: range() arg 3 must not be zero", call(3))
	require.Empty(t, call(-1), "Python's arithmetic makes one segment of it")

	// A graph that failed leaves nothing behind, and a new one works.
	x.ClearGrad()
	m.Checkpoint(changing(2, 2), x, useReentrant(false)).Sum().Backward()
	require.NotNil(t, x.Grad())
}

// TestInputsOfCheckpointsAreSaved changes the input of a checkpoint in place.
func TestInputsOfCheckpointsAreSaved(t *testing.T) {
	m := newTorch(t)
	w := m.Let("w", m.Ones(2).RequiresGrad_())
	x := m.Let("x", m.Ones(2))
	f := torch.Func(func(x *torch.Tensor) *torch.Tensor { return x.Mul(w).Exp() })
	y := m.Let("y", m.Checkpoint(f, x, useReentrant(false)).Sum())
	x.Add_(1)
	require.Contains(t, raisedBy(m, y.Backward), "has been modified by an inplace operation")
}

// The generator of the CPU is restored too: a dropout on the CPU repeats.
func TestCheckpointRepeatsDropoutOnTheCPU(t *testing.T) {
	m := newTorch(t)
	gradient := func(run func(x *torch.Tensor) *torch.Tensor) []float64 {
		m.ManualSeed(7)
		x := m.Let("x", m.Ones(64).RequiresGrad_())
		run(x.Value()).Sum().Backward()
		return x.Grad().Values()
	}
	dropped := torch.Func(func(x *torch.Tensor) *torch.Tensor { return x.Dropout(0.5).Exp() })
	plain := gradient(func(x *torch.Tensor) *torch.Tensor { return dropped.Call(x) })
	for _, reentrant := range []bool{false, true} {
		again := gradient(func(x *torch.Tensor) *torch.Tensor {
			return m.Checkpoint(dropped, x, useReentrant(reentrant))
		})
		require.Equal(t, plain, again)
	}
}
