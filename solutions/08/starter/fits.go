package exercise

// Fits says before a run whether a training step will fit: whether the peak of
// allocated memory stays within the budget, in bytes. The model is a chain of
// layers, each a Linear without a bias, width x width, and a ReLU. The step is
// chain(x).sum().backward() for a batch x width input, all in float32, and no
// gradient is there before it.
//
// As it stands, the sum has the parameters, and what forward keeps: the input
// and the result of each ReLU. Three things are missing in it. The matrix
// library takes a workspace of 32 MiB for each thread, and backward runs on a
// second one. The parameters get gradients. And backward lets go of a layer's
// activation as it makes the layer's gradient, so the two are never there in
// full at the same time.
//
// Nothing has to be run. The budgets are 8 % above or below the peak, so a few
// tensors more or less do not matter.
func Fits(layers, batch, width int, budget int64) bool {
	parameters := int64(layers) * int64(width) * int64(width) * 4
	activations := int64(layers+1) * int64(batch) * int64(width) * 4
	// TODO: change what is needed.
	need := parameters + activations
	// END

	return need <= budget
}
