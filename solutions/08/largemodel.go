package exercise

import "github.com/torchmem/workbook/runtime/torch"

// LargeModel is the tutorial's second exercise: it trains a large model for one
// step, and checkpoints are to bring it into memory. The model is a chain of
// blocks and a head. A block is a LayerNorm, a Linear that makes its input four
// times as wide, a GELU, and a Linear back. x is data: it needs no gradient.
//
// The checkpoints are placed as the tutorial places them, one around each layer.
// They save nothing. Place them so that the step fits, with the same loss and
// the gradients of all parameters. There is room for the parameters and their
// gradients, for the input of each block, and for what one block has while it
// goes backward. No layer may run again more than once.
func LargeModel(torch *torch.Torch, blocks, head module, x value) value {
	h := torch.Let("h", x)
	for _, block := range blocks.Children() {
		// TODO: change what is checkpointed.

		// A checkpoint is worth what it keeps away: around a layer it
		// keeps the layer's input, which the layer would keep itself.
		// Around a block it keeps one narrow tensor instead of the ten
		// such that lie inside. The blocks go one by one, so only one
		// has them back at a time.
		h.Set(torch.Checkpoint(block, h, torch.UseReentrant(false)))
		// END
	}
	loss := torch.Let("loss", head.Call(h).Sum())
	loss.Backward()
	return loss
}
