package main

import (
	"fmt"

	"github.com/torchmem/workbook/lessons/lesson"
	"github.com/torchmem/workbook/runtime/torch"
)

// deepPlain trains sixteen layers without a checkpoint.
func deepPlain(torch *torch.Torch, show *lesson.Show) {
	deep(torch, show, func(model module, x value) tensor { return model.Call(x) }, "y = model(x)")
}

// deepNonReentrant4 cuts them into four segments. The last one is not
// checkpointed.
func deepNonReentrant4(torch *torch.Torch, show *lesson.Show) {
	deepSegments(torch, show, 4, false)
}

// deepReentrant4 does it the older way.
func deepReentrant4(torch *torch.Torch, show *lesson.Show) {
	deepSegments(torch, show, 4, true)
}

// deepNonReentrant16 makes a segment of each layer.
func deepNonReentrant16(torch *torch.Torch, show *lesson.Show) {
	deepSegments(torch, show, 16, false)
}

func deepSegments(torch *torch.Torch, show *lesson.Show, segments int, reentrant bool) {
	deep(torch, show, func(model module, x value) tensor {
		return torch.CheckpointSequential(model, segments, x, torch.UseReentrant(reentrant))
	}, fmt.Sprintf("y = checkpoint_sequential(model, %d, x, use_reentrant=%s)", segments, python(reentrant)))
}

// deep runs one training step on a chain of sixteen Linear and ReLU.
func deep(torch *torch.Torch, show *lesson.Show, forward func(module, value) tensor, statement string) {
	nn := torch.NN
	model := nn.Sequential()
	for range 16 {
		model.Append(nn.Linear(1000, 1000))
		model.Append(nn.ReLU())
	}
	model.Cuda()
	show.Labelled("model", "model = Sequential(16 x (Linear, ReLU)).cuda()")
	x := torch.Let("x", torch.Randn(4096, 1000).Cuda().RequiresGrad_())
	show.Labelled("x", "x = torch.randn(4096, 1000).cuda().requires_grad_()")

	// From here on the peak is that of the step alone.
	torch.Cuda.ResetPeakMemoryStats()
	show.Labelled("reset_peak", "torch.cuda.reset_peak_memory_stats()")
	y := torch.Let("y", forward(model, x))
	show.Labelled("forward", statement)
	loss := torch.Let("loss", y.Sum())
	show.Labelled("loss", "loss = y.sum()")
	y.Del()
	show.Statement("del y")
	loss.Backward()
	show.Labelled("backward", "loss.backward()")
	loss.Del()
	show.Statement("del loss")
	model.ZeroGrad()
	show.Labelled("zero_grad", "model.zero_grad()")
	x.ClearGrad()
	show.Labelled("x.grad=None", "x.grad = None")
}
