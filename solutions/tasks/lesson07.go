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
			"loss.Backward(), then total.Set(total.Add(loss.Item())).",
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
	Cases: []grade.Case[Micro]{accumulate(8, 32, 32, 1), accumulate(12, 16, 48, 2), accumulate(5, 32, 24, 3)},
}

// accumulate is a model that is cheap to compute, since item() makes the GPU
// compute at once. A micro-batch keeps itself and two activations for each of
// three pairs of layers.
func accumulate(microBatches, batch, width int, seed uint64) grade.Case[Micro] {
	const pairs = 3
	kept := 2*2*pairs*matrix(1, width) + 2*pairs*matrix(1, batch)
	return grade.Case[Micro]{
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
		Limits: []grade.Limit{grade.AtMost(grade.PeakAllocated, kept+(2*pairs+1+6)*matrix(batch, width),
			fmt.Sprintf("model, gradients, %d activations of one micro-batch and 6 for its backward pass", 2*pairs+1))},
	}
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
			"norms = append(norms, grad.Norm().Item()).",
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
	Cases: []grade.Case[WatchGradients]{hook(16, 4096, 1024, 1), hook(24, 8192, 512, 2), hook(5, 48, 32, 3), hook(8, 32, 48, 4)},
}

// In a function that gets a torch, the package has no name.
type (
	tensor = *torch.Tensor
	number = torch.Number
)

// hook is a model of one layer, whose output has the size of its input.
func hook(steps, batch, width int, seed uint64) grade.Case[WatchGradients] {
	c := grade.Case[WatchGradients]{
		Name: fmt.Sprintf("%d steps of %d x %d", steps, batch, width), Seed: seed,
		Run: func(r *grade.Run, f WatchGradients) {
			model := r.Torch.NN.LinearNoBias(width, width).Cuda()
			var norms []torch.Number
			r.Measure(func() { norms = f(r.Torch, model, batches(r, batch, width), steps) })
			show(r, norms, batch)
			r.Gradients(model)
		},
	}
	if batch > 1000 {
		c.MemoryOnly = true
		kept := 2*blasWorkspace + 2*matrix(width, width)
		c.Limits = []grade.Limit{
			grade.AtMost(grade.PeakAllocated, kept+matrix(width, width)+8*matrix(batch, width), "workspaces, model, two gradients of it, 8 activations"),
			grade.AtMost(grade.EndAllocated, kept+3*matrix(batch, width), "workspaces, model, its gradient, 3 activations"),
		}
	}
	return c
}

// show shows how many norms came out, and of small batches the norms.
func show(r *grade.Run, norms []torch.Number, batch int) {
	r.Count("norms", int64(len(norms)))
	if batch > 1000 {
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
			"kept.Clear().",
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
	Cases: []grade.Case[WatchActivations]{activations(12, 4096, 1024, 1), activations(20, 8192, 512, 2), activations(5, 48, 32, 3), activations(8, 32, 48, 4)},
}

// activations is a model of two layers, of which the first is watched. Its
// output is a quarter as wide as its input.
func activations(rounds, batch, width int, seed uint64) grade.Case[WatchActivations] {
	c := grade.Case[WatchActivations]{
		Name: fmt.Sprintf("%d batches of %d x %d", rounds, batch, width), Seed: seed,
		Run: func(r *grade.Run, f WatchActivations) {
			nn := r.Torch.NN
			layer := nn.LinearNoBias(width, width)
			model := nn.Sequential(layer, nn.GELU(), nn.LinearNoBias(width, width/4)).Cuda()
			var norms []torch.Number
			r.Measure(func() { norms = f(r.Torch, model, layer, batches(r, batch, width), rounds) })
			show(r, norms, batch)
		},
	}
	if batch > 1000 {
		c.MemoryOnly = true
		kept := blasWorkspace + matrix(width, width) + matrix(width/4, width) + matrix(batch, width/4)
		c.Limits = []grade.Limit{
			grade.AtMost(grade.PeakAllocated, kept+5*matrix(batch, width), "workspace, model, the last output, 5 activations"),
			grade.AtMost(grade.EndAllocated, kept+2*matrix(batch, width), "workspace, model, the last output, 2 activations"),
		}
	}
	return c
}
