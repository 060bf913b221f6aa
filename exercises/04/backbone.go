package exercise

import "github.com/torchmem/workbook/runtime/torch"

// Backbone trains a new head on top of a deep model that is kept as it is, the
// backbone. It runs the backbone, runs the head on the features that come out,
// and asks for gradients.
//
// Only the head learns. But the backbone is recorded too: its activations wait
// for backward, and backward makes a gradient for each of its parameters, which
// nobody reads.
//
// The loss and the gradients of the head stay as they are. The peak is to be the
// two models, the gradients of the head, what the matrix library takes, and a
// few activations, however deep the backbone is.
func Backbone(torch *torch.Torch, backbone, head module, x value) value {
	features, loss := torch.Var("features"), torch.Var("loss")

	// TODO: record the head, and the head alone.
	features.Set(backbone.Call(x))
	loss.Set(head.Call(features).Mean())
	// END

	loss.Backward()
	return loss
}
