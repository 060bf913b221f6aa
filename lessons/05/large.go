package main

import (
	"github.com/torchmem/workbook/lessons/lesson"
	"github.com/torchmem/workbook/runtime/torch"
)

// tutorial is the tutorial's program: two Linear layers, a checkpoint around
// each, and no word on use_reentrant.
func tutorial(torch *torch.Torch, show *lesson.Show) {
	model := checkpointed(torch)
	show.Labelled("model", "model = LargeModel().cuda()")
	output := torch.Let("output", model.Call(torch.Randn(1000, 1000).Cuda()))
	show.Text("requires_grad", "output.requires_grad", python(output.RequiresGrad()))
	show.Labelled("output", "output = model(torch.randn(1000, 1000).cuda())")
}

// plain is the same model without checkpoints.
func plain(torch *torch.Torch, show *lesson.Show) {
	nn := torch.NN
	layer1, layer2 := nn.Linear(1000, 1000), nn.Linear(1000, 1000)
	train(torch, show, nn.Sequential(layer1, layer2).Cuda())
}

// nonReentrant has a checkpoint around each layer, with use_reentrant=False.
func nonReentrant(torch *torch.Torch, show *lesson.Show) {
	train(torch, show, checkpointed(torch, torch.UseReentrant(false)))
}

// reentrant has a checkpoint around each layer, with use_reentrant=True.
func reentrant(torch *torch.Torch, show *lesson.Show) {
	train(torch, show, checkpointed(torch, torch.UseReentrant(true)))
}

// checkpointed is the tutorial's LargeModel. A layer's output goes through the
// next checkpoint and is dropped as soon as that returns.
func checkpointed(torch *torch.Torch, options ...option) *torch.Module {
	nn := torch.NN
	layer1, layer2 := nn.Linear(1000, 1000), nn.Linear(1000, 1000)
	return nn.Module("LargeModel", func(x tensor) tensor {
		x = torch.Checkpoint(layer1, x, options...)
		x = torch.Checkpoint(layer2, x, options...)
		return x
	}, layer1, layer2).Cuda()
}

// train runs the model forward and, where its output has a graph, backward.
func train(torch *torch.Torch, show *lesson.Show, model *torch.Module) {
	show.Labelled("model", "model = LargeModel().cuda()")
	output := torch.Let("output", model.Call(torch.Randn(1000, 1000).Cuda()))
	show.Labelled("output", "output = model(torch.randn(1000, 1000).cuda())")
	if output.RequiresGrad() {
		loss := torch.Let("loss", output.Sum())
		show.Labelled("loss", "loss = output.sum()")
		loss.Backward()
		show.Labelled("backward", "loss.backward()")
		noGradient := model.Parameters()[0].Grad() == nil
		show.Text("w1_grad_is_none", "layer1.weight.grad is None", python(noGradient))
		loss.Del()
	} else {
		show.Text("requires_grad", "output.requires_grad", python(false))
	}
	output.Del()
	show.Statement("del output")
}
