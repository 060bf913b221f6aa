package exercise

import "github.com/torchmem/workbook/runtime/torch"

// Hidden trains a recurrent cell on a long sequence. A state goes from step to
// step, and after each window of steps a loss on the state is sent backward.
// Gradients are meant to stay within their window. The state itself goes on
// into the next one, and is returned at the end.
//
// The first version stopped in the second window: it tried to go backward
// through the graph a second time. Then somebody wrote retain_graph=True. Now it
// runs, and both memory and time grow with every window, since each loss goes
// backward to the first step of all. The gradients are wrong too.
//
// Make them those of the windows. At the peak there is room for the sequence,
// the cell, its gradient, and the states of one window.
func Hidden(torch *torch.Torch, cell module, sequence list, window int) value {
	h := torch.Let("h", torch.Cuda.Full(0, sequence.At(0).Shape()...))
	loss := torch.Var("loss")
	for step := range sequence.Len() {
		h.Set(cell.Call(h).Add(sequence.At(step)).Tanh())
		if (step+1)%window == 0 {
			loss.Set(h.Pow(2).Mean())
			// TODO: change what happens where a window ends.

			// The state goes on without its past, so there is
			// nothing that a later pass could go through again.
			loss.Backward()
			h.Set(h.Detach())
			// END
		}
	}
	return h
}
