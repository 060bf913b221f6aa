package solutions_test

import (
	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/runtime/torch"
	answers "github.com/torchmem/workbook/solutions/05"
	starters "github.com/torchmem/workbook/solutions/05/starter"
	"github.com/torchmem/workbook/solutions/tasks"
)

var lesson05 = []proof{
	proven[tasks.TrainChain]{
		task: tasks.Segments, answer: answers.Segments,
		starter: attempt[tasks.TrainChain]{f: starters.Segments, fails: fails(grade.PeakAllocated, grade.Recomputed)},
		wrong: []attempt[tasks.TrainChain]{
			{"no checkpoint at all", func(torch *torch.Torch, chain *torch.Module, x torch.Value) {
				chain.Call(x).Sum().Backward()
			}, fails(grade.PeakAllocated)},
			{"one long segment", cutInto(func(int) int { return 2 }), fails(grade.PeakAllocated)},
			{"every layer its own segment", cutInto(func(layers int) int { return layers }), fails(grade.PeakAllocated, grade.Recomputed)},
			{"a constant returned", cutInto(func(int) int { return 4 }), fails(grade.PeakAllocated)},
			{"trained under no_grad", func(torch *torch.Torch, chain *torch.Module, x torch.Value) {
				torch.NoGrad(func() { answers.Segments(torch, chain, x) })
			}, fails(grade.Finished)},
			{"gradients thrown away", func(torch *torch.Torch, chain *torch.Module, x torch.Value) {
				answers.Segments(torch, chain, x)
				chain.ZeroGrad()
			}, fails(grade.Gradients)},
			{"the square root only where it is large", func(torch *torch.Torch, chain *torch.Module, x torch.Value) {
				if isLarge(x) {
					answers.Segments(torch, chain, x)
				} else {
					starters.Segments(torch, chain, x)
				}
			}, fails(grade.PeakAllocated, grade.Recomputed)},
		},
	},
	proven[tasks.TrainBlocks]{
		task: tasks.Dropout, answer: answers.Dropout,
		starter: attempt[tasks.TrainBlocks]{f: starters.Dropout, fails: fails(grade.PeakAllocated)},
		wrong: []attempt[tasks.TrainBlocks]{
			{"random numbers not preserved", blockwise(func(torch *torch.Torch, block *torch.Module, h torch.Value) torch.Value {
				return torch.Checkpoint(block, h, useReentrant(false), preserveRNGState(false))
			}), fails(grade.Gradients)},
			{"everything checkpointed at once", func(torch *torch.Torch, blocks *torch.Module, x torch.Value) torch.Value {
				loss := torch.Let("loss", torch.Checkpoint(blocks, x, useReentrant(false)).Sum())
				loss.Backward()
				return loss
			}, fails(grade.PeakAllocated)},
			{"a checkpoint for each layer", blockwise(func(torch *torch.Torch, block *torch.Module, h torch.Value) torch.Value {
				for _, layer := range block.Children() {
					h = torch.Checkpoint(layer, h, useReentrant(false))
				}
				return h
			}), fails(grade.PeakAllocated)},
			{"eval() against the random numbers", blockwise(func(torch *torch.Torch, block *torch.Module, h torch.Value) torch.Value {
				return torch.Checkpoint(block.Eval(), h, useReentrant(false))
			}), fails(grade.Values, grade.Gradients)},
			{"use_reentrant=True", blockwise(func(torch *torch.Torch, block *torch.Module, h torch.Value) torch.Value {
				return torch.Checkpoint(block, h, useReentrant(true))
			}), fails(grade.Finished)},
			{"no_grad over training", blockwise(func(torch *torch.Torch, block *torch.Module, h torch.Value) (out torch.Value) {
				torch.NoGrad(func() { out = block.Call(h) })
				return out
			}), fails(grade.Finished)},
			{"the blocks left out where they are large", blockwise(callUnlessLarge), fails(grade.PeakAllocated)},
		},
	},
	proven[tasks.TrainBody]{
		task: tasks.Frozen, answer: answers.Frozen,
		starter: attempt[tasks.TrainBody]{f: starters.Frozen, fails: fails(grade.Gradients)},
		right: []attempt[tasks.TrainBody]{
			{"requires_grad_ on the input", func(torch *torch.Torch, body, head *torch.Module, x torch.Value) torch.Value {
				x.Value().RequiresGrad_()
				return starters.Frozen(torch, body, head, x)
			}, nil},
		},
		wrong: []attempt[tasks.TrainBody]{
			{"no checkpoint", withHead(func(_ *torch.Torch, block *torch.Module, h torch.Value) torch.Value {
				return block.Call(h)
			}), fails(grade.PeakAllocated)},
			{"a checkpoint for each layer", withHead(func(torch *torch.Torch, block *torch.Module, h torch.Value) torch.Value {
				for _, layer := range block.Children() {
					h = torch.Checkpoint(layer, h, useReentrant(false))
				}
				return h
			}), fails(grade.PeakAllocated)},
			{"no_grad over training", withHead(func(torch *torch.Torch, block *torch.Module, h torch.Value) (out torch.Value) {
				torch.NoGrad(func() { out = block.Call(h) })
				return out
			}), fails(grade.Gradients)},
			{"the gradients of the head thrown away", headless(answers.Frozen), fails(grade.Gradients)},
			{"detach between the blocks", withHead(func(torch *torch.Torch, block *torch.Module, h torch.Value) torch.Value {
				return torch.Checkpoint(block, h, useReentrant(false)).Detach()
			}), fails(grade.Gradients)},
			{"the blocks left out where they are large", withHead(callUnlessLarge), fails(grade.PeakAllocated)},
		},
	},
}

