package solutions_test

import (
	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/runtime/torch"
	answers "github.com/torchmem/workbook/solutions/08"
	starters "github.com/torchmem/workbook/solutions/08/starter"
	"github.com/torchmem/workbook/solutions/tasks"
)

var lesson08 = []proof{
	proven[tasks.MakeMany]{
		task: tasks.Loop, answer: answers.Loop,
		starter: attempt[tasks.MakeMany]{f: starters.Loop, fails: fails(grade.PeakAllocated, grade.PeakReserved, grade.DriverAllocations)},
		right: []attempt[tasks.MakeMany]{
			{"the name rebound", rounds(func(torch *torch.Torch, _ *torch.List, next func() torch.Value) { torch.Let("t", next()) }), nil},
			{"the list cleared in each round", rounds(func(_ *torch.Torch, ts *torch.List, next func() torch.Value) {
				ts.Append(next())
				ts.Clear()
			}), nil},
		},
		wrong: []attempt[tasks.MakeMany]{
			{"empty_cache in each round", rounds(func(torch *torch.Torch, _ *torch.List, next func() torch.Value) {
				torch.Let("t", next()).Del()
				torch.Cuda.EmptyCache()
			}), fails(grade.DriverAllocations)},
			{"empty_cache instead of del", rounds(func(torch *torch.Torch, ts *torch.List, next func() torch.Value) {
				ts.Append(next())
				torch.Cuda.EmptyCache()
			}), fails(grade.PeakAllocated, grade.PeakReserved, grade.DriverAllocations)},
			{"moved to the CPU", rounds(func(_ *torch.Torch, ts *torch.List, next func() torch.Value) {
				ts.Append(next().Value().CPU())
			}), fails(grade.HostBytes)},
			{"only half of them made", func(torch *torch.Torch, next func() torch.Value, tensors int) string {
				return answers.Loop(torch, next, tensors/2)
			}, fails(grade.Made, grade.Values)},
			{"peaks reset in each round", rounds(func(torch *torch.Torch, _ *torch.List, next func() torch.Value) {
				torch.Let("t", next()).Del()
				torch.Cuda.ResetPeakMemoryStats()
			}), fails(grade.Values)},
			{"totals reset in each round", rounds(func(torch *torch.Torch, _ *torch.List, next func() torch.Value) {
				torch.Let("t", next()).Del()
				torch.Cuda.ResetAccumulatedMemoryStats()
			}), fails(grade.Values)},
			{"the table taken before the loop", func(torch *torch.Torch, next func() torch.Value, tensors int) string {
				table := torch.Cuda.MemorySummary()
				answers.Loop(torch, next, tensors)
				return table
			}, fails(grade.Values)},
			{"the table taken in the first round", func(torch *torch.Torch, next func() torch.Value, _ int) string {
				torch.Let("t", next())
				return torch.Cuda.MemorySummary()
			}, fails(grade.Made, grade.Values)},
			{"no table returned", func(torch *torch.Torch, next func() torch.Value, tensors int) string {
				answers.Loop(torch, next, tensors)
				return ""
			}, fails(grade.Values)},
			{"only wide tensors deleted", rounds(func(torch *torch.Torch, ts *torch.List, next func() torch.Value) {
				t := torch.Let("t", next())
				if t.Shape()[1] < 1000 {
					ts.Append(t)
				}
				t.Del()
			}), fails(grade.PeakAllocated, grade.PeakReserved, grade.DriverAllocations)},
		},
	},
	proven[tasks.TrainBody]{
		task: tasks.LargeModel, answer: answers.LargeModel,
		starter: attempt[tasks.TrainBody]{f: starters.LargeModel, fails: fails(grade.PeakAllocated)},
		right: []attempt[tasks.TrainBody]{
			{"checkpoint_sequential with a segment for each block", func(torch *torch.Torch, blocks, head *torch.Module, x torch.Value) torch.Value {
				h := torch.CheckpointSequential(blocks, len(blocks.Children()), x, useReentrant(false))
				loss := torch.Let("loss", head.Call(h).Sum())
				loss.Backward()
				return loss
			}, nil},
		},
		wrong: []attempt[tasks.TrainBody]{
			{"no checkpoint", withHead(func(_ *torch.Torch, block *torch.Module, h torch.Value) torch.Value {
				return block.Call(h)
			}), fails(grade.PeakAllocated)},
			{"everything checkpointed at once", func(torch *torch.Torch, blocks, head *torch.Module, x torch.Value) torch.Value {
				h := torch.Checkpoint(blocks, x, useReentrant(false))
				loss := torch.Let("loss", head.Call(h).Sum())
				loss.Backward()
				return loss
			}, fails(grade.PeakAllocated)},
			{"two halves", func(torch *torch.Torch, blocks, head *torch.Module, x torch.Value) torch.Value {
				h := torch.CheckpointSequential(blocks, 2, x, useReentrant(false))
				loss := torch.Let("loss", head.Call(h).Sum())
				loss.Backward()
				return loss
			}, fails(grade.PeakAllocated)},
			{"use_reentrant=True", withHead(func(torch *torch.Torch, block *torch.Module, h torch.Value) torch.Value {
				return torch.Checkpoint(block, h, useReentrant(true))
			}), fails(grade.Gradients)},
			{"no word on use_reentrant", withHead(func(torch *torch.Torch, block *torch.Module, h torch.Value) torch.Value {
				return torch.Checkpoint(block, h)
			}), fails(grade.Gradients)},
			{"the blocks left out where they are large", withHead(callUnlessLarge), fails(grade.PeakAllocated)},
			{"the gradients of the head thrown away", headless(answers.LargeModel), fails(grade.Gradients)},
			{"checkpoints inside of checkpoints", withHead(func(torch *torch.Torch, block *torch.Module, h torch.Value) torch.Value {
				return torch.Checkpoint(eachLayer(torch, block), h, useReentrant(false))
			}), fails(grade.Recomputed)},
			{"no_grad over training", withHead(func(torch *torch.Torch, block *torch.Module, h torch.Value) (out torch.Value) {
				torch.NoGrad(func() { out = block.Call(h) })
				return out
			}), fails(grade.Gradients)},
		},
	},
	proven[tasks.Predict]{
		task: tasks.Fits, answer: answers.Fits,
		starter: attempt[tasks.Predict]{f: starters.Fits, fails: fails(grade.Values)},
		wrong: []attempt[tasks.Predict]{
			{"activations and gradients together", needs(func(parameters, activations int64) int64 {
				return workspaces + 2*parameters + activations
			}), fails(grade.Values)},
			{"workspaces forgotten", needs(func(parameters, activations int64) int64 {
				return parameters + max(activations, parameters)
			}), fails(grade.Values)},
			{"one workspace", needs(func(parameters, activations int64) int64 {
				return workspaces/2 + parameters + max(activations, parameters)
			}), fails(grade.Values)},
			{"gradients forgotten", needs(func(parameters, activations int64) int64 {
				return workspaces + parameters + activations
			}), fails(grade.Values)},
			{"the result of each Linear kept too", needs(func(parameters, activations int64) int64 {
				return workspaces + parameters + max(2*activations, parameters)
			}), fails(grade.Values)},
			{"always true", func(int, int, int, int64) bool { return true }, fails(grade.Values)},
			{"always false", func(int, int, int, int64) bool { return false }, fails(grade.Values)},
		},
	},
}

// rounds makes tensors and does in each round what the function says.
func rounds(round func(torch *torch.Torch, ts *torch.List, next func() torch.Value)) tasks.MakeMany {
	return func(torch *torch.Torch, next func() torch.Value, tensors int) string {
		ts := torch.List("ts")
		for range tensors {
			round(torch, ts, next)
		}
		return torch.Cuda.MemorySummary()
	}
}

// eachLayer runs a block with a checkpoint around each of its layers.
func eachLayer(t *torch.Torch, block *torch.Module) torch.Func {
	return func(h *torch.Tensor) *torch.Tensor {
		for _, layer := range block.Children() {
			h = t.Checkpoint(layer, h, useReentrant(false))
		}
		return h
	}
}

// workspaces are those of the forward and of the backward pass.
const workspaces = 2 * (32 << 20)

// needs predicts with what the function makes of the bytes of parameters and
// activations.
func needs(sum func(parameters, activations int64) int64) tasks.Predict {
	return func(layers, batch, width int, budget int64) bool {
		parameters := 4 * int64(layers*width*width)
		activations := 4 * int64((layers+1)*batch*width)
		return sum(parameters, activations) <= budget
	}
}
