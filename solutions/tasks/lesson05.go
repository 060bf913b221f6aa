package tasks

import (
	"fmt"
	"math"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/runtime/torch"
)

// TrainChain trains a chain of layers for one step.
type TrainChain = func(torch *torch.Torch, chain *torch.Module, x torch.Value)

// Segments asks for the number of segments that lets a chain train with the
// least memory.
var Segments = grade.Task[TrainChain]{
	Info: grade.Info{
		Name: "segments", Lesson: "05", Func: "Segments",
		Title: "Cut a chain of layers into the best number of segments",
		Hints: [3]string{
			"What does a chain of n layers keep when it is cut into s segments, and what comes back while one of them runs again?",
			"It keeps about s inputs, and n/s activations come back at a time. Look for the s that makes s + n/s smallest.",
			"s + n/s is smallest where s = n/s, so s is the square root of n. Write segments = math.Sqrt(layers) between the marks.",
		},
		Causes: map[grade.Metric]string{
			grade.PeakAllocated: "Few segments are long, and one comes back whole; many segments keep many inputs.",
		},
	},
	Reference: func(_ *torch.Torch, chain *torch.Module, x torch.Value) { chain.Call(x).Sum().Backward() },
	Cases:     []grade.Case[TrainChain]{segments(16, 4096, 512, 1), segments(64, 4096, 512, 2), segments(49, 32, 100, 3), segments(16, 20, 240, 4)},
}

// segments is a chain of equal layers on a batch. The largest has to be trained
// in memory for 2 sqrt(layers) activations and little more.
func segments(layers, batch, width int, seed uint64) grade.Case[TrainChain] {
	root := int64(math.Round(math.Sqrt(float64(layers))))
	layer := layerFor(batch, width)
	peak := 2*layer.workspace + int64(layers)*layer.parameters + (2*root+3)*matrix(batch, width)
	c := grade.Case[TrainChain]{
		Name: fmt.Sprintf("%d layers on %d x %d", layers, batch, width), Seed: seed,
		Run: func(r *grade.Run, f TrainChain) {
			nn := r.Torch.NN
			chain := nn.Sequential()
			for range layers {
				chain.Append(nn.Sequential(layer.new(r), nn.ReLU()))
			}
			chain.Cuda()
			r.CountCalls(chain.Children()...)
			x := r.Torch.Let("x", r.Torch.Cuda.Randn(batch, width).RequiresGrad_())
			r.Measure(func() { f(r.Torch, chain, x) })
			r.Gradient("x", x)
			r.Gradients(chain)
		},
		Limits: []grade.Limit{grade.AtMost(grade.Recomputed, int64(layers)-root, "all segments but the last")},
	}
	return bounded(c, batch, width, grade.AtMost(grade.PeakAllocated, peak,
		fmt.Sprintf("parameters, two workspaces, %d activations", 2*root+3)))
}

// TrainBlocks trains a chain of blocks for one step and returns the loss.
type TrainBlocks = func(torch *torch.Torch, blocks *torch.Module, x torch.Value) torch.Value

// Dropout asks for checkpoints around blocks that draw random numbers.
var Dropout = grade.Task[TrainBlocks]{
	Info: grade.Info{
		Name: "dropout", Lesson: "05", Func: "Dropout",
		Title: "Train blocks with dropout in less memory, with the same gradients",
		Hints: [3]string{
			"What does a block keep until backward, and which of it can be computed again from the block's input?",
			"A checkpoint around each block keeps the block's input and nothing else. By default the second run draws the random numbers of the first.",
			"Write h.Set(torch.Checkpoint(block, h, torch.UseReentrant(false))) instead of the line that is there, and no word on the random numbers.",
		},
		Causes: map[grade.Metric]string{
			grade.PeakAllocated: "A block without a checkpoint keeps its activations, and a checkpoint brings back all that is inside of it at once.",
			grade.Gradients:     "The second run has to drop the same numbers as the first.",
		},
	},
	Reference: func(torch *torch.Torch, blocks *torch.Module, x torch.Value) torch.Value {
		loss := torch.Let("loss", blocks.Call(x).Sum())
		loss.Backward()
		return loss
	},
	Cases: []grade.Case[TrainBlocks]{dropout(8, 4096, 1024, 1), dropout(5, 32, 128, 2), dropout(8, 20, 240, 3)},
}

