package drivertest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
	"github.com/torchmem/workbook/runtime/host"
)

func newSim(*testing.T) gpu.Driver { return sim.New(gpu.DefaultProfile()) }

func TestKernelsOfTheSimulatedDriver(t *testing.T) { Kernels(t, newSim) }

func TestEveryKernelHasAForm(t *testing.T) {
	require.Len(t, kernelForms, len(host.Names()))
	for _, name := range host.Names() {
		require.Contains(t, kernelForms, name)
	}
}

// liar is a driver that changes kernels before it runs them, and memory after.
type liar struct {
	gpu.Driver
	before func(k gpu.Kernel) gpu.Kernel
	after  func(d gpu.Driver, k gpu.Kernel) error
}

func (l liar) Launch(k gpu.Kernel, s gpu.Stream) error {
	k.In = slices.Clone(k.In)
	if l.before != nil {
		k = l.before(k)
	}
	if err := l.Driver.Launch(k, s); err != nil || l.after == nil {
		return err
	}
	return l.after(l.Driver, k)
}

// changed returns a driver that changes kernels.
func changed(change func(k gpu.Kernel) gpu.Kernel) liar {
	return liar{Driver: newSim(nil), before: change}
}

// TestKernelsFindsWrongDrivers lets drivers be wrong in one way each, and wants
// the suite to notice for every kernel that this makes wrong.
func TestKernelsFindsWrongDrivers(t *testing.T) {
	for lie, test := range map[string]struct {
		driver liar
		names  []string
	}{
		"results are two steps of float32 too large": {nudging(), except(host.Names(), "eq", "ge_scalar", "le_scalar", "eq_scalar", "isnan", "logical_and", "logical_or")},
		"truth is turned":      {turning(), []string{"eq", "ge_scalar", "le_scalar", "eq_scalar", "isnan", "logical_and", "logical_or", "bernoulli"}},
		"one element too many": {spilling(), host.Names()},
		"the output has no offset": {changed(func(k gpu.Kernel) gpu.Kernel {
			k.Out.Offset = 0
			return k
		}), except(host.Names(), "matmul", "addmm")},
		"the last input has no offset": {changed(func(k gpu.Kernel) gpu.Kernel {
			if n := len(k.In); n > 0 {
				k.In[n-1].Offset = 0
			}
			return k
		}), except(withInput(1), "layer_norm", "layer_norm_backward", "layer_norm_weight")},
		"inputs are dense": {changed(func(k gpu.Kernel) gpu.Kernel {
			for i, in := range k.In {
				if in.Number == nil {
					k.In[i].Stride = rowMajor(in.Shape)
				}
			}
			return k
		}), withInput(1)},
		"inputs are changed over": {changed(func(k gpu.Kernel) gpu.Kernel {
			if len(k.In) > 1 && k.In[0].Type == k.In[1].Type && slices.Equal(k.In[0].Shape, k.In[1].Shape) {
				k.In[0], k.In[1] = k.In[1], k.In[0]
			}
			return k
		}), except(withInput(2), "add", "mul", "eq", "logical_and", "logical_or", "mse", "dropout", "masked_fill",
			"where", "nll_loss", "nll_loss_backward", "matmul", "addmm")},
		"the scalar is another": {changed(func(k gpu.Kernel) gpu.Kernel {
			if len(k.Scalars) > 0 {
				k.Scalars = []float64{k.Scalars[0]*0.75 + 0.1}
			}
			return k
		}), withScalar()},
		"the seed is another": {changed(func(k gpu.Kernel) gpu.Kernel {
			k.Seed++
			return k
		}), []string{"rand", "randn", "bernoulli"}},
		"draws begin anew": {changed(func(k gpu.Kernel) gpu.Kernel {
			k.Draw = 0
			return k
		}), []string{"rand", "randn", "bernoulli"}},
	} {
		t.Run(lie, func(t *testing.T) {
			for _, name := range test.names {
				require.Error(t, firstError(test.driver, name), name)
			}
		})
	}
}

// firstError returns what the suite says of one kernel.
func firstError(d gpu.Driver, name string) error {
	random := rand.New(rand.NewPCG(rand.Uint64(), 0))
	for range 2 * trials {
		if err := tryRandom(d, name, random); err != nil {
			return err
		}
	}
	return nil
}

// nudging multiplies results that are fractions.
func nudging() liar {
	return liar{Driver: newSim(nil), after: func(d gpu.Driver, k gpu.Kernel) error {
		if whole(k.Out.Type) {
			return nil
		}
		return d.Launch(gpu.Kernel{Name: "mul_scalar", Out: k.Out, In: []gpu.Operand{k.Out}, Scalars: []float64{1 + 0x1p-22}}, 0)
	}}
}

// turning makes true what is false.
func turning() liar {
	return liar{Driver: newSim(nil), after: func(d gpu.Driver, k gpu.Kernel) error {
		if k.Out.Type != gpu.Bool {
			return nil
		}
		return d.Launch(gpu.Kernel{Name: "eq_scalar", Out: k.Out, In: []gpu.Operand{k.Out}, Scalars: []float64{0}}, 0)
	}}
}

// spilling writes behind the output.
func spilling() liar {
	return liar{Driver: newSim(nil), after: func(d gpu.Driver, k gpu.Kernel) error {
		behind := gpu.Operand{Base: k.Out.Base, Type: k.Out.Type, Offset: int(host.Extent(k.Out) / k.Out.Type.Size())}
		return d.Launch(gpu.Kernel{Name: "eq_scalar", Out: behind, In: []gpu.Operand{behind}, Scalars: []float64{0}}, 0)
	}}
}

func except(names []string, some ...string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(some, name) })
}

// withInput lists the kernels that have so many inputs at least.
func withInput(n int) []string {
	return choose(func(k gpu.Kernel) bool { return len(k.In) >= n })
}

func withScalar() []string {
	return except(choose(func(k gpu.Kernel) bool { return len(k.Scalars) > 0 }), "norm", "max", "min")
}

func choose(suits func(k gpu.Kernel) bool) []string {
	var names []string
	random := rand.New(rand.NewPCG(rand.Uint64(), 0))
	for _, name := range host.Names() {
		if suits(kernelForms[name].build(&maker{Rand: random})) {
			names = append(names, name)
		}
	}
	return names
}
