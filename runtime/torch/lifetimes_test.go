package torch_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/torch"
)

const mib = 1 << 20

// mibs returns the allocated memory in MiB. The tensors of these tests are
// whole MiB each.
func mibs(m *torch.Torch) float64 { return float64(m.Cuda.MemoryAllocated()) / mib }

// one returns a temporary of one MiB.
func one(m *torch.Torch) *torch.Tensor { return m.Cuda.Full(1, mib/4) }

// peakOf returns the most MiB that were allocated while the function ran.
func peakOf(m *torch.Torch, f func()) float64 {
	m.Cuda.ResetPeakMemoryStats()
	f()
	return float64(m.Cuda.MaxMemoryAllocated()) / mib
}

func TestTemporariesEndWithTheirCall(t *testing.T) {
	m := newTorch(t)
	x := m.Let("x", one(m))
	peak := peakOf(m, func() { m.Let("y", x.Mul(2).Add(1).Relu()) })
	require.Equal(t, 3.0, peak, "x*2 ends when +1 returns, and that when relu returns")
	require.Equal(t, 2.0, mibs(m))

	peak = peakOf(m, func() { require.Equal(t, mib/4.0, x.Mul(1).Sum().Item().Float64()) })
	require.InDelta(t, 3, peak, 0.01)
	require.Equal(t, 2.0, mibs(m))

	x.Mul(2).Drop()
	require.Equal(t, 2.0, mibs(m))
	x.Drop()
	require.Equal(t, 2.0, mibs(m), "a name's tensor is nobody's temporary")
}

// TestModulesKeepTheirArgument shows that a module's argument lives until the
// module returns, also where the module has long finished with it.
func TestModulesKeepTheirArgument(t *testing.T) {
	m := newTorch(t)
	var inside float64
	twice := m.NN.Module("Twice", func(x *torch.Tensor) *torch.Tensor {
		y := x.Mul(2)
		inside = mibs(m)
		return y.Add(1)
	})
	y := m.Let("y", twice.Call(one(m)))
	require.Equal(t, 2.0, inside)
	require.Equal(t, 1.0, mibs(m))
	same := m.NN.Module("Same", func(x *torch.Tensor) *torch.Tensor { return x })
	y.Set(same.Call(same.Call(y.Mul(3))))
	require.Equal(t, 9.0, y.Index(0).Item().Float64())
	require.Equal(t, 1.0, mibs(m))
	y.Set(same.Call(y))
	require.Equal(t, 1.0, mibs(m), "a module may return its argument")
}

func TestNames(t *testing.T) {
	m := newTorch(t)
	x := m.Let("x", one(m))
	peak := peakOf(m, func() { x.Set(x.Add(1)) })
	require.Equal(t, 2.0, peak, "the old value goes after the new one is there")
	require.Equal(t, 1.0, mibs(m))
	y := m.Let("y", x)
	x.Del()
	require.Equal(t, 1.0, mibs(m), "y is a second name")
	y.Set(y)
	require.Equal(t, 1.0, mibs(m))
	require.Equal(t, 2.0, y.Index(0).Item().Float64())
	y.None()
	require.Zero(t, mibs(m))
	y.None()
	require.Equal(t, "AttributeError: 'NoneType' object is no tensor: y is None", raisedBy(m, func() { y.Exp() }))
	y.Del()
	require.Contains(t, raisedBy(m, y.Del), "name 'y' is not defined")
	x.Set(one(m))
	require.Equal(t, 1.0, mibs(m), "a deleted name can be set again")
}

func TestMissingNames(t *testing.T) {
	m := newTorch(t)
	x := m.Let("x", one(m))
	x.Del()
	for name, use := range map[string]func(){
		"method":   func() { x.Add(1) },
		"operand":  func() { one(m).Add(x) },
		"shape":    func() { x.Shape() },
		"twice":    x.Del,
		"let":      func() { m.Let("y", x) },
		"list":     func() { m.List("l").Append(x) },
		"call":     func() { m.NN.ReLU().Call(x) },
		"grad":     func() { x.Grad() },
		"backward": x.Backward,
	} {
		text := raisedBy(m, use)
		require.Regexp(t, `^\*torch.NameError: name 'x' is not defined: it was deleted at runtime/torch/lifetimes_test.go:\d+$`, text, name)
	}
	require.Equal(t, "*torch.NameError: name 'z' is not defined", raisedBy(m, func() { m.Var("z").Add(1) }))
	var err *torch.NameError
	require.ErrorAs(t, panicOf(func() { x.Exp() }), &err)
	require.Equal(t, "x", err.Name)
}

// panicOf returns the error that the function panics with.
func panicOf(f func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	f()
	return nil
}

