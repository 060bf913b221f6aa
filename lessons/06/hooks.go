package main

import (
	"fmt"

	"github.com/torchmem/workbook/lessons/lesson"
	"github.com/torchmem/workbook/runtime/torch"
)

// leakHook watches gradients, and keeps them.
func leakHook(torch *torch.Torch, show *lesson.Show) {
	model := torch.NN.Linear(1000, 1000).Cuda()
	show.Labelled("model", "model = torch.nn.Linear(1000, 1000).cuda()")

	grads, x, output := torch.List("grads"), torch.Var("x"), torch.Var("output")
	for i := range 5 {
		x.Set(torch.Randn(1000, 1000).Cuda())
		output.Set(model.Call(x))
		output.RegisterHook(keepIn(grads))
		show.Labelled(fmt.Sprintf("%d output", i), fmt.Sprintf("output.register_hook(grads.append)  # %d", i))
		output.Relu().Sum().Backward()
		show.Labelled(fmt.Sprintf("%d backward", i), "output.relu().sum().backward()")
		model.ZeroGrad()
		show.Labelled(fmt.Sprintf("%d zero_grad", i), "model.zero_grad()")
	}
	grads.Clear()
	show.Labelled("clear", "grads.clear()")
}

// leakForwardHook watches outputs, and keeps them. no_grad does not help, and
// neither does removing the hook.
func leakForwardHook(torch *torch.Torch, show *lesson.Show) {
	model := torch.NN.Linear(1000, 1000).Cuda()
	show.Labelled("model", "model = torch.nn.Linear(1000, 1000).cuda()")

	kept, output := torch.List("kept"), torch.Var("output")
	handle := model.RegisterForwardHook(keepOutputsIn(kept))
	torch.NoGrad(func() {
		for i := range 3 {
			output.Set(model.Call(torch.Randn(1000, 1000).Cuda()))
			show.Labelled(fmt.Sprintf("%d output", i), fmt.Sprintf("output = model(torch.randn(1000, 1000).cuda())  # %d", i))
		}
	})
	handle.Remove()
	show.Statement("handle.remove()")
	kept.Clear()
	show.Labelled("clear", "kept.clear()")
}

// retainGraph goes backward twice through one graph.
func retainGraph(torch *torch.Torch, show *lesson.Show) {
	nn := torch.NN
	model := nn.Sequential()
	for range 4 {
		model.Append(nn.Linear(1000, 1000))
		model.Append(nn.ReLU())
	}
	model.Cuda()
	x := torch.Let("x", torch.Randn(1024, 1000).Cuda())
	show.Labelled("model x", "model, x = Sequential(4 x (Linear, ReLU)).cuda(), randn(1024, 1000).cuda()")
	loss := torch.Let("loss", model.Call(x).Sum())
	show.Labelled("loss", "loss = model(x).sum()")

	// The first pass keeps what the graph saved, the second lets it go.
	loss.BackwardRetainGraph()
	show.Labelled("backward retain", "loss.backward(retain_graph=True)")
	loss.Backward()
	show.Labelled("backward", "loss.backward()")

	// There is nothing left for a third.
	err := torch.Raises(loss.Backward)
	show.Text("third_backward", "loss.backward() raises", err.Error())
	loss.Del()
	show.Statement("del loss")
}
