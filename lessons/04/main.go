// Lesson 04: no_grad does not record, so nothing is kept for a backward pass
// that never comes. It matters wherever a model is only used.
package main

import (
	_ "embed"

	"github.com/torchmem/workbook/lessons/lesson"
	"github.com/torchmem/workbook/runtime/torch"
)

//go:embed lesson.md
var prose string

func main() {
	lesson.Main(lesson.Lesson{Number: "04", Prose: prose, Programs: []lesson.Program{
		{Name: "s31_no_grad", Run: noGrad},
		{Name: "s31_grad", Run: grad},
		{Name: "s31_inference_mode", Run: inferenceMode},
		{Name: "s31_mlp_grad", Run: deepGrad},
		{Name: "s31_mlp_no_grad", Run: deepNoGrad},
	}})
}

// noGrad is the tutorial's program.
func noGrad(torch *torch.Torch, show *lesson.Show) {
	model := torch.NN.Linear(1000, 1000).Cuda()
	show.Labelled("model", "model = torch.nn.Linear(1000, 1000).cuda()")

	output := torch.Var("output")
	torch.NoGrad(func() {
		output.Set(model.Call(torch.Randn(1000, 1000).Cuda()))
		show.Labelled("output = model(randn) no_grad", "with torch.no_grad(): output = model(torch.randn(1000, 1000).cuda())")
	})
	show.Labelled("exit", "# the with block ends")
	cleanUp(torch, show, output, model)
}

// grad is the same program without no_grad: the output keeps the input.
func grad(torch *torch.Torch, show *lesson.Show) {
	model := torch.NN.Linear(1000, 1000).Cuda()
	show.Labelled("model", "model = torch.nn.Linear(1000, 1000).cuda()")
	output := torch.Let("output", model.Call(torch.Randn(1000, 1000).Cuda()))
	show.Labelled("output = model(randn)", "output = model(torch.randn(1000, 1000).cuda())")
	cleanUp(torch, show, output, model)
}

// cleanUp deletes all there is. What stays are the workspaces of the matrix
// library.
func cleanUp(torch *torch.Torch, show *lesson.Show, output *torch.Var, model *torch.Module) {
	output.Del()
	show.Statement("del output")
	model.Del()
	show.Statement("del model")
	torch.Cuda.EmptyCache()
	show.Labelled("empty_cache", "torch.cuda.empty_cache()")
}

// inferenceMode is no_grad's stricter sister. It saves no byte more.
func inferenceMode(torch *torch.Torch, show *lesson.Show) {
	model := torch.NN.Linear(1000, 1000).Cuda()
	show.Labelled("model", "model = torch.nn.Linear(1000, 1000).cuda()")
	torch.InferenceMode(func() {
		torch.Let("output", model.Call(torch.Randn(1000, 1000).Cuda()))
		show.Labelled("output", "with torch.inference_mode(): output = model(torch.randn(1000, 1000).cuda())")
	})
}