// dropout is a chain of equal blocks. A block as it stands keeps four tensors
// of the size of its input, and two masks of a quarter.
func dropout(blocks, batch, width int, seed uint64) grade.Case[TrainBlocks] {
	layer := layerFor(batch, width)
	c := grade.Case[TrainBlocks]{
		Name: fmt.Sprintf("%d blocks on %d x %d", blocks, batch, width), Seed: seed,
		Run: func(r *grade.Run, f TrainBlocks) {
			nn := r.Torch.NN
			chain := nn.Sequential()
			for range blocks {
				chain.Append(nn.Sequential(
					layer.new(r), nn.GELU(), nn.Dropout(0.5),
					layer.new(r), nn.GELU(), nn.Dropout(0.5)))
			}
			chain.Cuda()
			x := r.Torch.Let("x", r.Torch.Cuda.Randn(batch, width))
			var loss torch.Value
			r.Measure(func() { loss = f(r.Torch, chain, x) })
			r.Value("loss", loss)
			r.Gradients(chain)
		},
	}
	return bounded(c, batch, width, grade.AtMost(grade.PeakAllocated,
		2*layer.workspace+2*2*int64(blocks)*layer.parameters+int64(blocks+7)*matrix(batch, width),
		fmt.Sprintf("workspaces, parameters and gradients, an input for each of %d blocks, 7 tensors for the one that runs", blocks)))
}

// TrainBody trains a body and the head on top of it for one step and returns
// the loss.
type TrainBody = func(torch *torch.Torch, body, head *torch.Module, x torch.Value) torch.Value

// Frozen asks for a checkpoint that works although its input needs no gradient.
var Frozen = grade.Task[TrainBody]{
	Info: grade.Info{
		Name: "frozen", Lesson: "05", Func: "Frozen",
		Title: "Train the blocks behind a frozen embedding",
		Hints: [3]string{
			"Which tensor tells a checkpoint of the older way whether there is anything to record: its input, or the parameters inside?",
			"The older way records itself only if its input requires a gradient. There is another way, which does not ask.",
			"Write torch.UseReentrant(false) where it says true.",
		},
		Causes: map[grade.Metric]string{
			grade.Gradients: "A reentrant checkpoint whose input needs no gradient records nothing, whatever the parameters inside need.",
		},
	},
	Reference: func(torch *torch.Torch, body, head *torch.Module, x torch.Value) torch.Value {
		loss := torch.Let("loss", head.Call(body.Call(x)).Sum())
		loss.Backward()
		return loss
	},
	Cases: []grade.Case[TrainBody]{frozen(8, 4096, 1024, 1), frozen(5, 32, 128, 2), frozen(8, 20, 240, 3)},
}

// frozen is a body of equal blocks. A block as it stands keeps four tensors of
// the size of its input.
func frozen(blocks, batch, width int, seed uint64) grade.Case[TrainBody] {
	layer := layerFor(batch, width)
	c := grade.Case[TrainBody]{
		Name: fmt.Sprintf("%d blocks on %d x %d", blocks, batch, width), Seed: seed,
		Run: func(r *grade.Run, f TrainBody) {
			nn := r.Torch.NN
			body, head := nn.Sequential(), headFor(r, batch, width)
			for range blocks {
				body.Append(nn.Sequential(layer.new(r), nn.GELU(), layer.new(r), nn.GELU()))
			}
			body.Cuda()
			x := r.Torch.Let("x", r.Torch.Cuda.Randn(batch, width))
			var loss torch.Value
			r.Measure(func() { loss = f(r.Torch, body, head, x) })
			r.Value("loss", loss)
			r.Gradients(body)
			r.Gradients(head)
		},
	}
	return bounded(c, batch, width, grade.AtMost(grade.PeakAllocated,
		2*layer.workspace+2*2*int64(blocks)*layer.parameters+int64(blocks+8)*matrix(batch, width),
		fmt.Sprintf("workspaces, parameters and gradients, an input for each of %d blocks, 8 tensors for the one that runs", blocks)))
}

// headFor is a head for batches of that size: a narrow Linear, or what stands in
// for it.
func headFor(r *grade.Run, batch, width int) *torch.Module {
	if large(batch, width) {
		return r.Torch.NN.LinearNoBias(width, 8).Cuda()
	}
	return r.Torch.NN.Sequential(layerFor(batch, width).new(r), r.Torch.NN.GELU()).Cuda()
}
