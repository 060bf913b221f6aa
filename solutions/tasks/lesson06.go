package tasks

import (
	"fmt"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/runtime/torch"
)

// Evaluate runs a model on some batches, which next makes, and returns the
// outputs.
type Evaluate = func(torch *torch.Torch, model *torch.Module, next func() torch.Value, rounds int) *torch.List

// Outputs asks for a list of outputs that keeps no graph.
var Outputs = grade.Task[Evaluate]{
	Info: grade.Info{
		Name: "outputs", Lesson: "06", Func: "Outputs",
		Title: "Keep outputs in a list without what made them",
		Hints: [3]string{
			"An output in the list is a tensor of known size. What else does it refer to?",
			"Its graph refers to the batch and to every activation. There is a method that returns the same memory without a graph.",
			"Write outs.Append(model.Call(x).Detach()) instead of the line that is there.",
		},
		Causes: map[grade.Metric]string{
			grade.PeakAllocated: "Each output in the list has a graph, and the graph keeps the batch and the activations of its round.",
			grade.EndAllocated:  "Each output in the list has a graph, and the graph keeps the batch and the activations of its round.",
			grade.HostBytes:     "The outputs are needed on the GPU.",
		},
	},
	Reference: func(torch *torch.Torch, model *torch.Module, next func() torch.Value, rounds int) *torch.List {
		outs := torch.List("outs")
		for range rounds {
			outs.Append(model.Call(next()))
		}
		return outs
	},
	Cases: []grade.Case[Evaluate]{outputs(12, 4096, 1024, 1), outputs(5, 32, 128, 2), outputs(8, 20, 240, 3)},
}

// outputs is a model with one hidden layer. A round makes the batch, two
// activations of its size, and an output.
func outputs(rounds, batch, width int, seed uint64) grade.Case[Evaluate] {
	layer, last := layerFor(batch, width), lastLayerFor(batch, width)
	c := grade.Case[Evaluate]{
		Name: fmt.Sprintf("%d batches of %d x %d", rounds, batch, width), Seed: seed,
		Run: func(r *grade.Run, f Evaluate) {
			nn := r.Torch.NN
			model := nn.Sequential(layer.new(r), nn.GELU(), last.new(r)).Cuda()
			var outs *torch.List
			r.Measure(func() { outs = f(r.Torch, model, batches(r, batch, width), rounds) })
			for i := range outs.Len() {
				r.Value(fmt.Sprintf("output %d", i), outs.At(i))
			}
		},
	}
	kept := layer.workspace + layer.parameters + last.parameters + int64(rounds)*last.output + matrix(batch, width)
	return bounded(c, batch, width,
		grade.AtMost(grade.PeakAllocated, kept+4*matrix(batch, width),
			fmt.Sprintf("workspace, model, %d outputs, a batch and 4 activations", rounds)),
		grade.AtMost(grade.EndAllocated, kept+matrix(batch, width)/2,
			fmt.Sprintf("workspace, model, %d outputs, a batch and a half", rounds)),
		grade.AtMost(grade.LiveTensors, int64(rounds)+1, fmt.Sprintf("%d outputs and the last batch", rounds)))
}

// lastLayer is the last layer of a model, with the bytes that it returns.
type lastLayer struct {
	layer
	output int64
}

// lastLayerFor returns a Linear to a quarter of the width, or what stands in
// for it.
func lastLayerFor(batch, width int) lastLayer {
	l := lastLayer{layerFor(batch, width), matrix(batch, width)}
	if large(batch, width) {
		l.new = func(r *grade.Run) *torch.Module { return r.Torch.NN.LinearNoBias(width, width/4) }
		l.parameters, l.output = matrix(width/4, width), matrix(batch, width/4)
	}
	return l
}

// batches returns a function that makes one batch after the other.
func batches(r *grade.Run, batch, width int) func() torch.Value {
	return func() torch.Value { return r.Torch.Cuda.Randn(batch, width) }
}

// Validate adds up the losses of a model on some batches, which next makes.
type Validate = func(torch *torch.Torch, model *torch.Module, next func() torch.Value, rounds int) torch.Value

