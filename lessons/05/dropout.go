package main

import (
	"github.com/torchmem/workbook/lessons/lesson"
	"github.com/torchmem/workbook/runtime/torch"
)

// dropout trains a model that draws random numbers: without a checkpoint, with
// one, and with one that does not restore the random numbers.
func dropout(torch *torch.Torch, show *lesson.Show) {
	nn := torch.NN
	torch.ManualSeed(0)
	model := nn.Sequential(nn.Linear(1000, 1000), nn.Dropout(0.5), nn.ReLU(), nn.Linear(1000, 1000)).Cuda()
	x := torch.Let("x", torch.Randn(1024, 1000).Cuda())
	show.Labelled("model x", "model, x = Sequential(…, Dropout(0.5), …).cuda(), randn(1024, 1000).cuda()")

	for _, mode := range []string{"plain", "preserve", "nopreserve"} {
		torch.ManualSeed(1)
		model.ZeroGrad()
		show.Labelled(mode+" zero_grad", "model.zero_grad()")
		torch.Cuda.ResetPeakMemoryStats()

		y := torch.Var("y")
		if mode == "plain" {
			y.Set(model.Call(x))
		} else {
			y.Set(torch.Checkpoint(model, x, torch.UseReentrant(false), torch.PreserveRNGState(mode == "preserve")))
		}
		show.Labelled(mode+" forward", forwardStatement[mode])
		y.Sum().Backward()
		show.Labelled(mode+" backward", "y.sum().backward()")
		y.Del()
		show.Labelled(mode+" del y", "del y")

		// The sum of a gradient in double precision tells the three
		// runs apart. Reading it takes memory too.
		weight := model.Children()[0].Parameters()[0]
		_ = weight.Grad().Double().Sum().Item()
	}
}

var forwardStatement = map[string]string{
	"plain":      "y = model(x)",
	"preserve":   "y = checkpoint(model, x, use_reentrant=False)",
	"nopreserve": "y = checkpoint(model, x, use_reentrant=False, preserve_rng_state=False)",
}
