package exercise

import "github.com/torchmem/workbook/runtime/torch"

// Frozen trains a body of blocks and a head for one step. The embedding in
// front of them is frozen: x is what it returned, and x needs no gradient. Each
// block has a checkpoint, so the step fits into memory.
//
// But the loss hardly falls. Only the head learns: after backward the gradients
// of all blocks are None, and a warning went by that nobody read. Here it is
// the numbers that are wrong, not the memory. Change the line so that every
// parameter gets its gradient. The peak may hold the parameters and their
// gradients, one tensor for each block, and what one block keeps. So the
// checkpoints have to stay.
func Frozen(torch *torch.Torch, body, head module, x value) value {
	h := torch.Let("h", x)
	for _, block := range body.Children() {
		// TODO: change how a block is run.
		h.Set(torch.Checkpoint(block, h, torch.UseReentrant(true)))
		// END
	}
	loss := torch.Let("loss", head.Call(h).Sum())
	loss.Backward()
	return loss
}
