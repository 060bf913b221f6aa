package torch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/torch"
)

func TestGraphsReleaseWhatTheySaved(t *testing.T) {
	m := newTorch(t)
	x := m.Let("x", one(m).RequiresGrad_())
	y := m.Let("y", x.Exp().Sin().Sum())
	require.InDelta(t, 2, mibs(m), 0.01, "sin keeps the exponentials")
	y.BackwardRetainGraph()
	require.InDelta(t, 3, mibs(m), 0.01, "and the gradient")
	y.Backward()
	require.InDelta(t, 2, mibs(m), 0.01)
	require.Contains(t, raisedBy(m, y.Backward), "RuntimeError: Trying to backward through the graph a second time")
	require.InDelta(t, 2, mibs(m), 0.01)
	x.ClearGrad()
	y.Set(x.Exp().Sin().Sum())
	y.Del()
	require.Equal(t, 1.0, mibs(m), "a graph that nobody needs goes")
}

// TestBackwardTwice tells the operators that keep something from those that
// keep nothing: only the first are in the way of a second backward. PyTorch says
// the same of each.
func TestBackwardTwice(t *testing.T) {
	m := newTorch(t)
	x := m.Let("x", m.Ones(3).RequiresGrad_())
	for name, f := range map[string]struct {
		y     *torch.Tensor
		keeps bool
	}{
		"add":        {x.Add(x), false},
		"add 1":      {x.Add(1), false},
		"sub from":   {x.SubFrom(1), false},
		"neg":        {x.Neg(), false},
		"sum":        {x.Sum(), false},
		"mean":       {x.Mean(), false},
		"view":       {x.View(3, 1), false},
		"select":     {x.Index(0), false},
		"expand":     {x.Expand(2, 3), false},
		"clone":      {x.Clone(), false},
		"double":     {x.Double(), false},
		"cuda":       {x.Cuda(), false},
		"cat":        {m.Cat(0, x, x), false},
		"stack":      {m.Stack(0, x, x), false},
		"add_":       {x.Clone().Add_(2), false},
		"zero_":      {x.Clone().Zero_(), false},
		"mul":        {x.Mul(x), true},
		"mul 2":      {x.Mul(2), true},
		"mul_ 2":     {x.Clone().Mul_(2), true},
		"div 2":      {x.Div(2), true},
		"pow 0":      {x.Pow(0), true},
		"pow 1":      {x.Pow(1), true},
		"max":        {x.Max(), true},
		"clamp":      {x.ClampMin(0), true},
		"leaky relu": {x.LeakyRelu(0.01), true},
		"exp":        {x.Exp(), true},
		"relu":       {x.Relu(), true},
		"dropout":    {x.Dropout(0.5), true},
		"exp, add 1": {x.Exp().Add(1), true},
	} {
		y := m.Let("y", f.y)
		y.BackwardWith(m.OnesLike(y))
		text := raisedBy(m, func() { y.BackwardWith(m.OnesLike(y)) })
		require.Equal(t, f.keeps, text != "", name)
	}
}

func TestHooksSeeReplaceAndKeep(t *testing.T) {
	m := newTorch(t)
	x := m.Let("x", m.Tensor([]float32{1, 2}, 2).RequiresGrad_())
	seen := m.List("seen")
	step := func() []float64 {
		x.ClearGrad()
		y := m.Let("y", x.Mul(10))
		hook := y.RegisterHook(func(g *torch.Tensor) *torch.Tensor {
			seen.Append(g)
			return g.Mul(2)
		})
		y.Sum().Backward()
		hook.Remove()
		return x.Grad().Detach().Values()
	}
	require.Equal(t, []float64{20, 20}, step())
	require.Equal(t, []float64{1, 1}, seen.At(0).Values(), "the hook sees the gradient before it is replaced")

	// A leaf's hooks run before its gradient is added, in the order in
	// which they were registered.
	first := x.RegisterHook(func(g *torch.Tensor) *torch.Tensor { return g.Add(1) })
	x.RegisterHook(func(g *torch.Tensor) *torch.Tensor { return g.Mul(3) })
	require.Equal(t, []float64{63, 63}, step())
	first.Remove()
	require.Equal(t, []float64{60, 60}, step())

	// A hook may keep the very tensor that becomes the gradient.
	kept := m.List("kept")
	last := x.RegisterHook(func(g *torch.Tensor) *torch.Tensor { kept.Append(g); return nil })
	require.Equal(t, []float64{60, 60}, step())
	require.Equal(t, []float64{60, 60}, kept.At(0).Values())
	last.Remove()
	x.Mul(1).Sum().Backward()
	require.Equal(t, []float64{60, 60}, kept.At(0).Values(), "it was copied, since the hook holds it")

	// Hooks on a tensor that is changed in place stay with what it was.
	y := m.Let("y", x.Mul(1))
	y.RegisterHook(func(g *torch.Tensor) *torch.Tensor { return g.Mul(0) })
	y.Mul_(2)
	x.ClearGrad()
	y.Sum().Backward()
	require.Equal(t, []float64{0, 0}, x.Grad().Detach().Values())
}