func TestDeadTemporaries(t *testing.T) {
	m := newTorch(t)
	x := m.Let("x", one(m))
	twice := x.Mul(2)
	twice.Add(1).Drop()
	for name, use := range map[string]func(){
		"method":  func() { twice.Add(1) },
		"operand": func() { x.Add(twice) },
		"values":  func() { twice.Values() },
		"name":    func() { x.Set(twice) },
		"drop":    twice.Drop,
		"grad":    func() { twice.RequiresGrad_() },
	} {
		require.Regexp(t, "^.autograd.DeadTensor: a temporary .* is used after the call that consumed it; give it a name$", raisedBy(m, use), name)
	}
	require.Equal(t, 1.0, mibs(m))
	kept := x.Mul(2)
	require.Equal(t, 1.0, kept.Mul(kept).Index(0).Item().Float64()/4, "one call may take it twice")
	require.Equal(t, 1.0, mibs(m))
}

func TestLists(t *testing.T) {
	m := newTorch(t)
	l := m.List("l")
	for range 3 {
		l.Append(one(m))
	}
	x := m.Let("x", l.At(1))
	require.Equal(t, 3, l.Len())
	l.None(1)
	require.Equal(t, 3.0, mibs(m), "x holds it")
	x.Del()
	require.Equal(t, 2.0, mibs(m))
	l.None(1)
	require.Equal(t, "AttributeError: 'NoneType' object is no tensor: l[1] is None", raisedBy(m, func() { l.At(1).Add(1) }))
	l.None(0)
	peak := peakOf(m, func() { l.Append(one(m)) })
	require.Equal(t, 2.0, peak)
	require.Contains(t, raisedBy(m, func() { l.At(7) }), "IndexError: list index out of range")
	require.Contains(t, raisedBy(m, func() { l.Map((*torch.Tensor).Detach) }), "NoneType")
	l.Clear()
	require.Zero(t, mibs(m))
	require.Zero(t, l.Len())

	for range 3 {
		l.Append(one(m))
	}
	peak = peakOf(m, func() { l.Map((*torch.Tensor).Clone) })
	require.Equal(t, 6.0, peak, "all new items are there before the first old one goes")
	require.Equal(t, 3.0, mibs(m))
}

func TestViewsAndDetached(t *testing.T) {
	m := newTorch(t)
	x := m.Let("x", m.Cuda.Randn(1024, 256))
	row := m.Let("row", x.Index(3))
	x.Del()
	require.Equal(t, 1.0, mibs(m), "a row keeps the matrix")
	row.Set(row.Clone())
	require.EqualValues(t, 1024, m.Cuda.MemoryAllocated())
	row.Del()

	w := m.Let("w", one(m).RequiresGrad_())
	y := m.Let("y", w.Exp())
	d := m.Let("d", y.Detach())
	require.False(t, d.RequiresGrad())
	y.Del()
	require.Equal(t, 2.0, mibs(m), "the detached tensor shows the memory")
	d.Del()
	require.Equal(t, 1.0, mibs(m))
}

func TestLiveTensors(t *testing.T) {
	m := newTorch(t)
	require.Empty(t, m.LiveTensors())
	x := m.Let("x", one(m).RequiresGrad_())
	m.List("l").Append(x)
	y := m.Let("y", x.Exp())
	row := m.Let("row", y.View(1024, 256).Index(0))
	model := m.NN.Linear(2, 3).Cuda()
	lines := m.LiveTensors()
	require.Len(t, lines, 6)
	for i, want := range []string{
		"float32 262144 on cuda:0, 1048576 bytes of 1048576, made at runtime/torch/lifetimes_test.go:%d, held by the name x and the list l and graph node AccumulateGrad",
		"float32 262144 on cuda:0, 1048576 bytes of 1048576, made at runtime/torch/lifetimes_test.go:%d, held by the name y and a view of it",
		"float32 262144 on cuda:0, 1048576 bytes of 1048576, made at runtime/torch/lifetimes_test.go:%d, held by graph node ExpBackward0",
		"float32 256 on cuda:0, 1024 bytes of 1048576, made at runtime/torch/lifetimes_test.go:%d, held by the name row",
		"float32 3x2 on cuda:0, 24 bytes of 24, made at runtime/torch/lifetimes_test.go:%d, held by Linear.weight",
		"float32 3 on cuda:0, 12 bytes of 12, made at runtime/torch/lifetimes_test.go:%d, held by Linear.bias",
	} {
		var line int
		_, err := fmt.Sscanf(strings.TrimSpace(lines[i][strings.Index(lines[i], "lifetimes_test.go:")+len("lifetimes_test.go:"):]), "%d", &line)
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf(want, line), lines[i])
	}
	m.Del(row, y)
	model.Del()
	require.Len(t, m.LiveTensors(), 1)
}

func TestCloseNamesWhatIsLeft(t *testing.T) {
	m := newTorch(t)
	model := m.NN.Linear(4, 4).Cuda()
	x := m.Let("x", m.Cuda.Randn(4, 4).RequiresGrad_())
	m.Let("y", model.Call(x).Relu()).Sum().Backward()
	m.List("l").Append(x.Mul(3))
	x.Mul(5) // a temporary that nobody takes
	require.NoError(t, m.Close())
	require.Zero(t, m.Cuda.MemoryAllocated())
	require.Zero(t, m.Cuda.MemoryReserved())
	require.NoError(t, m.Close(), "again")
}
