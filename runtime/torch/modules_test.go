package torch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/torch"
)

func TestModulesHoldTheirParameters(t *testing.T) {
	m := newTorch(t)
	model := m.NN.Sequential(m.NN.Linear(512, 512), m.NN.ReLU(), m.NN.LinearNoBias(512, 512))
	require.Zero(t, m.Cuda.MemoryAllocated(), "modules are made on the CPU")
	model.Cuda()
	require.EqualValues(t, 2*mib+2048, m.Cuda.MemoryAllocated())
	require.EqualValues(t, 2*mib+2048, model.ParameterBytes())
	require.Len(t, model.Parameters(), 3)
	w := m.Let("w", model.Parameters()[0])
	loss := m.Let("loss", model.Call(m.Cuda.Randn(1, 512)).Sum())
	loss.Backward()
	model.ZeroGrad()
	for _, p := range model.Parameters() {
		require.Nil(t, p.Grad())
	}
	model.Del()
	m.Cuda.ClearCublasWorkspaces()
	loss.Del()
	require.Equal(t, 1.0, mibs(m), "w is a second name for a parameter")
	w.Del()
	require.Zero(t, m.Cuda.MemoryAllocated())
	require.Equal(t, "*autograd.DeadTensor: the module Sequential is used after it was deleted",
		raisedBy(m, func() { model.Call(m.Cuda.Randn(1, 512)) }))
	require.Contains(t, raisedBy(m, model.Del), "after it was deleted")
}

func TestSharedModules(t *testing.T) {
	m := newTorch(t)
	layer := m.NN.Linear(512, 512).Cuda()
	first, second := m.NN.Sequential(layer, layer), m.NN.Sequential(layer)
	require.Len(t, first.Parameters(), 2, "a layer that is there twice counts once")
	first.Del()
	require.Equal(t, []int{1, 512}, second.Call(m.Cuda.Randn(1, 512)).Shape(), "the other model still has the layer")
	m.EndStatement()
	layer.Del()
	require.NotZero(t, mibs(m), "a name goes, the model stays")
	second.Del()
	m.Cuda.ClearCublasWorkspaces()
	require.Zero(t, m.Cuda.MemoryAllocated())

	for mistake, f := range map[string]func(){
		"NoneType is not a Module subclass":          func() { m.NN.Sequential(nil) },
		"cannot be a part of itself":                 func() { s := m.NN.Sequential(); s.Append(s) },
		"'ReLU' object has no attribute 'append'":    func() { m.NN.ReLU().Append(m.NN.ReLU()) },
		"belongs to another program":                 func() { newTorch(t).NN.ReLU().Call(m.Randn(2)) },
		"'NoneType' object is no tensor: nil stands": func() { m.NN.ReLU().Call(nil) },
	} {
		require.Contains(t, raisedBy(m, f), mistake)
	}
}

func TestModuleHooks(t *testing.T) {
	m := newTorch(t)
	relu := m.NN.ReLU()
	kept := m.List("kept")
	var order []string
	before := relu.RegisterForwardPreHook(func(in *torch.Tensor) { order = append(order, "before") })
	first := relu.RegisterForwardHook(func(_, out *torch.Tensor) { kept.Append(out); order = append(order, "first") })
	relu.RegisterForwardHook(func(in, out *torch.Tensor) {
		require.Equal(t, in.Shape(), out.Shape())
		out.Norm().Drop() // a hook may compute with what it sees
		in.Norm().Drop()
		order = append(order, "second")
	})
	y := m.Let("y", relu.Call(one(m).Neg()))
	require.Equal(t, []string{"before", "first", "second"}, order)
	before.Remove()
	y.Del()
	require.Equal(t, 1.0, mibs(m), "the hook keeps the output")
	first.Remove()
	require.Equal(t, 1.0, mibs(m), "what it kept stays")
	relu.Call(one(m)).Drop()
	require.Equal(t, 1, kept.Len())
	require.Equal(t, []string{"before", "first", "second", "second"}, order)
	kept.Clear()
	require.Zero(t, mibs(m))
}

// TestMovingModules moves a module that has gradients, and one that is used in
// a graph.
func TestMovingModules(t *testing.T) {
	m := newTorch(t)
	model := m.NN.Linear(3, 2).Cuda()
	x := m.Let("x", m.Cuda.Randn(4, 3))
	model.Call(x).Sum().Backward()
	weight, bias := model.Parameters()[0], model.Parameters()[1]
	w, g := weight.Detach().Values(), weight.Grad().Detach().Values()
	require.Equal(t, "weight", weight.Name())
	require.Equal(t, "bias", bias.Name())
	for _, device := range []string{"cpu", "cuda:0", "cuda:0"} {
		if device == "cpu" {
			model.CPU()
		} else {
			model.Cuda()
		}
		require.Equal(t, device, weight.Device())
		require.Equal(t, device, weight.Grad().Device())
		require.Equal(t, w, weight.Detach().Values())
		require.Equal(t, g, weight.Grad().Detach().Values())
	}
	require.True(t, weight.RequiresGrad() && weight.IsLeaf())
	model.Call(x).Sum().Backward()
	require.Equal(t, twiceOf(g), weight.Grad().Detach().Values(), "gradients go on adding up")
}

func twiceOf(list []float64) []float64 {
	out := make([]float64, len(list))
	for i, x := range list {
		out[i] = 2 * x
	}
	return out
}
