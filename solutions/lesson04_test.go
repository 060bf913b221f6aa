package solutions_test

import (
	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/runtime/nn"
	"github.com/torchmem/workbook/runtime/torch"
	answers "github.com/torchmem/workbook/solutions/04"
	starters "github.com/torchmem/workbook/solutions/04/starter"
	"github.com/torchmem/workbook/solutions/tasks"
)

var lesson04 = []proof{
	proven[tasks.ScoreBatches]{
		task: tasks.Inference, answer: answers.Inference,
		starter: attempt[tasks.ScoreBatches]{f: starters.Inference, fails: fails(grade.PeakAllocated)},
		right: []attempt[tasks.ScoreBatches]{
			{"inference_mode", judging(inferenceMode), nil},
			{"no_grad around the loop", func(torch *torch.Torch, model *torch.Module, batches int, read func(i int) torch.Value) (scores *torch.List) {
				torch.NoGrad(func() { scores = starters.Inference(torch, model, batches, read) })
				return scores
			}, nil},
		},
		wrong: []attempt[tasks.ScoreBatches]{
			{"eval() instead of no_grad", judging(recorded), fails(grade.PeakAllocated)},
			{"the result detached", judging(recorded, detached("y")), fails(grade.PeakAllocated)},
			{"the input deleted", judging(recorded, del("x")), fails(grade.PeakAllocated)},
			{"empty_cache in each round", judging(recorded, emptyCache), fails(grade.PeakAllocated)},
			{"the result moved to the CPU", judging(noGrad, toCPU("y")), fails(grade.HostBytes)},
			{"the result with its graph moved to the CPU", judging(recorded, toCPU("y")), fails(grade.PeakAllocated, grade.HostBytes)},
			{"no_grad around one batch only", func(torch *torch.Torch, model *torch.Module, batches int, read func(i int) torch.Value) *torch.List {
				return judging(onlyOnce(noGrad))(torch, model, batches, read)
			}, fails(grade.PeakAllocated)},
			{"train() left on", func(torch *torch.Torch, model *torch.Module, batches int, read func(i int) torch.Value) *torch.List {
				scores := torch.List("scores")
				torch.NoGrad(func() {
					for i := range batches {
						scores.Append(model.Train().Call(read(i)).Mean(1))
					}
				})
				return scores
			}, fails(grade.Values)},
			{"not run where it is large", func(torch *torch.Torch, model *torch.Module, batches int, read func(i int) torch.Value) *torch.List {
				return judging(recorded)(torch, unlessLarge(torch, model, torch.Cuda.Empty), batches, read)
			}, fails(grade.PeakAllocated)},
		},
	},
	proven[tasks.TrainAndScore]{
		task: tasks.HoldOut, answer: answers.HoldOut,
		starter: attempt[tasks.TrainAndScore]{f: starters.HoldOut, fails: fails(grade.PeakAllocated)},
		right:   []attempt[tasks.TrainAndScore]{{"inference_mode", scoring(recorded, inferenceMode), nil}},
		wrong: []attempt[tasks.TrainAndScore]{
			{"no_grad over training", scoring(noGrad, noGrad), fails(grade.Finished)},
			{"the two mixed up", scoring(noGrad, recorded), fails(grade.Finished)},
			{"the training run detached", func(torch *torch.Torch, model *torch.Module, x, held torch.Value) torch.Value {
				return scoring(recorded, noGrad)(torch, cut(torch.NN, model), x, held)
			}, fails(grade.Finished)},
			{"the score detached", scoring(recorded, recorded, detached("score")), fails(grade.PeakAllocated)},
			{"the names deleted, and empty_cache", func(torch *torch.Torch, model *torch.Module, x, held torch.Value) torch.Value {
				torch.Let("loss", model.Call(x).Mean()).Backward()
				torch.Var("loss").Del()
				torch.Cuda.EmptyCache()
				return torch.Let("score", model.Call(held).Mean())
			}, fails(grade.PeakAllocated)},
			{"gradients thrown away", func(torch *torch.Torch, model *torch.Module, x, held torch.Value) torch.Value {
				score := answers.HoldOut(torch, model, x, held)
				model.ZeroGrad()
				return score
			}, fails(grade.Gradients)},
			{"a constant returned", func(torch *torch.Torch, model *torch.Module, x, held torch.Value) torch.Value {
				answers.HoldOut(torch, model, x, held)
				return torch.Let("score", torch.Cuda.Full(0.5))
			}, fails(grade.Values)},
			{"no backward at all", func(torch *torch.Torch, model *torch.Module, _, held torch.Value) torch.Value {
				torch.NoGrad(func() { torch.Let("score", model.Call(held).Mean()) })
				return torch.Var("score")
			}, fails(grade.Gradients)},
			{"not scored where it is large", func(torch *torch.Torch, model *torch.Module, x, held torch.Value) torch.Value {
				if !isLarge(x) {
					return starters.HoldOut(torch, model, x, held)
				}
				model.Call(x).Mean().Backward()
				return torch.Let("score", torch.Cuda.Full(0))
			}, fails(grade.PeakAllocated)},
		},
	},
	proven[tasks.TrainHead]{
		task: tasks.Backbone, answer: answers.Backbone,
		starter: attempt[tasks.TrainHead]{f: starters.Backbone, fails: fails(grade.PeakAllocated)},
		right: []attempt[tasks.TrainHead]{
			{"detached within no_grad", heading(noGrad, recorded, detached("features")), nil},
		},
		wrong: []attempt[tasks.TrainHead]{
			{"no_grad over the head", heading(recorded, noGrad), fails(grade.Finished)},
			{"no_grad over both", heading(noGrad, noGrad), fails(grade.Finished)},
			{"detached when it is too late", heading(recorded, recorded, detached("features")), fails(grade.PeakAllocated)},
			{"eval() instead of no_grad", func(torch *torch.Torch, backbone, head *torch.Module, x torch.Value) torch.Value {
				return starters.Backbone(torch, backbone.Eval(), head, x)
			}, fails(grade.PeakAllocated)},
			{"gradients thrown away", func(torch *torch.Torch, backbone, head *torch.Module, x torch.Value) torch.Value {
				loss := starters.Backbone(torch, backbone, head, x)
				backbone.ZeroGrad()
				return loss
			}, fails(grade.PeakAllocated)},
			{"inference_mode", heading(inferenceMode, recorded), fails(grade.Finished)},
			{"a constant returned", func(torch *torch.Torch, backbone, head *torch.Module, x torch.Value) torch.Value {
				answers.Backbone(torch, backbone, head, x)
				return torch.Let("loss", torch.Cuda.Full(0.5))
			}, fails(grade.Values)},
			{"a checkpoint instead", func(torch *torch.Torch, backbone, head *torch.Module, x torch.Value) torch.Value {
				loss := torch.Let("loss", head.Call(torch.Checkpoint(backbone, x, useReentrant(false))).Mean())
				loss.Backward()
				return loss
			}, fails(grade.PeakAllocated)},
			{"the backbone left out where it is large", func(torch *torch.Torch, backbone, head *torch.Module, x torch.Value) torch.Value {
				return starters.Backbone(torch, unlessLarge(torch, backbone, torch.Cuda.Randn), head, x)
			}, fails(grade.PeakAllocated)},
		},
	},
}

