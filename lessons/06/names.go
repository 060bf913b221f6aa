package main

import "github.com/torchmem/workbook/runtime/torch"

// Functions that take or return a tensor are written here: in a program, torch
// is the program's own PyTorch, not the package.

func detach(x *torch.Tensor) *torch.Tensor { return x.Detach() }
func clone(x *torch.Tensor) *torch.Tensor  { return x.Clone() }

// keepIn is a hook that appends each gradient to the list.
func keepIn(list *torch.List) func(grad *torch.Tensor) *torch.Tensor {
	return func(grad *torch.Tensor) *torch.Tensor {
		list.Append(grad)
		return nil
	}
}

// keepOutputsIn is a forward hook that appends each output to the list.
func keepOutputsIn(list *torch.List) func(in, out *torch.Tensor) {
	return func(_, out *torch.Tensor) { list.Append(out) }
}
