package tasks

import (
	"fmt"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/runtime/torch"
)

// ScoreBatches runs a model on batches that it reads and returns scores for
// each of them.
type ScoreBatches = func(torch *torch.Torch, model *torch.Module, batches int, read func(i int) torch.Value) *torch.List

// Inference asks for a model that is used without a graph.
var Inference = grade.Task[ScoreBatches]{
	Info: grade.Info{
		Name: "inference", Lesson: "04", Func: "Inference",
		Title: "Use a trained model without what training needs",
		Hints: [3]string{
			"What does a ReLU keep after it has run, and for whom? Does eval() change that?",
			"What is not recorded is not kept. To cut the record from the result comes too late: the model has run by then.",
			"Put the line into no_grad: torch.NoGrad(func() { y.Set(model.Call(x)) }) and nothing else.",
		},
		Causes: map[grade.Metric]string{
			grade.PeakAllocated: "A layer that is recorded keeps its activations until the record goes, and the scores hold the record.",
		},
	},
	Reference: func(torch *torch.Torch, model *torch.Module, batches int, read func(i int) torch.Value) *torch.List {
		model.Eval()
		scores := torch.List("scores")
		for i := range batches {
			scores.Append(model.Call(read(i)).Mean(1).Detach())
		}
		return scores
	},
	Cases: []grade.Case[ScoreBatches]{inference(12, 5, 8192, 512, 1), inference(6, 3, 32, 128, 2), inference(8, 4, 20, 240, 3)},
}

// inference is a chain of layers with a Dropout at its end, used on some
// batches.
func inference(layers, batches, batch, width int, seed uint64) grade.Case[ScoreBatches] {
	layer := biasedLayerFor(batch, width)
	return bounded(grade.Case[ScoreBatches]{
		Name: fmt.Sprintf("%d layers on %d batches of %d x %d", layers, batches, batch, width), Seed: seed,
		Run: func(r *grade.Run, f ScoreBatches) {
			model := perceptron(r, layers, batch, width)
			model.Append(r.Torch.NN.Dropout(0.5))
			var scores *torch.List
			r.Measure(func() { scores = f(r.Torch, model, batches, reader(r, batch, width)) })
			showList(r, "the scores of batch", scores)
		},
	}, batch, width, grade.AtMost(grade.PeakAllocated,
		int64(layers)*layer.parameters+layer.workspace+int64(batches)*matrix(1, batch)+4*matrix(batch, width)+matrix(batch, width)/2,
		"parameters, workspaces, scores, 4 activations, and half of one to spare"))
}

// perceptron is a chain of so many pairs of a layer and a ReLU, for batches of
// that size.
func perceptron(r *grade.Run, layers, batch, width int) *torch.Module {
	chain := r.Torch.NN.Sequential()
	for range layers {
		chain.Append(biasedLayerFor(batch, width).new(r))
		chain.Append(r.Torch.NN.ReLU())
	}
	return chain.Cuda()
}

// TrainAndScore trains a model on x for one step and returns its score on what
// was held out.
type TrainAndScore = func(torch *torch.Torch, model *torch.Module, x, held torch.Value) torch.Value

// HoldOut asks for a score without a graph, and gradients with one.
var HoldOut = grade.Task[TrainAndScore]{
	Info: grade.Info{
		Name: "holdout", Lesson: "04", Func: "HoldOut",
		Title: "Score a model without training on the score",
		Hints: [3]string{
			"Which of the two runs of the model has a backward pass after it?",
			"no_grad belongs around the run that has none. Around the other, backward finds no graph and raises an error.",
			"Leave the first two lines. Write the third as torch.NoGrad(func() { score.Set(model.Call(held).Mean()) }) and nothing else.",
		},
		Causes: map[grade.Metric]string{
			grade.PeakAllocated: "The second run keeps the activations of all layers, and the data are twice as many.",
			grade.Finished:      "The backward pass needs a graph, from the parameters to the loss.",
		},
	},
	Reference: func(torch *torch.Torch, model *torch.Module, x, held torch.Value) torch.Value {
		model.Call(x).Mean().Backward()
		return torch.Let("score", model.Call(held).Mean().Detach())
	},
	Cases: []grade.Case[TrainAndScore]{holdOut(16, 8192, 512, 1), holdOut(10, 32, 128, 2), holdOut(14, 20, 240, 3)},
}

