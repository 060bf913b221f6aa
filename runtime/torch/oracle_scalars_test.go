package torch_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/tensor"
	"github.com/torchmem/workbook/runtime/torch"
)

// The twins of this file put a tensor without dimensions on the CPU, a number,
// beside tensors on the GPU. Besides events and counters they compare where each
// result and each gradient lies, and what is in it.

// seen is what a recording has of a tensor: its device, shape and type, and its
// first element.
type seen struct {
	device, dtype string
	shape         []int
	first         float64
}

// UnmarshalJSON reads the list that the recorder writes.
func (s *seen) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&s.device, &s.shape, &s.dtype, &s.first})
}

// see looks at a tensor, or at none.
func see(x *torch.Tensor) *seen {
	if x == nil {
		return nil
	}
	s := &seen{x.Device(), "torch." + x.DType().String(), append([]int{}, x.Shape()...), 0}
	s.first = x.Detach().Reshape(-1).Index(0).Item().Float64()
	return s
}

// sees compares tensors with those that the recording has under the name.
func (m *twin) sees(name string, got ...*seen) {
	m.t.Helper()
	var want []*seen
	require.NoError(m.t, json.Unmarshal(m.want.Extra[name], &want), name)
	require.Len(m.t, got, len(want), name)
	for i := range want {
		if want[i] != nil && got[i] != nil {
			require.InDelta(m.t, want[i].first, got[i].first, 1e-6*math.Abs(want[i].first), "%s, %d", name, i)
			want[i].first = got[i].first
		}
	}
	require.Equal(m.t, want, got, name)
}

// number returns a number that requires a gradient.
func (m *twin) number(x float64) *torch.Tensor { return m.Scalar(x).RequiresGrad_() }

// numberOf returns a number of some type.
func (m *twin) numberOf(d torch.DType, x float64) *torch.Tensor {
	example := m.Scalar(x)
	defer example.Drop()
	ctx := example.Context()
	return ctx.Wrap(tensor.Full(ctx.CPU, d, x))
}

// matrix returns a million numbers on the GPU.
func (m *twin) matrix(x float64) *torch.Tensor { return m.Cuda.Full(x, 1000, 1000) }

func TestCPUScalars(t *testing.T) {
	m := newTwin(t, "cpu_scalars")
	for _, operator := range []string{"add", "sub", "mul", "div"} {
		for _, first := range []string{"t", "y"} {
			for _, grads := range []string{"t", "t y", "y"} {
				label := operator + " " + first + " first, grad of " + grads
				t, y := m.Let("t", m.Scalar(2)), m.Let("y", m.matrix(3))
				if grads != "y" {
					t.RequiresGrad_()
				}
				if grads != "t" {
					y.RequiresGrad_()
				}
				m.row(label + ": t y")
				z := m.Var("z")
				if first == "t" {
					z.Set(binary[operator](t.Tensor, y))
				} else {
					z.Set(binary[operator](y.Tensor, t))
				}
				m.row(label + ": z")
				z.Sum().Backward()
				m.row(label + ": backward")
				m.sees(label, see(z.Tensor), see(t.Grad()), see(y.Grad()))
				m.Del(t, y, z)
				m.row(label + ": del")
			}
		}
	}
	m.end()
}

// typed has numbers of other types than the matrix.
func (m *twin) typed() {
	for _, d := range []torch.DType{torch.Float64, torch.Float32, torch.Int64} {
		t, y := m.Let("t", m.numberOf(d, 2)), m.Let("y", m.matrix(3).RequiresGrad_())
		if d != torch.Int64 {
			t.RequiresGrad_()
		}
		name := "torch." + d.String()
		z := m.Let("z", t.Mul(y))
		m.row(name + " z")
		z.Sum().Backward()
		m.row(name + " backward")
		m.sees(name, see(z.Tensor), see(t.Grad()), see(y.Grad()))
		m.Del(t, y, z)
		m.row(name + " del")
	}
	for _, d := range [][2]torch.DType{{torch.Int64, torch.Float32}, {torch.Int64, torch.Float64}, {torch.Bool, torch.Int64}, {torch.Uint8, torch.Int64}} {
		m.sees(fmt.Sprintf("torch.%s torch.%s", d[0], d[1]), see(m.Cuda.FullOf(d[0], 1, 2).Mul(m.numberOf(d[1], 2))))
	}
	m.sees("float32 float64 scalars", see(m.Cuda.Full(1).Mul(m.numberOf(torch.Float64, 2))))
	m.row("types")
}

// scalarsOnly has no dimensions on either device.
func (m *twin) scalarsOnly() {
	for _, operator := range []string{"add", "mul", "div"} {
		t, y := m.Let("t", m.number(2)), m.Let("y", m.Cuda.Full(4).RequiresGrad_())
		z := m.Let("z", binary[operator](t.Tensor, y))
		m.row("scalars " + operator)
		z.Backward()
		m.row("scalars " + operator + " backward")
		m.sees("scalars "+operator, see(z.Tensor), see(t.Grad()), see(y.Grad()))
		m.Del(t, y, z)
		m.row("scalars " + operator + " del")
	}
}

// givenGradients starts backward with a number of the other device.
func (m *twin) givenGradients() {
	t, y := m.Let("t", m.number(2)), m.Let("y", m.Cuda.Full(4).RequiresGrad_())
	u := m.Let("u", t.Mul(1))
	u.BackwardWith(m.Cuda.Full(3))
	m.row("u.backward(cuda)")
	u.Set(t.Mul(1))
	u.BackwardWith(m.Cuda.FullOf(torch.Float64, 3))
	m.row("u.backward(cuda float64)")
	z := m.Let("z", y.Mul(1))
	m.row("z = y * 1")
	z.BackwardWith(m.Scalar(3))
	m.row("z.backward(cpu)")
	z.Set(y.Mul(1))
	z.BackwardWith(m.numberOf(torch.Float64, 3))
	m.row("z.backward(cpu float64)")
	m.sees("given", see(t.Grad()), see(y.Grad()))
	m.Del(t, y, u, z)
	m.row("given del")
}

func (m *twin) ofNothing() {
	t, e := m.Let("t", m.number(2)), m.Let("e", m.Cuda.Full(0, 0, 3))
	e.Mul(t).Sum().Backward()
	m.sees("empty", see(t.Grad()))
	m.Del(t, e)
	m.row("empty")
}
