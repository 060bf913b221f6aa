// Package exercise has the exercises of lesson 04.
package exercise

import "github.com/torchmem/workbook/runtime/torch"

// Inference runs a trained model on many batches and keeps a score for each row
// of them. Nobody asks for a gradient. eval() is called, as it should be before
// a model is used.
//
// Still the model's layers record what they do, for a backward pass that never
// comes. A score remembers how it was computed. So the list, which has a few
// numbers, keeps the records of all batches, and the activations with them.
//
// The scores stay as they are, on the GPU. The peak is to be the model, what the
// matrix library takes, the scores, and four activations: what goes into a layer
// and what comes out, and the result of the batch before.
func Inference(torch *torch.Torch, model module, batches int, read func(i int) value) list {
	model.Eval()
	scores := torch.List("scores")
	y := torch.Var("y")
	for i := range batches {
		x := torch.Let("x", read(i))

		// TODO: run the model without a record.
		y.Set(model.Call(x))
		// END

		scores.Append(y.Mean(1))
	}
	return scores
}
