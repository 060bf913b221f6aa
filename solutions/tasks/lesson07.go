package tasks

import (
	"fmt"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/runtime/torch"
)

// Micro trains on micro-batches, which next makes, and returns the sum of their
// losses.
type Micro = func(torch *torch.Torch, model *torch.Module, next func() torch.Value, microBatches int) torch.Value

// Accumulate asks for gradients that add up without graphs that do.
var Accumulate = grade.Task[Micro]{
	Info: grade.Info{
		Name: "accumulate", Lesson: "07", Func: "Accumulate",
		Title: "Add gradients up over micro-batches, not graphs",
		Hints: [3]string{
			"The gradient of a sum is the sum of the gradients. So when is the earliest moment for the backward pass of one loss?",
			"Go backward in each round: that adds to the gradients and lets go of the activations. The sum needs the loss as a number.",
			"Two lines: loss.Backward() first, and then total.Set(total.Add(loss.Item())) for the report.",
		},
		Causes: map[grade.Metric]string{
			grade.PeakAllocated: "The graphs of several micro-batches are alive at the same time.",
			grade.Gradients:     "The gradients of all micro-batches have to be added up, each once.",
		},
	},
	Reference: func(torch *torch.Torch, model *torch.Module, next func() torch.Value, microBatches int) torch.Value {
		total := torch.Let("total", torch.Cuda.Full(0))
		for range microBatches {
			total.Set(total.Add(model.Call(next()).Pow(2).Mean().Div(microBatches)))
		}
		total.Backward()
		return total
	},
	Cases: []grade.Case[Micro]{accumulate(8, 8192, 1024, 1), accumulate(8, 32, 32, 2), accumulate(12, 16, 48, 3), accumulate(5, 32, 24, 4)},
}

// accumulate is a model without a matrix product. A micro-batch keeps itself and
// two activations for each of three pairs of layers.
func accumulate(microBatches, batch, width int, seed uint64) grade.Case[Micro] {
	const pairs = 3
	kept := 2*2*pairs*matrix(1, width) + 2*pairs*matrix(1, batch)
	return bounded(grade.Case[Micro]{
		Name: fmt.Sprintf("%d micro-batches of %d x %d", microBatches, batch, width), Seed: seed,
		Run: func(r *grade.Run, f Micro) {
			nn := r.Torch.NN
			model := nn.Sequential()
			for range pairs {
				model.Append(nn.LayerNorm(width))
				model.Append(nn.GELU())
			}
			model.Cuda()
			var total torch.Value
			r.Measure(func() { total = f(r.Torch, model, batches(r, batch, width), microBatches) })
			r.Value("total", total)
			r.Gradients(model)
		},
	}, batch, width, grade.AtMost(grade.PeakAllocated, kept+(2*pairs+1+6)*matrix(batch, width),
		fmt.Sprintf("model, gradients, %d activations of one micro-batch and 6 for its backward pass", 2*pairs+1)))
}

// WatchGradients trains a model and returns the norm of the output's gradient
// in each step.
type WatchGradients = func(torch *torch.Torch, model *torch.Module, next func() torch.Value, steps int) []torch.Number

// Hook asks for a hook that keeps no gradient.
var Hook = grade.Task[WatchGradients]{
	Info: grade.Info{
		Name: "hook", Lesson: "07", Func: "Hook",
		Title: "Watch gradients with a hook that keeps none of them",
		Hints: [3]string{
			"Who still refers to a gradient after its backward pass?",
			"The list does. The hook can compute the norm itself, while the gradient is there, and keep a number.",
			"Write norms = append(norms, grad.Norm().Item()) instead of the line that is there.",
		},
		Causes: map[grade.Metric]string{
			grade.PeakAllocated: "A hook that keeps a gradient keeps its memory.",
			grade.EndAllocated:  "A hook that keeps a gradient keeps its memory.",
		},
	},
	Reference: func(torch *torch.Torch, model *torch.Module, next func() torch.Value, steps int) []torch.Number {
		var norms []number
		for range steps {
			output := torch.Let("output", model.Call(next()))
			output.RegisterHook(func(grad tensor) tensor {
				norms = append(norms, grad.Norm().Item())
				return nil
			})
			output.Pow(2).Mean().Backward()
		}
		return norms
	},
	Cases: []grade.Case[WatchGradients]{hook(16, 4096, 1024, 1), hook(12, 32, 128, 2), hook(15, 20, 240, 3)},
}

// In a function that gets a torch, the package has no name.
type (
	tensor = *torch.Tensor
	number = torch.Number
)

