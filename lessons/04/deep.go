package main

import (
	"github.com/torchmem/workbook/lessons/lesson"
	"github.com/torchmem/workbook/runtime/torch"
)

// mlp is a chain of eight Linear and ReLU.
func mlp(torch *torch.Torch) *torch.Module {
	nn := torch.NN
	model := nn.Sequential()
	for range 8 {
		model.Append(nn.Linear(1000, 1000))
		model.Append(nn.ReLU())
	}
	return model.Cuda()
}

// deepGrad keeps the activations of all layers until backward.
func deepGrad(torch *torch.Torch, show *lesson.Show) {
	model := mlp(torch)
	show.Labelled("model", "model = Sequential(8 x (Linear, ReLU)).cuda()")
	x := torch.Let("x", torch.Randn(4096, 1000).Cuda())
	show.Labelled("x", "x = torch.randn(4096, 1000).cuda()")

	// Each ReLU keeps its result, which is the next Linear's input.
	y := torch.Let("y", model.Call(x))
	show.Statement("y = model(x)")
	loss := torch.Let("loss", y.Sum())
	show.Labelled("loss", "loss = y.sum()")

	// Backward lets each activation go as soon as its layer is done, and
	// makes the gradients of the parameters.
	loss.Backward()
	show.Labelled("backward", "loss.backward()")
	torch.Del(y, loss)
	show.Labelled("del y loss", "del y, loss")
}

// deepNoGrad runs the same model without recording: two activations are alive
// at a time, however deep it is.
func deepNoGrad(torch *torch.Torch, show *lesson.Show) {
	model := mlp(torch)
	show.Labelled("model", "model = Sequential(8 x (Linear, ReLU)).cuda()")
	x := torch.Let("x", torch.Randn(4096, 1000).Cuda())
	show.Labelled("x", "x = torch.randn(4096, 1000).cuda()")
	y := torch.Var("y")
	torch.NoGrad(func() { y.Set(model.Call(x)) })
	show.Labelled("y = model(x)", "with torch.no_grad(): y = model(x)")
	y.Del()
	show.Statement("del y")
}