// holdOut trains on one batch and scores on two. Backward frees a layer's
// activation before it makes the next gradient, so the peak comes as it begins.
func holdOut(layers, batch, width int, seed uint64) grade.Case[TrainAndScore] {
	layer := biasedLayerFor(batch, width)
	return bounded(grade.Case[TrainAndScore]{
		Name: fmt.Sprintf("%d layers on %d x %d", layers, batch, width), Seed: seed,
		Run: func(r *grade.Run, f TrainAndScore) {
			model := perceptron(r, layers, batch, width)
			x := r.Torch.Let("x", r.Torch.Cuda.Randn(batch, width))
			held := r.Torch.Let("held", r.Torch.Cuda.Randn(2*batch, width))
			var score torch.Value
			r.Measure(func() { score = f(r.Torch, model, x, held) })
			r.Value("score", score)
			r.Gradients(model)
		},
	}, batch, width, grade.AtMost(grade.PeakAllocated,
		int64(layers)*layer.parameters+2*layer.workspace+int64(3+layers+5)*matrix(batch, width),
		fmt.Sprintf("parameters, workspaces, the data, %d activations, and 5 to begin backward", layers)))
}

// TrainHead trains a head on the features of a backbone for one step and
// returns the loss.
type TrainHead = func(torch *torch.Torch, backbone, head *torch.Module, x torch.Value) torch.Value

// Backbone asks for a graph of the head alone.
var Backbone = grade.Task[TrainHead]{
	Info: grade.Info{
		Name: "backbone", Lesson: "04", Func: "Backbone",
		Title: "Train a head on a backbone that does not learn",
		Hints: [3]string{
			"Which parameters need a gradient, and how far back does the graph have to reach for them?",
			"The features are the border. What comes before them needs no record, what comes after them does.",
			"Wrap the line of the features, and no other: torch.NoGrad(func() { features.Set(backbone.Call(x)) }) and then the loss as it is.",
		},
		Causes: map[grade.Metric]string{
			grade.PeakAllocated: "A backbone that is recorded keeps its activations, whether or not anybody wants its gradients.",
			grade.Finished:      "The backward pass needs a graph, from the parameters of the head to the loss.",
		},
	},
	Reference: func(torch *torch.Torch, backbone, head *torch.Module, x torch.Value) torch.Value {
		loss := torch.Let("loss", head.Call(backbone.Call(x).Detach()).Mean())
		loss.Backward()
		return loss
	},
	Cases: []grade.Case[TrainHead]{backbone(16, 8192, 512, 1), backbone(10, 32, 128, 2), backbone(14, 20, 240, 3)},
}

// backbone trains a head of two layers on a chain of many.
func backbone(layers, batch, width int, seed uint64) grade.Case[TrainHead] {
	const headLayers = 2
	layer, activations := biasedLayerFor(batch, width), int64(2+headLayers+4)
	return bounded(grade.Case[TrainHead]{
		Name: fmt.Sprintf("%d layers on %d x %d", layers, batch, width), Seed: seed,
		Run: func(r *grade.Run, f TrainHead) {
			model, head := perceptron(r, layers, batch, width), perceptron(r, headLayers, batch, width)
			x := r.Torch.Let("x", r.Torch.Cuda.Randn(batch, width))
			var loss torch.Value
			r.Measure(func() { loss = f(r.Torch, model, head, x) })
			r.Value("loss", loss)
			r.Gradients(head)
		},
	}, batch, width, grade.AtMost(grade.PeakAllocated,
		int64(layers+2*headLayers)*layer.parameters+2*layer.workspace+activations*matrix(batch, width),
		fmt.Sprintf("parameters, gradients of the head, workspaces, x, the features, %d activations, and 4 to begin backward", headLayers)))
}
