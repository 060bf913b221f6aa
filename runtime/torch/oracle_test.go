package torch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/torch"
)

// The programs of this file are the Go twins of recorded ones. Each row is
// compared with PyTorch's: fourteen counters, and every allocation and free in
// its order. There is no tolerance.

// function is one expression of a recorded program.
type function struct {
	name string
	call func() *torch.Tensor
}

func TestElementwise(t *testing.T) {
	m := newTwin(t, "elementwise")
	x := m.Let("x", m.Randn(1000, 1000).Cuda().RequiresGrad_())
	m.row("x")
	for _, f := range []function{
		{"exp", func() *torch.Tensor { return x.Exp() }},
		{"relu", func() *torch.Tensor { return x.Relu() }},
		{"sigmoid", func() *torch.Tensor { return x.Sigmoid() }},
		{"tanh", func() *torch.Tensor { return x.Tanh() }},
		{"sin", func() *torch.Tensor { return x.Sin() }},
		{"mul_self", func() *torch.Tensor { return x.Mul(x) }},
		{"mul2", func() *torch.Tensor { return x.Mul(2) }},
		{"add1", func() *torch.Tensor { return x.Add(1) }},
		{"pow2", func() *torch.Tensor { return x.Pow(2) }},
		{"softmax", func() *torch.Tensor { return x.Softmax(1) }},
		{"gelu", func() *torch.Tensor { return x.Gelu() }},
		{"silu", func() *torch.Tensor { return x.Silu() }},
		{"layer_norm", func() *torch.Tensor { return m.LayerNorm(x, 1000) }},
		{"sum", func() *torch.Tensor { return x.Sum() }},
		{"mean", func() *torch.Tensor { return x.Mean() }},
		{"transpose_contig", func() *torch.Tensor { return x.T().Contiguous() }},
		{"matmul", func() *torch.Tensor { return x.MatMul(x) }},
		{"dropout", func() *torch.Tensor { return x.Dropout(0.5) }},
		{"log_softmax", func() *torch.Tensor { return x.LogSoftmax(1) }},
		{"sqrt", func() *torch.Tensor { return x.Abs().Sqrt() }},
	} {
		m.Cuda.ResetPeakMemoryStats()
		y := m.Let("y", f.call())
		m.row(f.name + " fwd")
		y.BackwardWith(m.OnesLike(y))
		m.row(f.name + " bwd")
		y.Del()
		m.row(f.name + " del")
		x.ClearGrad()
		m.row(f.name + " grad none")
	}
	m.end()
}

// notBuilt are the recorded functions that the workbook leaves out, and why.
// Their allocations are replayed, so that the rows after them still compare.
var notBuilt = map[string]string{
	"half":        "there is no float16 type",
	"bmm":         "there are products of matrices, not of batches of them",
	"mse_sum":     "mse_loss has no reduction but the mean",
	"mse_none":    "mse_loss has no reduction but the mean",
	"l1":          "l1_loss is left to exercises: x.Sub(w).Abs().Mean()",
	"exp_inplace": "changes in place are those of training loops",
	"gelu_tanh":   "gelu has no approximation; it allocates the same",
	"var":         "a variance is left to exercises",
}

