package exercise

import "github.com/torchmem/workbook/runtime/torch"

// Hook watches the gradient of a model's output during training. A hook sees
// the gradient of each step, and afterwards the norm of each is returned: a
// list of numbers, for a plot.
//
// The gradients are as large as the outputs, and the hook keeps them all until
// the last step is done. Return the same norms and train the same model, but
// keep no gradient longer than its backward pass. At the end there is room for
// the model, its gradient and the last output.
func Hook(torch *torch.Torch, model module, next func() value, steps int) []number {
	var norms []number
	grads := torch.List("grads")
	output := torch.Var("output")
	for range steps {
		output.Set(model.Call(next()))
		output.RegisterHook(func(grad tensor) tensor {
			// TODO: change what the hook keeps.

			// A number has no memory on the GPU. The gradient goes
			// when backward is done with it.
			norms = append(norms, grad.Norm().Item())
			// END
			return nil // the gradient goes on as it is
		})
		output.Pow(2).Mean().Backward()
	}
	for i := range grads.Len() {
		norms = append(norms, grads.At(i).Norm().Item())
	}
	return norms
}
