package torch_test

import (
	"testing"

	"github.com/torchmem/workbook/runtime/torch"
)

func TestOps3(t *testing.T) {
	m := newTwin(t, "ops3")
	leaf := func(shape ...int) *torch.Tensor { return m.Rand(shape...).Cuda().Add(0.5).RequiresGrad_() }
	x, w, b := m.Let("x", leaf(1000, 1000)), m.Let("w", leaf(1000, 1000)), m.Let("b", leaf(1000))
	m.row("x w b")
	s := m.Let("s", leaf())
	norm := m.NN.LayerNorm(1000).Cuda()
	m.row("s ln")
	linear := func(x torch.Value) *torch.Tensor { return m.Linear(x, w, b) }
	m.afterBackward = norm.ZeroGrad
	m.functions([]function{
		{"layer_norm_affine", func() *torch.Tensor { return norm.Call(x) }},
		{"softmax0", func() *torch.Tensor { return x.Softmax(0) }},
		{"log_softmax0", func() *torch.Tensor { return x.LogSoftmax(0) }},
		{"sum02", func() *torch.Tensor { return x.View(10, 100, 1000).Sum(0, 2) }},
		{"mean01_keep", func() *torch.Tensor { return x.View(10, 100, 1000).MeanKeepDim(0, 1) }},
		{"mean0_keep", func() *torch.Tensor { return x.MeanKeepDim(0) }},
		{"sum_vec", func() *torch.Tensor { return b.Sum() }},
		{"mean_big", func() *torch.Tensor { return m.Cat(0, x, w).Mean() }},
		{"cat1", func() *torch.Tensor { return m.Cat(1, x, w) }},
		{"cat3", func() *torch.Tensor { return m.Cat(0, x, w, x) }},
		{"stack1", func() *torch.Tensor { return m.Stack(1, x, w) }},
		{"cat_cols", func() *torch.Tensor { return m.Cat(1, x, b.View(1000, 1)) }},
		{"mul_t", func() *torch.Tensor { return x.Mul(2).Mul_(w) }},
		{"sub_t", func() *torch.Tensor { return x.Mul(2).Sub_(w) }},
		{"add_row", func() *torch.Tensor { return x.Mul(2).Add_(b) }},
		{"mul_row", func() *torch.Tensor { return x.Mul(2).Mul_(b) }},
		{"relu_chain", func() *torch.Tensor { return x.Mul(2).Relu_().Sum() }},
		{"clamp_max", func() *torch.Tensor { return x.ClampMax(0.7) }},
		{"clamp_both", func() *torch.Tensor { return x.Clamp(0.6, 0.9) }},
		{"pow0", func() *torch.Tensor { return x.Pow(0) }},
		{"pow1", func() *torch.Tensor { return x.Pow(1) }},
		{"mul_s", func() *torch.Tensor { return x.Mul(s) }},
		{"add_s", func() *torch.Tensor { return x.Add(s) }},
		{"div_s", func() *torch.Tensor { return x.Div(s) }},
		{"s_mul", func() *torch.Tensor { return s.Mul(x) }},
		{"mm_sum", func() *torch.Tensor { return x.MatMul(w).Sum() }},
		{"mm_t_sum", func() *torch.Tensor { return x.MatMul(w.T()).Sum() }},
		{"tt_sum", func() *torch.Tensor { return x.T().MatMul(w.T()).Sum() }},
		{"t_mm", func() *torch.Tensor { return x.T().MatMul(w) }},
		{"mm_row", func() *torch.Tensor { return x.Slice(0, 1).MatMul(w) }},
		{"linear_row", func() *torch.Tensor { return linear(x.Slice(0, 1)) }},
		{"linear_t", func() *torch.Tensor { return linear(x.T()) }},
		{"linear_sum", func() *torch.Tensor { return linear(x).Sum() }},
		{"t_mul", func() *torch.Tensor { return x.T().Mul(w) }},
		{"t_add", func() *torch.Tensor { return x.T().Add(w) }},
		{"t_relu", func() *torch.Tensor { return x.T().Relu() }},
		{"t_sum0", func() *torch.Tensor { return x.T().Sum(0) }},
		{"select_relu", func() *torch.Tensor { return x.Index(3).Relu() }},
		{"narrow_mul", func() *torch.Tensor { return x.Slice(10, 20).Mul(w.Slice(10, 20)) }},
		{"expand_mul", func() *torch.Tensor { return b.Expand(1000, 1000).Mul(x) }},
		{"mse_mean", func() *torch.Tensor { return m.MSELoss(x, w) }},
		{"mse_sum", nil},
		{"mse_none", nil},
		{"l1", nil},
		{"norm_vec", func() *torch.Tensor { return b.Norm() }},
		{"dropout1", func() *torch.Tensor { return x.Dropout(1) }},
		{"unsqueeze", func() *torch.Tensor { return b.Unsqueeze(1).Mul(b) }},
		{"x_plus_x", func() *torch.Tensor { return x.Add(x) }},
		{"x_twice", func() *torch.Tensor { return x.Mul(2).Add(x.Mul(3)) }},
		{"three", func() *torch.Tensor { return x.Add(w).Mul(x.Sub(w)).Add(x) }},
		{"view_twice", func() *torch.Tensor { return x.View(-1).Slice(0, 5000).Add(w.View(-1).Slice(0, 5000)) }},
		{"sub_bias", func() *torch.Tensor { return x.Sub(b) }},
		{"div_bias", func() *torch.Tensor { return x.Div(b) }},
		{"bias_div", func() *torch.Tensor { return b.Div(x) }},
		{"rsub", func() *torch.Tensor { return x.SubFrom(1) }},
		{"neg_sum", func() *torch.Tensor { return x.Neg().Sum() }},
		{"exp_inplace", nil},
		{"sum_pow", func() *torch.Tensor { return x.Pow(2).Sum() }},
		{"mean_rows_mul", func() *torch.Tensor { return x.Mul(x.MeanKeepDim(1)) }},
		{"softmax_mm", func() *torch.Tensor { return x.MatMul(w).Softmax(1).MatMul(w) }},
		{"gelu_tanh", nil},
		{"min", func() *torch.Tensor { return x.Min() }},
		{"var", nil},
		{"double_sum", func() *torch.Tensor { return x.Double().Sum() }},
	}, x, w, b, s)
	m.end()
}