func TestHooksKeepMemory(t *testing.T) {
	m := newTorch(t)
	x, kept := m.Let("x", one(m).RequiresGrad_()), m.List("kept")
	for range 3 {
		y := m.Let("y", x.Mul(2))
		y.RegisterHook(func(g *torch.Tensor) *torch.Tensor { kept.Append(g.Detach()); return nil })
		y.Relu().Sum().Backward()
		y.Del()
	}
	require.Equal(t, 5.0, mibs(m))
	kept.Clear()
	require.Equal(t, 2.0, mibs(m))
}

func TestModes(t *testing.T) {
	m := newTorch(t)
	w := m.Let("w", m.Ones(2).RequiresGrad_())
	records := func() bool {
		y := m.Let("y", w.Mul(2))
		return y.RequiresGrad()
	}
	require.True(t, records())
	m.NoGrad(func() {
		require.False(t, records())
		m.EnableGrad(func() {
			require.True(t, records())
			m.NoGrad(func() { require.False(t, records()) })
			require.True(t, records())
		})
		require.False(t, records())
	})
	require.True(t, records())

	raisedBy(m, func() { m.NoGrad(func() { m.Ones(2).Add(m.Ones(3)) }) })
	require.True(t, records(), "an exception ends the mode")

	x := m.Var("x")
	m.InferenceMode(func() {
		x.Set(m.Ones(2))
		require.False(t, records())
		x.Add_(1)
		m.EnableGrad(func() { require.False(t, records()) })
	})
	require.Equal(t, []float64{4, 4}, x.Add(2).Values(), "an inference tensor can be used")
	require.Contains(t, raisedBy(m, func() { x.Mul(w) }), "Inference tensors cannot be saved for backward")
	require.Contains(t, raisedBy(m, func() { x.Add_(1) }), "Inplace update to inference tensor outside InferenceMode is not allowed.")
	require.Contains(t, raisedBy(m, func() { x.RequiresGrad_() }), "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.")
	y := m.Let("sum", x.Add(w))
	require.True(t, y.RequiresGrad(), "a sum saves nothing")
	require.True(t, x.Clone().Mul(w).RequiresGrad())
}

func TestLeaves(t *testing.T) {
	m := newTorch(t)
	x := m.Let("x", m.Ones(2).RequiresGrad_())
	require.True(t, x.IsLeaf())
	require.Nil(t, x.Grad())
	y := m.Let("y", x.Mul(2))
	require.False(t, y.IsLeaf())
	require.True(t, m.Ones(2).IsLeaf())
	require.True(t, y.Detach().IsLeaf())
	y.RequiresGrad_()
	require.False(t, y.IsLeaf())
	m.NoGrad(func() { x.Mul_(3) })
	require.Equal(t, []float64{3, 3}, x.Detach().Values(), "no_grad may change a leaf")
	y.Sum().Backward()
	require.Nil(t, y.Grad(), "only leaves keep a gradient")
	z := m.Let("z", m.Zeros(2))
	z.Add_(x)
	require.True(t, z.RequiresGrad() && !z.IsLeaf(), "a change in place can join the graph")
	x.ClearGrad()
	z.Mul(5).Sum().Backward()
	require.Equal(t, []float64{5, 5}, x.Grad().Detach().Values())
}

