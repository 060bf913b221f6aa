package torch_test

import (
	"encoding/json"
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/tensor"
	"github.com/torchmem/workbook/runtime/torch"
)

// recordedError is what PyTorch raised.
type recordedError struct{ Type, Text, Result string }

func TestErrorTexts(t *testing.T) {
	b, err := os.ReadFile("../../testdata/oracle/errors.json")
	require.NoError(t, err)
	var recorded struct{ Errors map[string]recordedError }
	require.NoError(t, json.Unmarshal(b, &recorded))
	m := newTorch(t)
	// g and r are the recorder's: ones on the GPU, without and with a
	// gradient.
	g := func(shape ...int) *torch.Tensor { return m.Cuda.Full(1, shape...) }
	r := func(shape ...int) *torch.Tensor { return g(shape...).RequiresGrad_() }
	options := useReentrant(false)
	relus := m.NN.Sequential(m.NN.ReLU(), m.NN.ReLU())
	for name, f := range map[string]func(){
		"negative_size":            func() { m.Randn(-1) },
		"negative_size_2d":         func() { m.Cuda.Empty(2, -3) },
		"overflow":                 func() { m.Zeros(1<<40, 1<<40) },
		"overflow_cuda":            func() { m.Cuda.Empty(1<<40, 1<<40) },
		"exbibyte":                 func() { m.Cuda.EmptyUint8(1 << 60) },
		"mm_shapes":                func() { g(2, 3).MatMul(g(2, 3)) },
		"linear_shapes":            func() { m.NN.Linear(3, 4).Cuda().Call(g(2, 5)) },
		"linear_bias":              func() { m.Linear(g(2, 3), g(4, 3), g(5)) },
		"broadcast":                func() { g(2, 3).Add(g(2, 4)) },
		"broadcast_inplace":        func() { g(3).Add_(g(2, 3)) },
		"select_range":             func() { g(2, 3).Index(5) },
		"select_negative":          func() { g(2, 3).Index(-3) },
		"select_scalar":            func() { g().Index(0) },
		"view_size":                func() { g(2, 3).View(4) },
		"view_infer":               func() { g(2, 3).View(4, -1) },
		"view_stride":              func() { g(2, 3).T().View(6) },
		"view_two_unknown":         func() { g(2, 3).View(-1, -1) },
		"view_negative":            func() { g(2, 3).View(-2, 3) },
		"reshape":                  func() { g(2, 3).Reshape(5) },
		"expand":                   func() { g(2, 3).Expand(4, 3) },
		"expand_fewer":             func() { g(2, 3).Expand(3) },
		"t_3d":                     func() { g(2, 3, 4).T() },
		"sum_dim":                  func() { g(2, 3).Sum(2) },
		"sum_dim_negative":         func() { g(2, 3).Sum(-3) },
		"sum_dim_twice":            func() { g(2, 3).Sum(0, 0) },
		"devices":                  func() { g(2, 3).Add(m.Ones(2, 3)) },
		"devices_mm":               func() { g(2, 3).MatMul(m.Ones(3, 2)) },
		"devices_linear":           func() { m.NN.Linear(3, 4).Call(g(2, 3)) },
		"dropout":                  func() { g(2).Dropout(2) },
		"dropout_module":           func() { m.NN.Dropout(-0.5) },
		"item":                     func() { g(2, 3).Item() },
		"backward_shape":           func() { r(2, 3).Exp().Backward() },
		"backward_no_grad":         func() { g(2, 3).Sum().Backward() },
		"backward_grad_shape":      func() { r(2, 3).Exp().BackwardWith(g(3, 2)) },
		"hook":                     func() { g(2).RegisterHook(func(x *torch.Tensor) *torch.Tensor { return x }) },
		"leaf_inplace":             func() { r(2, 3).Add_(1) },
		"requires_grad_int":        func() { m.Cuda.FullOf(torch.Int64, 1, 2).RequiresGrad_() },
		"cat_shapes":               func() { m.Cat(0, g(2, 3), g(3, 4)) },
		"stack_shapes":             func() { m.Stack(0, g(2, 3), g(3, 4)) },
		"cat_empty":                func() { m.Cat(0) },
		"mse_shapes":               func() { m.MSELoss(g(2, 3), g(2, 4)) },
		"layer_norm":               func() { m.LayerNorm(g(2, 3), 4) },
		"zero_dim_mm":              func() { g().MatMul(g(2, 2)) },
		"ckpt_sequential_zero":     func() { m.CheckpointSequential(relus, 0, g(2), options) },
		"ckpt_sequential_segments": func() { m.CheckpointSequential(relus, 3, g(2), options) },
		"twice": func() {
			y := m.Let("y", r(2, 2).Exp().Sum())
			y.Backward()
			y.Backward()
		},
		"modified": func() {
			x := m.Let("x", r(2, 2).Mul(1))
			y := m.Let("y", x.Exp())
			z := y.Mul(y).Sum()
			y.Add_(1)
			z.Backward()
		},
		"modified_input": func() {
			x, w := m.Let("x", g(2, 2)), m.Let("w", r(2, 2))
			y := x.Mul(w).Sum()
			x.Add_(1)
			y.Backward()
		},
		"inference_saved": func() {
			x := m.Var("x")
			m.InferenceMode(func() { x.Set(g(2, 2)) })
			x.Mul(r(2, 2)).Sum()
		},
		"inference_requires_grad": func() {
			x := m.Var("x")
			m.InferenceMode(func() { x.Set(g(2, 2)) })
			x.RequiresGrad_()
		},
		"ckpt_mismatch": func() {
			n := 0
			f := torch.Func(func(x *torch.Tensor) *torch.Tensor {
				if n++; n == 1 {
					return x.Exp().Exp()
				}
				return x.Exp()
			})
			m.Checkpoint(f, r(2, 2), options, earlyStop(false)).Sum().Backward()
		},
		"ckpt_none": func() {
			m.Checkpoint(torch.Func((*torch.Tensor).Detach), r(2, 2), useReentrant(true)).Sum().Backward()
		},
		"fraction": func() {
			if err := m.Cuda.SetPerProcessMemoryFraction(1.5); err != nil {
				panic(err)
			}
		},
	} {
		want, ok := recorded.Errors[name]
		require.True(t, ok, name)
		delete(recorded.Errors, name)
		t.Run(name, func(t *testing.T) {
			err := m.Raises(f)
			require.Error(t, err)
			require.Equal(t, want.Text, err.Error())
			if misuse, ok := errors.AsType[*tensor.Error](err); ok {
				require.Equal(t, want.Type, misuse.Kind)
			}
		})
	}
	for name := range recorded.Errors {
		require.Contains(t, elsewhere, name, "a recorded error is not tried")
	}
}

// elsewhere are the recorded errors that no statement here can make, and why.
var elsewhere = map[string]string{
	"mm_3d":   "torch.mm is spelled x.MatMul, which takes three dimensions for a batch",
	"div_int": "no error: the result is infinite",
}