func TestOps2(t *testing.T) {
	m := newTwin(t, "ops2")
	leaf := func(shape ...int) *torch.Tensor { return m.Rand(shape...).Cuda().Add(0.5).RequiresGrad_() }
	x, w, b := m.Let("x", leaf(1000, 1000)), m.Let("w", leaf(1000, 1000)), m.Let("b", leaf(1000))
	m.row("x w b")
	classes := func() *torch.Tensor { return m.Cuda.FullOf(torch.Int64, 0, 1000) }
	m.functions([]function{
		{"sub", func() *torch.Tensor { return x.Sub(w) }},
		{"sub1", func() *torch.Tensor { return x.Sub(1) }},
		{"rsub1", func() *torch.Tensor { return x.SubFrom(1) }},
		{"div", func() *torch.Tensor { return x.Div(w) }},
		{"div2", func() *torch.Tensor { return x.Div(2) }},
		{"rdiv1", func() *torch.Tensor { return x.DivInto(1) }},
		{"neg", func() *torch.Tensor { return x.Neg() }},
		{"mul", func() *torch.Tensor { return x.Mul(w) }},
		{"add", func() *torch.Tensor { return x.Add(w) }},
		{"add_bias", func() *torch.Tensor { return x.Add(b) }},
		{"mul_bias", func() *torch.Tensor { return x.Mul(b) }},
		{"log", func() *torch.Tensor { return x.Log() }},
		{"cos", func() *torch.Tensor { return x.Cos() }},
		{"abs", func() *torch.Tensor { return x.Abs() }},
		{"pow3", func() *torch.Tensor { return x.Pow(3) }},
		{"pow_half", func() *torch.Tensor { return x.Pow(0.5) }},
		{"reciprocal", func() *torch.Tensor { return x.Reciprocal() }},
		{"sum0", func() *torch.Tensor { return x.Sum(0) }},
		{"sum1", func() *torch.Tensor { return x.Sum(1) }},
		{"mean0", func() *torch.Tensor { return x.Mean(0) }},
		{"mean1", func() *torch.Tensor { return x.Mean(1) }},
		{"sum1_keep", func() *torch.Tensor { return x.SumKeepDim(1) }},
		{"view", func() *torch.Tensor { return x.View(100, 10000) }},
		{"reshape_t", func() *torch.Tensor { return x.T().Reshape(-1) }},
		{"select", func() *torch.Tensor { return x.Index(3) }},
		{"narrow", func() *torch.Tensor { return x.Slice(10, 20) }},
		{"cat", func() *torch.Tensor { return m.Cat(0, x, w) }},
		{"stack", func() *torch.Tensor { return m.Stack(0, x, w) }},
		{"clone", func() *torch.Tensor { return x.Clone() }},
		{"double", func() *torch.Tensor { return x.Double() }},
		{"half", nil},
		{"mm", func() *torch.Tensor { return x.MatMul(w) }},
		{"mm_t", func() *torch.Tensor { return x.MatMul(w.T()) }},
		{"tt", func() *torch.Tensor { return x.T().MatMul(w.T()) }},
		{"mv", func() *torch.Tensor { return x.MatMul(b) }},
		{"linear_nobias", func() *torch.Tensor { return m.Linear(x, w, nil) }},
		{"linear", func() *torch.Tensor { return m.Linear(x, w, b) }},
		{"mse", func() *torch.Tensor { return m.MSELoss(x, w.Detach()) }},
		{"mse_mean_manual", func() *torch.Tensor { return x.Sub(w).Pow(2).Mean() }},
		{"max", func() *torch.Tensor { return x.Max() }},
		{"expand", func() *torch.Tensor { return b.Expand(1000, 1000) }},
		{"clamp", func() *torch.Tensor { return x.ClampMin(0.7) }},
		{"leaky", func() *torch.Tensor { return x.LeakyRelu(0.01) }},
		{"dropout0", func() *torch.Tensor { return x.Dropout(0) }},
		{"dropout_eval", func() *torch.Tensor { return m.NN.Dropout(0.5).Eval().Call(x) }},
		{"inplace_relu", func() *torch.Tensor { return x.Mul(2).Relu_() }},
		{"inplace_add", func() *torch.Tensor { return x.Mul(2).Add_(w) }},
		{"inplace_mul", func() *torch.Tensor { return x.Add(1).Mul_(2) }},
		{"cross_entropy", func() *torch.Tensor { return m.CrossEntropy(x, classes()) }},
		{"norm", func() *torch.Tensor { return x.Norm() }},
		{"outer", func() *torch.Tensor { return b.Outer(b) }},
		{"bmm", nil},
	}, x, w, b)
	m.end()
}

// functions compares each function in five statements, as the recorder's loop
// has them: forward, a gradient, backward, and what is deleted.
func (m *twin) functions(all []function, leaves ...*torch.Var) {
	m.t.Helper()
	for _, f := range all {
		if f.call == nil {
			require.Contains(m.t, notBuilt, f.name)
			m.replay(f.name + " ")
			continue
		}
		m.Cuda.ResetPeakMemoryStats()
		y := m.Let("y", f.call())
		m.row(f.name + " fwd")
		g := m.Let("g", m.OnesLike(y))
		m.row(f.name + " grad")
		y.BackwardWith(g)
		m.row(f.name + " bwd")
		m.Del(y, g)
		m.row(f.name + " del")
		for _, leaf := range leaves {
			leaf.ClearGrad()
		}
		if m.afterBackward != nil {
			m.afterBackward()
		}
		m.row(f.name + " grad none")
	}
}

func TestMoveGrad(t *testing.T) {
	m := newTwin(t, "move_grad")
	model := m.NN.Linear(1000, 1000).Cuda()
	m.row("model")
	x, out := m.Var("x"), m.List("out")
	for i := range 3 {
		x.Set(m.Randn(1000, 1000).Cuda())
		out.Append(model.Call(x).CPU())
		m.row([]string{"0", "1", "2"}[i] + " append cpu with graph")
	}
	loss := m.Let("loss", out.At(0).Sum())
	m.row("loss")
	loss.Backward()
	m.row("backward")
	out.Clear()
	loss.Del()
	m.row("clear")
	y := m.Let("y", m.Randn(10, 10).RequiresGrad_())
	z := m.Let("z", y.Cuda())
	m.row("z = y.cuda()")
	z.Mul(z).Sum().Backward()
	m.row("backward 2")
	require.Equal(t, m.want.Text("grad_device"), y.Grad().Device())
	model.CPU()
	m.row("model.cpu()")
	model.Cuda()
	m.row("model.cuda()")
	m.end()
}
