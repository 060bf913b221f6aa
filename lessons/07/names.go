package main

import "github.com/torchmem/workbook/runtime/torch"

// What takes or returns a tensor or a number is written here: in a program,
// torch is the program's own PyTorch, not the package.

// number is a Python number.
func number(x float64) torch.Number { return torch.NumberOf(x) }

// numbers is a Python list of numbers. It holds no tensor.
type numbers []torch.Number

// keepSum is a hook: sums.append(g.sum().item()).
func (n *numbers) keepSum(grad *torch.Tensor) *torch.Tensor {
	*n = append(*n, grad.Sum().Item())
	return nil
}
