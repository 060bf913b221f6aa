package torch_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// limit lets the program reserve at most so many bytes.
func (m *twin) limit(bytes int64) {
	m.t.Helper()
	require.NoError(m.t, m.Cuda.SetPerProcessMemoryFraction(float64(bytes)/float64(m.Cuda.TotalMemory())))
}

// TestOOMTrain runs training steps under growing limits: the device runs out
// of memory in the forward pass, then in the backward pass, then never.
func TestOOMTrain(t *testing.T) {
	m := newTwin(t, "oom_train")
	model := mlp(m.Torch, 8).Cuda()
	m.row("model")
	x := m.Let("x", m.Randn(4096, 1000).Cuda())
	m.row("x")
	y := m.Var("y")
	for _, mb := range []int64{160, 230, 280, 320, 360} {
		name := fmt.Sprint(mb)
		m.limit(mb<<20 + 1)
		err := m.Try(func() {
			y.Set(model.Call(x))
			m.row(name + " forward")
			y.Sum().Backward()
			m.row(name + " backward")
			y.Del()
		})
		_, ranOut := m.want.Extra["oom "+name]
		require.Equal(t, ranOut, err != nil)
		m.row(name + " after")
		y.None()
		model.ZeroGrad()
		m.row(name + " zero_grad")
		m.Cuda.EmptyCache()
		m.row(name + " empty_cache")
	}
	m.end()
}

// TestOOMBackward runs out of memory in the middle of a backward pass and of a
// recomputation.
func TestOOMBackward(t *testing.T) {
	m := newTwin(t, "oom_backward")
	model := mlp(m.Torch, 4).Cuda()
	x := m.Let("x", m.Randn(4096, 1000).Cuda())
	y := m.Let("y", model.Call(x).Sum())
	m.row("warm")
	y.Backward()
	y.Del()
	model.ZeroGrad()
	m.Cuda.EmptyCache()
	m.row("warm backward")

	try := func(label string, f func()) {
		err := m.Try(f)
		require.Equal(t, m.want.Text(label) != "ok", err != nil, label)
		m.row(label)
	}
	used := func() int64 { return m.Cuda.MemoryReserved() >> 20 << 20 }
	m.limit(160 << 20)
	try("forward", func() { model.Call(x).Sum().Drop() })
	m.limit(100_000 << 20)
	y.Set(model.Call(x).Sum())
	m.row("y")
	m.limit(used() + 8<<20)
	try("backward", func() { y.Backward() })
	try("backward again", func() {})
	require.Contains(t, raisedBy(m.Torch, func() { y.Backward() }), m.want.Text("after"))
	m.row("after")
	y.None()
	m.row("del y")
	m.limit(100_000 << 20)
	model.ZeroGrad()
	m.row("zero_grad")
	m.Cuda.EmptyCache()
	y.Set(m.Checkpoint(model, x, useReentrant(false)).Sum())
	m.row("ckpt y")
	m.limit(used() + 24<<20)
	try("recompute", func() { y.Backward() })
	m.limit(100_000 << 20)
	try("recompute again", func() { y.Backward() })
	y.None()
	m.row("ckpt del")
	m.end()
}
