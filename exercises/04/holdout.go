package exercise

import "github.com/torchmem/workbook/runtime/torch"

// HoldOut trains a model for one step, on x. Then it computes the score of the
// model on data that was held out of training. There are twice as many of them,
// and the score needs no gradient.
//
// Training fits, and the score takes more memory than training did. It is
// computed as if the model were to learn from it.
//
// The score and the gradients of the model stay as they are. The peak is to be
// that of training.
func HoldOut(torch *torch.Torch, model module, x, held value) value {
	loss, score := torch.Var("loss"), torch.Var("score")

	// TODO: record what training needs, and no more.
	loss.Set(model.Call(x).Mean())
	loss.Backward()
	score.Set(model.Call(held).Mean())
	// END

	return score
}
