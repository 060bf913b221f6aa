package exercise

import "github.com/torchmem/workbook/runtime/torch"

// Activations watches a layer inside of a model. A forward hook keeps what the
// layer returns, and after each batch the norm of it is read. The norms are
// returned: a list of numbers, for a plot.
//
// Everything runs under no_grad, and the hook is removed at the end. Still the
// memory grows with every batch, and stays. Return the same norms, and keep no
// activation longer than it is needed. At the end there is room for the model
// and the last output, at the peak for one batch on its way.
func Activations(torch *torch.Torch, model, layer module, next func() value, batches int) []number {
	var norms []number
	kept := torch.List("kept")
	output := torch.Var("output")
	handle := layer.RegisterForwardHook(func(_, out tensor) { kept.Append(out) })
	torch.NoGrad(func() {
		for range batches {
			output.Set(model.Call(next()))
			norms = append(norms, kept.At(-1).Norm().Item())
			// TODO: the activation has been read.

			// Neither no_grad nor removing the hook lets go of what
			// the list keeps.
			kept.Clear()
			// END
		}
	})
	handle.Remove()
	return norms
}
