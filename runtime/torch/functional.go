package torch

import "github.com/torchmem/workbook/runtime/autograd"

// Cat is torch.cat([…], dim).
func (t *Torch) Cat(dim int, tensors ...Value) *Tensor { return t.ctx.Cat(dim, tensors...) }

// Stack is torch.stack([…], dim).
func (t *Torch) Stack(dim int, tensors ...Value) *Tensor { return t.ctx.Stack(dim, tensors...) }

// Linear is torch.nn.functional.linear. The bias may be nil.
func (t *Torch) Linear(x, weight, bias Value) *Tensor { return autograd.Linear(x, weight, bias) }

// LayerNorm is torch.nn.functional.layer_norm over the last dimensions, whose
// sizes are given, without weight and bias.
func (t *Torch) LayerNorm(x Value, size ...int) *Tensor {
	return autograd.LayerNorm(x, size, nil, nil)
}

// MSELoss is torch.nn.functional.mse_loss.
func (t *Torch) MSELoss(input, target Value) *Tensor { return autograd.MSELoss(input, target) }

// CrossEntropy is torch.nn.functional.cross_entropy. The target holds the
// number of each sample's class, as int64.
func (t *Torch) CrossEntropy(input, target Value) *Tensor {
	return autograd.CrossEntropy(input, target)
}
