// Package exercise has the exercises of lesson 07.
package exercise

import "github.com/torchmem/workbook/runtime/torch"

// Accumulate trains on a batch that is too large for the GPU. It comes as
// micro-batches, and the loss of the whole is the sum of their losses, each
// divided by their number. One backward pass at the end makes the gradients.
//
// The gradients are right and the memory is not: until that pass, the sum keeps
// the activations of all micro-batches, just as one large batch would. Get the
// same gradients and the same sum with the activations of one micro-batch at a
// time. Gradients add up by themselves. At the peak there is room for the
// model, its gradients, and one micro-batch on its way forward and backward.
func Accumulate(torch *torch.Torch, model module, next func() value, microBatches int) value {
	total := torch.Let("total", torch.Scalar(0))
	loss := torch.Var("loss")
	for range microBatches {
		loss.Set(model.Call(next()).Pow(2).Mean().Div(microBatches))
		// TODO: change what happens with the loss of a micro-batch.
		total.Set(total.Add(loss))
		// END
	}
	if total.RequiresGrad() { // something is left to go backward through
		total.Backward()
	}
	return total
}