// TestViewsTakenInNoGrad has PyTorch's odd answer: such a view of a recorded
// tensor requires a gradient, but none goes through it.
func TestViewsTakenInNoGrad(t *testing.T) {
	m := newTorch(t)
	x := m.Let("x", m.Ones(3, 4).RequiresGrad_())
	y, v := m.Let("y", x.Mul(2)), m.Var("v")
	m.NoGrad(func() { v.Set(y.Index(0)) })
	require.True(t, v.RequiresGrad())
	require.True(t, v.IsLeaf())
	w := m.Let("w", v.Mul(2))
	require.True(t, w.RequiresGrad())
	w.Sum().Backward()
	require.Nil(t, x.Grad())
	require.Nil(t, v.Grad())
}

// TestViewsFollowTheirBase changes one view and asks another.
func TestViewsFollowTheirBase(t *testing.T) {
	m := newTorch(t)
	x := m.Let("x", m.Ones(3, 4).RequiresGrad_())
	z := m.Let("z", m.Zeros(3, 4))
	v := m.Let("v", z.Index(0))
	require.False(t, v.RequiresGrad())
	z.Index(1).Add_(x.Index(0)).Drop()
	require.True(t, z.RequiresGrad() && v.RequiresGrad())
	v.Sum().Backward()
	require.Equal(t, make([]float64, 12), x.Grad().Detach().Values(), "the other row goes to x")
	z.Sum().Backward()
	require.Equal(t, []float64{1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0}, x.Grad().Detach().Values())
}

// TestChangedWhileSaved changes what a graph saved. Backward says so, where it
// would be wrong, and only there.
func TestChangedWhileSaved(t *testing.T) {
	m := newTorch(t)
	x := m.Let("x", m.Ones(2).RequiresGrad_())
	y := m.Let("y", x.Mul(2))
	z := m.Let("z", y.Exp().Sum())
	y.Add_(1)
	z.Backward()
	require.NotNil(t, x.Grad(), "exp keeps its result, not y")
	y.Set(x.Mul(2))
	z.Set(y.Sin().Sum())
	y.T().Add_(1).Drop()
	require.Contains(t, raisedBy(m, z.Backward), "which is output 0 of torch::autograd::CopySlices, is at version 1; expected version 0 instead.", "a view changes it too")
	y.Set(x.Exp())
	z.Set(y.Sum())
	y.Detach().Add_(1).Drop()
	require.Contains(t, raisedBy(m, z.Backward), "which is output 0 of ExpBackward0, is at version 1; expected version 0 instead.", "and so does a detached tensor")
}

// A hook may return the very gradient that it saw. Nothing of it stays.
func TestHookThatReturnsItsGradient(t *testing.T) {
	m := newTorch(t)
	x := m.Let("x", m.Ones(4).Cuda().RequiresGrad_())
	y := m.Let("y", x.Mul(2))
	y.RegisterHook(func(grad *torch.Tensor) *torch.Tensor { return grad })
	before := len(m.LiveTensors())
	y.Sum().Backward()
	require.Equal(t, []float64{2, 2, 2, 2}, x.Grad().Values())
	require.Len(t, m.LiveTensors(), before+1, "the gradient of x is all that is new")
}

// TestLeavesMoveBetweenGraphs moves a model while a graph still refers to its
// weights. The next graph is not mixed up with it.
func TestLeavesMoveBetweenGraphs(t *testing.T) {
	m := newTorch(t)
	model, x := m.NN.Linear(3, 2), m.Let("x", m.Ones(4, 3))
	before := m.Let("before", model.Call(x).Sum())
	model.Cuda()
	after := m.Let("after", model.Call(x.Cuda()).Sum())
	before.Del()
	again := m.Let("again", model.Call(x.Cuda()).Sum())
	again.Backward()
	after.Backward()
	for _, p := range model.Parameters() {
		require.Equal(t, "cuda:0", p.Grad().Device())
		require.Equal(t, 8.0, p.Grad().Max().Item().Float64(), "twice as many as there are rows")
	}
}

func TestDetachInPlace(t *testing.T) {
	m := newTorch(t)
	w := m.Let("w", one(m).RequiresGrad_())
	h := m.Let("h", w.Mul(2).Tanh().Mul(w))
	require.Equal(t, 3.0, mibs(m), "w, h, and what the graph saved")
	h.Detach_()
	require.Equal(t, 2.0, mibs(m))
	require.False(t, h.RequiresGrad())
	require.True(t, h.IsLeaf())
	require.Contains(t, raisedBy(m, func() { w.Mul(2).Index(0).Detach_() }), "Can't detach views in-place")
}