// Total asks for a sum of losses that keeps no graph.
var Total = grade.Task[Validate]{
	Info: grade.Info{
		Name: "total", Lesson: "06", Func: "Total",
		Title: "Add losses up without keeping every activation",
		Hints: [3]string{
			"What does a sum of two tensors refer to, if one of them requires a gradient?",
			"The sum has a graph that reaches every loss, and each loss reaches its activations. A log needs the number, not the tensor.",
			"Write total.Set(total.Add(loss.Item())) instead of the line that is there.",
		},
		Causes: map[grade.Metric]string{
			grade.PeakAllocated: "The total has a graph that reaches the activations of every round.",
			grade.EndAllocated:  "The total has a graph that reaches the activations of every round.",
		},
	},
	Reference: func(torch *torch.Torch, model *torch.Module, next func() torch.Value, rounds int) torch.Value {
		total := torch.Let("total", torch.Cuda.Full(0))
		for range rounds {
			total.Set(total.Add(model.Call(next()).Pow(2).Mean()))
		}
		return total
	},
	Cases: []grade.Case[Validate]{total(12, 8192, 1024, 1), total(20, 64, 32, 2), total(30, 48, 64, 3), total(6, 32, 48, 4)},
}

// total is a model without a matrix product. A round keeps the batch and two
// activations.
func total(rounds, batch, width int, seed uint64) grade.Case[Validate] {
	kept := 2*matrix(1, width) + 3*matrix(1, batch)
	return bounded(grade.Case[Validate]{
		Name: fmt.Sprintf("%d batches of %d x %d", rounds, batch, width), Seed: seed,
		Run: func(r *grade.Run, f Validate) {
			nn := r.Torch.NN
			model := nn.Sequential(nn.LayerNorm(width), nn.GELU()).Cuda()
			var sum torch.Value
			r.Measure(func() { sum = f(r.Torch, model, batches(r, batch, width), rounds) })
			r.Value("total", sum)
		},
	}, batch, width,
		grade.AtMost(grade.PeakAllocated, kept+9*matrix(batch, width), "model and 9 activations: two rounds, and what the second needs while it runs"),
		grade.AtMost(grade.EndAllocated, kept+4*matrix(batch, width), "model and 4 activations: the last loss keeps 3"))
}

// Recur trains a recurrent cell on a sequence, in windows, and returns the
// last state.
type Recur = func(torch *torch.Torch, cell *torch.Module, sequence *torch.List, window int) torch.Value

// Hidden asks for truncated backpropagation: a state that crosses the border of
// a window without its past.
var Hidden = grade.Task[Recur]{
	Info: grade.Info{
		Name: "hidden", Lesson: "06", Func: "Hidden",
		Title: "Carry a state into the next window without its past",
		Hints: [3]string{
			"Why did a plain Backward in the second window meet the graph of the first?",
			"The state that goes on still has the graph that made it. It has to lose it where a window ends, and nowhere else.",
			"Two lines: loss.Backward() first, and then h.Set(h.Detach()) for the next window.",
		},
		Causes: map[grade.Metric]string{
			grade.PeakAllocated: "The state's graph reaches back into earlier windows, and something keeps what they saved.",
			grade.Gradients:     "A gradient has to reach the first step of its window, and not the window before.",
			grade.Finished:      "The graph of a window is gone after its backward pass, and the next one ran into it.",
		},
	},
	Reference: func(torch *torch.Torch, cell *torch.Module, sequence *torch.List, window int) torch.Value {
		h := torch.Let("h", torch.Cuda.Full(0, sequence.At(0).Shape()...))
		for step := range sequence.Len() {
			h.Set(cell.Call(h).Add(sequence.At(step)).Tanh())
			if (step+1)%window == 0 {
				h.Pow(2).Mean().Backward()
				h.Set(h.Detach())
			}
		}
		return h
	},
	Cases: []grade.Case[Recur]{hidden(32, 8, 2048, 1024, 1), hidden(20, 10, 32, 128, 2), hidden(24, 12, 20, 240, 3)},
}

// hidden is a cell that keeps one state for each step.
func hidden(steps, window, batch, width int, seed uint64) grade.Case[Recur] {
	layer := layerFor(batch, width)
	c := grade.Case[Recur]{
		Name: fmt.Sprintf("%d steps of %d x %d, windows of %d", steps, batch, width, window), Seed: seed,
		Run: func(r *grade.Run, f Recur) {
			cell := layer.new(r).Cuda()
			sequence := r.Torch.List("sequence")
			for range steps {
				sequence.Append(r.Torch.Cuda.Randn(batch, width))
			}
			var h torch.Value
			r.Measure(func() { h = f(r.Torch, cell, sequence, window) })
			r.Value("the last state", h)
			r.Gradients(cell)
		},
	}
	return bounded(c, batch, width, grade.AtMost(grade.PeakAllocated,
		2*layer.workspace+3*layer.parameters+int64(steps+window+7)*matrix(batch, width),
		fmt.Sprintf("workspaces, cell and gradient, a sequence of %d, %d states and 7 more", steps, window)))
}