// mode is a with block, such as no_grad.
type mode = func(torch *torch.Torch, block func())

var (
	noGrad        mode = (*torch.Torch).NoGrad
	inferenceMode mode = (*torch.Torch).InferenceMode
)

// recorded is the mode that a program is in from the start.
func recorded(_ *torch.Torch, block func()) { block() }

// onlyOnce is a mode for the first block that it gets.
func onlyOnce(with mode) mode {
	used := false
	return func(torch *torch.Torch, block func()) {
		if used {
			block()
			return
		}
		used = true
		with(torch, block)
	}
}

// judging is the exercise with another mode, and steps after the model has run.
func judging(with mode, steps ...step) tasks.ScoreBatches {
	return func(torch *torch.Torch, model *torch.Module, batches int, read func(i int) torch.Value) *torch.List {
		model.Eval()
		scores := torch.List("scores")
		for i := range batches {
			x := torch.Let("x", read(i))
			with(torch, func() { torch.Let("y", model.Call(x)) })
			follow(torch, steps)
			scores.Append(torch.Var("y").Mean(1))
		}
		return scores
	}
}

// scoring is the exercise with a mode for each of its two runs, and steps at
// its end.
func scoring(train, score mode, steps ...step) tasks.TrainAndScore {
	return func(torch *torch.Torch, model *torch.Module, x, held torch.Value) torch.Value {
		train(torch, func() { torch.Let("loss", model.Call(x).Mean()) })
		torch.Var("loss").Backward()
		score(torch, func() { torch.Let("score", model.Call(held).Mean()) })
		follow(torch, steps)
		return torch.Var("score")
	}
}

// cut is a model whose results have no history.
func cut(nn *nn.NN, model *torch.Module) *torch.Module {
	return nn.Module("Cut", func(x *torch.Tensor) *torch.Tensor { return model.Call(x).Detach() }, model)
}

// unlessLarge is a model that returns something else for large batches, of the
// shape of its input.
func unlessLarge(torch *torch.Torch, model *torch.Module, other func(shape ...int) *torch.Tensor) *torch.Module {
	return torch.NN.Module("UnlessLarge", func(x tensor) tensor {
		if isLarge(x) {
			return other(x.Shape()...)
		}
		return model.Call(x)
	}, model)
}

// heading is the exercise with a mode for each of its two models, and steps
// between them.
func heading(body, top mode, steps ...step) tasks.TrainHead {
	return func(torch *torch.Torch, backbone, head *torch.Module, x torch.Value) torch.Value {
		body(torch, func() { torch.Let("features", backbone.Call(x)) })
		follow(torch, steps)
		top(torch, func() { torch.Let("loss", head.Call(torch.Var("features")).Mean()) })
		torch.Var("loss").Backward()
		return torch.Var("loss")
	}
}
