package torch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/torch"
)

// TestMoreErrorTexts has mistakes whose texts PyTorch 2.11 gave on the same
// GPU, beyond those of the recorded table.
func TestMoreErrorTexts(t *testing.T) {
	m := newTorch(t)
	x := func() *torch.Tensor { return m.Ones(3, 4) }
	l := func() *torch.Tensor { return m.Ones(3, 4).RequiresGrad_() }
	gpu := func() *torch.Tensor { return m.Cuda.Full(1, 3, 4) }
	long := func(shape ...int) *torch.Tensor { return m.Cuda.FullOf(torch.Int64, 1, shape...) }
	hook := func(result *torch.Tensor) {
		y := m.Let("y", l().Mul(2))
		y.RegisterHook(func(*torch.Tensor) *torch.Tensor { return result })
		y.Sum().Backward()
	}
	const range2 = "IndexError: Dimension out of range (expected to be in range of [-2, 1], but got 2)"
	for text, f := range map[string]func(){
		"RuntimeError: shape '[5, 2]' is invalid for input of size 12":                                                                                                                       func() { x().View(5, 2) },
		"RuntimeError: shape '[-1, 0]' is invalid for input of size 12":                                                                                                                      func() { x().Reshape(-1, 0) },
		"RuntimeError: shape '[3]' is invalid for input of size 2":                                                                                                                           func() { m.Tensor([]float32{1, 2}, 2).View(3) },
		"RuntimeError: cannot reshape tensor of 0 elements into shape [0, -1] because the unspecified dimension size -1 can be any value and is ambiguous":                                   func() { m.Zeros(0).View(0, -1) },
		"RuntimeError: output with shape [3, 4] doesn't match the broadcast shape [2, 3, 4]":                                                                                                 func() { x().Add_(m.Ones(2, 3, 4)) },
		"RuntimeError: output with shape [] doesn't match the broadcast shape [3, 4]":                                                                                                        func() { m.Scalar(1).Add_(x()) },
		"RuntimeError: Expected all tensors to be on the same device, but got mat2 is on cuda:0, different from other tensors on cpu (when checking argument in method wrapper_CUDA_mm)":     func() { x().MatMul(gpu()) },
		"RuntimeError: Expected all tensors to be on the same device, but got tensors is on cuda:0, different from other tensors on cpu (when checking argument in method wrapper_CUDA_cat)": func() { m.Cat(0, x(), gpu()) },
		"RuntimeError: expected m1 and m2 to have the same dtype, but got: double != float":                                                                                                  func() { x().Double().MatMul(m.Ones(4, 2)) },
		"RuntimeError: size mismatch, got input (3), mat (3x4), vec (3)":                                                                                                                     func() { x().MatMul(m.Ones(3)) },
		"RuntimeError: dim 0 appears multiple times in the list of dims":                                                                                                                     func() { x().Sum(0, -2) },
		range2: func() { x().Transpose(0, 2) },
		"IndexError: Dimension out of range (expected to be in range of [-3, 2], but got 5)":                                                                                                             func() { x().Unsqueeze(5) },
		"IndexError: Dimension out of range (expected to be in range of [-3, 2], but got 4)":                                                                                                             func() { m.Stack(4, x()) },
		"IndexError: slice() cannot be applied to a 0-dim tensor.":                                                                                                                                       func() { m.Scalar(1).Slice(0, 1) },
		"RuntimeError: The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension 0":                                                                                        func() { x().Expand(-1, 3, 4) },
		"RuntimeError: The expanded size of the tensor (-2) must match the existing size (4) at non-singleton dimension 1.  Target sizes: [3, -2].  Tensor sizes: [3, 4]":                                func() { x().Expand(3, -2) },
		"RuntimeError: invalid gradient at index 0 - expected device cpu but got cuda:0":                                                                                                                 func() { l().Mul(2).BackwardWith(gpu()) },
		"RuntimeError: a view of a leaf Variable that requires grad is being used in an in-place operation.":                                                                                             func() { l().Index(0).Add_(1) },
		"RuntimeError: hook '<lambda>' has changed the size of value":                                                                                                                                    func() { hook(m.Ones(2)) },
		"RuntimeError: hook '<lambda>' has changed the type of value (was torch.FloatTensor got torch.DoubleTensor)":                                                                                     func() { hook(x().Double()) },
		"RuntimeError: hook '<lambda>' has changed the type of value (was torch.FloatTensor got torch.cuda.FloatTensor)":                                                                                 func() { hook(gpu()) },
		"ValueError: dropout probability has to be between 0 and 1, but got 1.5":                                                                                                                         func() { x().Dropout(1.5) },
		"RuntimeError: zero-dimensional tensor (at position 1) cannot be concatenated":                                                                                                                   func() { m.Cat(0, x(), m.Scalar(1)) },
		"RuntimeError: Tensors must have same number of dimensions: got 2 and 3":                                                                                                                         func() { m.Cat(0, x(), m.Ones(3, 4, 1)) },
		"RuntimeError: stack expects a non-empty TensorList":                                                                                                                                             func() { m.Stack(0) },
		"RuntimeError: mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: Long":                                                                    func() { long(3).Mean() },
		"RuntimeError: result type Float can't be cast to the desired output type Long":                                                                                                                  func() { long(3).Add_(0.5) },
		"NotImplementedError: \"host_softmax\" not implemented for 'Long'":                                                                                                                               func() { long(3).Softmax(0) },
		"NotImplementedError: \"addmm_cuda\" not implemented for 'Long'":                                                                                                                                 func() { long(3, 3).MatMul(long(3, 3)) },
		"NotImplementedError: \"LayerNormKernelImpl\" not implemented for 'Long'":                                                                                                                        func() { m.LayerNorm(long(3, 3), 3) },
		"RuntimeError: Given normalized_shape=[3], expected input with shape [*, 3], but got input of size[3, 4]":                                                                                        func() { m.LayerNorm(x(), 3) },
		"ValueError: Expected input batch_size (3) to match target batch_size (4).":                                                                                                                      func() { m.CrossEntropy(gpu(), long(4)) },
		"RuntimeError: expected scalar type Long but found Float":                                                                                                                                        func() { m.CrossEntropy(x(), m.Zeros(3)) },
		"RuntimeError: Expected all tensors to be on the same device, but got target is on cuda:0, different from other tensors on cpu (when checking argument in method wrapper_CUDA_nll_loss_forward)": func() { m.CrossEntropy(x(), long(3)) },
		"RuntimeError: max(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.":                                                         func() { m.Zeros(3, 0).Max() },
		"RuntimeError: unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation.":             func() { m.Ones(1, 4).Expand(3, 4).Add_(1) },
		"RuntimeError: A view was created in no_grad mode and is being modified inplace with grad mode enabled. Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view and the inplace either both inside the no_grad block (if you don't want the inplace to be tracked) or both outside (if you want the inplace to be tracked).": func() {
			y, v := m.Let("y", l().Mul(2)), m.Var("v")
			m.NoGrad(func() { v.Set(y.Index(0)) })
			v.Add_(1)
		},
	} {
		t.Run(text, func(t *testing.T) { require.Equal(t, text, raisedBy(m, f)) })
	}
	require.Contains(t, raisedBy(m, func() { x().Add("one") }), "string is neither a tensor nor a number")
	for _, f := range []func(none *torch.Tensor){
		func(none *torch.Tensor) { none.Mul(2) },
		func(none *torch.Tensor) { none.Mul(x()) },
		func(none *torch.Tensor) { x().Mul(none) },
		func(none *torch.Tensor) { gpu().Add_(none) },
		func(none *torch.Tensor) { none.Exp() },
	} {
		require.Contains(t, raisedBy(m, func() { f(x().Grad()) }), "AttributeError: 'NoneType' object is no tensor")
	}
}