// hook is a model of one layer, whose output has the size of its input.
func hook(steps, batch, width int, seed uint64) grade.Case[WatchGradients] {
	layer := watchedFor(batch, width)
	c := grade.Case[WatchGradients]{
		Name: fmt.Sprintf("%d steps of %d x %d", steps, batch, width), Seed: seed,
		Run: func(r *grade.Run, f WatchGradients) {
			model := layer.new(r).Cuda()
			var norms []torch.Number
			r.Measure(func() { norms = f(r.Torch, model, batches(r, batch, width), steps) })
			show(r, norms, batch, width)
			r.Gradients(model)
		},
	}
	kept := 2*layer.workspace + 2*layer.parameters
	return bounded(c, batch, width,
		grade.AtMost(grade.PeakAllocated, kept+layer.parameters+9*matrix(batch, width), "workspaces, model, two gradients of it, 9 activations"),
		grade.AtMost(grade.EndAllocated, kept+3*matrix(batch, width), "workspaces, model, its gradient, 3 activations"))
}

// watchedFor is a layer for batches of that size whose output tells one batch
// from another. What a LayerNorm returns has always the same norm, so a GELU
// follows it.
func watchedFor(batch, width int) layer {
	l := layerFor(batch, width)
	if large(batch, width) {
		return l
	}
	norm := l.new
	l.new = func(r *grade.Run) *torch.Module { return r.Torch.NN.Sequential(norm(r), r.Torch.NN.GELU()) }
	return l
}

// show shows how many norms came out, and the norms of batches that size where
// they were computed.
func show(r *grade.Run, norms []torch.Number, batch, width int) {
	r.Count("norms", int64(len(norms)))
	if large(batch, width) {
		return
	}
	for i, n := range norms {
		r.Number(fmt.Sprintf("norm %d", i), n.Float64())
	}
}

// WatchActivations runs a model and returns the norm of what a layer of it
// returned, for each batch.
type WatchActivations = func(torch *torch.Torch, model, layer *torch.Module, next func() torch.Value, batches int) []torch.Number

// Activations asks for a forward hook whose catch is let go.
var Activations = grade.Task[WatchActivations]{
	Info: grade.Info{
		Name: "activations", Lesson: "07", Func: "Activations",
		Title: "Let go of what a forward hook has kept",
		Hints: [3]string{
			"no_grad records no graph, and the hook is removed. Who is left to hold the activations?",
			"The list that the hook appends to holds them, whatever becomes of the hook. Once a norm is read, its activation is not needed.",
			"Write kept.Clear() below the line that reads the norm.",
		},
		Causes: map[grade.Metric]string{
			grade.PeakAllocated: "The list holds the activations of earlier batches. no_grad has no say in that.",
			grade.EndAllocated:  "Removing a hook frees nothing of what it kept.",
		},
	},
	Reference: func(torch *torch.Torch, model, layer *torch.Module, next func() torch.Value, batches int) []torch.Number {
		var norms []number
		kept := torch.List("kept")
		layer.RegisterForwardHook(func(_, out tensor) { kept.Append(out) })
		for i := range batches {
			torch.Let("output", model.Call(next()))
			norms = append(norms, kept.At(i).Norm().Item())
		}
		return norms
	},
	Cases: []grade.Case[WatchActivations]{activations(12, 4096, 1024, 1), activations(10, 32, 128, 2), activations(12, 20, 240, 3)},
}

// activations is a model of two layers, of which the first is watched.
func activations(rounds, batch, width int, seed uint64) grade.Case[WatchActivations] {
	first, last := watchedFor(batch, width), lastLayerFor(batch, width)
	c := grade.Case[WatchActivations]{
		Name: fmt.Sprintf("%d batches of %d x %d", rounds, batch, width), Seed: seed,
		Run: func(r *grade.Run, f WatchActivations) {
			nn := r.Torch.NN
			layer := first.new(r)
			model := nn.Sequential(layer, nn.GELU(), last.new(r)).Cuda()
			var norms []torch.Number
			r.Measure(func() { norms = f(r.Torch, model, layer, batches(r, batch, width), rounds) })
			show(r, norms, batch, width)
		},
	}
	kept := first.workspace + first.parameters + last.parameters + last.output
	return bounded(c, batch, width,
		grade.AtMost(grade.PeakAllocated, kept+5*matrix(batch, width), "workspace, model, the last output, 5 activations"),
		grade.AtMost(grade.EndAllocated, kept+2*matrix(batch, width), "workspace, model, the last output, 2 activations"))
}