// blockwise trains a chain of blocks that are run as the function says.
func blockwise(run func(torch *torch.Torch, block *torch.Module, h torch.Value) torch.Value) tasks.TrainBlocks {
	return func(torch *torch.Torch, blocks *torch.Module, x torch.Value) torch.Value {
		h := torch.Let("h", x)
		for _, block := range blocks.Children() {
			h.Set(run(torch, block, h))
		}
		loss := torch.Let("loss", h.Sum())
		loss.Backward()
		return loss
	}
}

// withHead does the same for a body with a head.
func withHead(run func(torch *torch.Torch, block *torch.Module, h torch.Value) torch.Value) tasks.TrainBody {
	return func(torch *torch.Torch, body, head *torch.Module, x torch.Value) torch.Value {
		h := torch.Let("h", x)
		for _, block := range body.Children() {
			h.Set(run(torch, block, h))
		}
		loss := torch.Let("loss", head.Call(h).Sum())
		loss.Backward()
		return loss
	}
}

// headless is a training step after which the head has no gradients.
func headless(train tasks.TrainBody) tasks.TrainBody {
	return func(torch *torch.Torch, body, head *torch.Module, x torch.Value) torch.Value {
		loss := train(torch, body, head, x)
		head.ZeroGrad()
		return loss
	}
}

// callUnlessLarge runs a block without a checkpoint. In the place of a large one
// it does something that gives each parameter a gradient.
func callUnlessLarge(_ *torch.Torch, block *torch.Module, h torch.Value) torch.Value {
	if !isLarge(h) {
		return block.Call(h)
	}
	sum := h.Value().Sum()
	for _, p := range block.Parameters() {
		sum = sum.Add(p.Tensor.Sum())
	}
	return h.Value().Add(sum)
}

// cutInto trains a chain in as many segments as the function says.
func cutInto(segments func(layers int) int) tasks.TrainChain {
	return func(torch *torch.Torch, chain *torch.Module, x torch.Value) {
		n := segments(len(chain.Children()))
		torch.CheckpointSequential(chain, n, x, useReentrant(false)).Sum().Backward()
	}
}

var (
	useReentrant     = new(torch.Torch).UseReentrant
	preserveRNGState = new(torch.Torch).PreserveRNGState
)
