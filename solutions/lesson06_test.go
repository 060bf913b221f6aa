package solutions_test

import (
	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/runtime/torch"
	answers "github.com/torchmem/workbook/solutions/06"
	starters "github.com/torchmem/workbook/solutions/06/starter"
	"github.com/torchmem/workbook/solutions/tasks"
)

var lesson06 = []proof{
	proven[tasks.Evaluate]{
		task: tasks.Outputs, answer: answers.Outputs,
		starter: attempt[tasks.Evaluate]{f: starters.Outputs, fails: fails(grade.PeakAllocated, grade.EndAllocated, grade.LiveTensors)},
		right: []attempt[tasks.Evaluate]{
			{"no_grad around the call", keeping(func(torch *torch.Torch, model *torch.Module, x *torch.Var, outs *torch.List) {
				torch.NoGrad(func() { outs.Append(model.Call(x)) })
			}), nil},
			{"the whole list detached in each round", keeping(func(_ *torch.Torch, model *torch.Module, x *torch.Var, outs *torch.List) {
				outs.Append(model.Call(x))
				outs.Map(detach)
			}), nil},
		},
		wrong: []attempt[tasks.Evaluate]{
			{"empty_cache instead of detach", keeping(func(torch *torch.Torch, model *torch.Module, x *torch.Var, outs *torch.List) {
				outs.Append(model.Call(x))
				torch.Cuda.EmptyCache()
			}), fails(grade.PeakAllocated, grade.EndAllocated, grade.LiveTensors)},
			{"the batch deleted", keeping(func(_ *torch.Torch, model *torch.Module, x *torch.Var, outs *torch.List) {
				outs.Append(model.Call(x))
				x.Del()
			}), fails(grade.PeakAllocated, grade.EndAllocated, grade.LiveTensors)},
			{"eval() instead of no_grad", keeping(func(_ *torch.Torch, model *torch.Module, x *torch.Var, outs *torch.List) {
				outs.Append(model.Eval().Call(x))
			}), fails(grade.PeakAllocated, grade.EndAllocated, grade.LiveTensors)},
			{"cpu() without detach", keeping(func(_ *torch.Torch, model *torch.Module, x *torch.Var, outs *torch.List) {
				outs.Append(model.Call(x).CPU())
			}), fails(grade.PeakAllocated, grade.EndAllocated, grade.LiveTensors, grade.HostBytes)},
			{"moved to the CPU", keeping(func(_ *torch.Torch, model *torch.Module, x *torch.Var, outs *torch.List) {
				outs.Append(model.Call(x).Detach().CPU())
			}), fails(grade.HostBytes)},
			{"the means of the batches kept too", func(torch *torch.Torch, model *torch.Module, next func() torch.Value, rounds int) *torch.List {
				means := torch.List("means")
				return keeping(func(_ *torchType, model *module, x *variable, outs *list) {
					means.Append(x.Mean())
					outs.Append(model.Call(x).Detach())
				})(torch, model, next, rounds)
			}, fails(grade.LiveTensors)},
			{"only the last output kept", keeping(func(_ *torch.Torch, model *torch.Module, x *torch.Var, outs *torch.List) {
				outs.Clear()
				outs.Append(model.Call(x).Detach())
			}), fails(grade.Values)},
			{"detached only where they are large", keeping(func(_ *torch.Torch, model *torch.Module, x *torch.Var, outs *torch.List) {
				outs.Append(model.Call(x))
				if isLarge(x) {
					outs.Map(detach)
				}
			}), fails(grade.PeakAllocated, grade.EndAllocated, grade.LiveTensors)},
		},
	},
	proven[tasks.Validate]{
		task: tasks.Total, answer: answers.Total,
		starter: attempt[tasks.Validate]{f: starters.Total, fails: fails(grade.PeakAllocated, grade.EndAllocated)},
		right: []attempt[tasks.Validate]{
			{"detach", adding(func(_ *torch.Torch, total, loss *torch.Var) { total.Set(total.Add(loss.Detach())) }), nil},
			{"no_grad around the sum", adding(func(torch *torch.Torch, total, loss *torch.Var) {
				torch.NoGrad(func() { total.Set(total.Add(loss)) })
			}), nil},
		},
		wrong: []attempt[tasks.Validate]{
			{"empty_cache instead of a number", adding(func(torch *torch.Torch, total, loss *torch.Var) {
				total.Set(total.Add(loss))
				torch.Cuda.EmptyCache()
			}), fails(grade.PeakAllocated, grade.EndAllocated)},
			{"del loss only", adding(func(_ *torch.Torch, total, loss *torch.Var) {
				total.Set(total.Add(loss))
				loss.Del()
			}), fails(grade.PeakAllocated, grade.EndAllocated)},
			{"cpu() without detach", adding(func(_ *torch.Torch, total, loss *torch.Var) {
				total.Set(total.Add(loss.CPU()))
			}), fails(grade.PeakAllocated, grade.EndAllocated)},
			{"clone instead of detach", adding(func(_ *torch.Torch, total, loss *torch.Var) {
				total.Set(total.Add(loss.Clone()))
			}), fails(grade.PeakAllocated, grade.EndAllocated)},
			{"only the last loss", adding(func(_ *torch.Torch, total, loss *torch.Var) { total.Set(loss.Detach()) }), fails(grade.Values)},
			{"a constant returned", func(torch *torch.Torch, _ *torch.Module, _ func() torch.Value, _ int) torch.Value {
				return torch.Let("total", torch.Scalar(20))
			}, fails(grade.Values)},
			{"a number only where it is large", adding(func(torch *torch.Torch, total, loss *torch.Var) {
				if isLarge(torch.Var("x")) {
					total.Set(total.Add(loss.Item()))
				} else {
					total.Set(total.Add(loss))
				}
			}), fails(grade.PeakAllocated, grade.EndAllocated)},
		},
	},
	proven[tasks.Recur]{
		task: tasks.Hidden, answer: answers.Hidden,
		starter: attempt[tasks.Recur]{f: starters.Hidden, fails: fails(grade.PeakAllocated, grade.Gradients)},
		right: []attempt[tasks.Recur]{
			{"detached first, with the loss made before", windows(same, func(_ *torch.Torch, _ *torch.Module, h, loss *torch.Var) {
				h.Set(h.Detach())
				loss.Backward()
			}), nil},
		},
		wrong: []attempt[tasks.Recur]{
			{"detach forgotten", windows(same, func(_ *torch.Torch, _ *torch.Module, _, loss *torch.Var) { loss.Backward() }), fails(grade.Finished)},
			{"retain_graph=True beside the detach", windows(same, func(_ *torch.Torch, _ *torch.Module, h, loss *torch.Var) {
				loss.BackwardRetainGraph()
				h.Set(h.Detach())
			}), fails(grade.PeakAllocated)},
			{"detach at every step", windows(detach, func(_ *torch.Torch, _ *torch.Module, h, loss *torch.Var) {
				loss.Backward()
				h.Set(h.Detach())
			}), fails(grade.Gradients)},
			{"detach before backward", windows(same, func(_ *torch.Torch, _ *torch.Module, h, loss *torch.Var) {
				h.Set(h.Detach())
				loss.Set(h.Pow(2).Mean())
				loss.Backward()
			}), fails(grade.Finished)},
			{"zero_grad at the border", windows(same, func(_ *torch.Torch, cell *torch.Module, h, loss *torch.Var) {
				cell.ZeroGrad()
				loss.Backward()
				h.Set(h.Detach())
			}), fails(grade.Gradients)},
			{"a new state in each window", windows(same, func(torch *torch.Torch, _ *torch.Module, h, loss *torch.Var) {
				loss.Backward()
				h.Set(torch.Cuda.Full(0, h.Shape()...))
			}), fails(grade.Values, grade.Gradients)},
			{"no_grad over training", func(t *torch.Torch, cell *torch.Module, sequence *torch.List, window int) (h torch.Value) {
				t.NoGrad(func() { h = answers.Hidden(t, cell, sequence, window) })
				return h
			}, fails(grade.Finished)},
			{"retain_graph=True where it is small", windows(same, func(_ *torch.Torch, _ *torch.Module, h, loss *torch.Var) {
				if isLarge(h) {
					loss.Backward()
				} else {
					loss.BackwardRetainGraph()
				}
				h.Set(h.Detach())
			}), fails(grade.PeakAllocated)},
		},
	},
}

// keeping evaluates a model and keeps outputs as the function says.
func keeping(keep func(torch *torch.Torch, model *torch.Module, x *torch.Var, outs *torch.List)) tasks.Evaluate {
	return func(torch *torch.Torch, model *torch.Module, next func() torch.Value, rounds int) *torch.List {
		outs, x := torch.List("outs"), torch.Var("x")
		for range rounds {
			x.Set(next())
			keep(torch, model, x, outs)
		}
		return outs
	}
}

// adding validates a model and adds losses up as the function says.
func adding(add func(torch *torch.Torch, total, loss *torch.Var)) tasks.Validate {
	return func(torch *torch.Torch, model *torch.Module, next func() torch.Value, rounds int) torch.Value {
		total := torch.Let("total", torch.Scalar(0))
		x, loss := torch.Var("x"), torch.Var("loss")
		for range rounds {
			x.Set(next())
			loss.Set(model.Call(x).Pow(2).Mean())
			add(torch, total, loss)
		}
		return total
	}
}

// windows trains a cell. The first function sees each state, the second is
// what happens where a window ends.
func windows(state func(h *torch.Tensor) *torch.Tensor, border func(torch *torch.Torch, cell *torch.Module, h, loss *torch.Var)) tasks.Recur {
	return func(torch *torch.Torch, cell *torch.Module, sequence *torch.List, window int) torch.Value {
		h := torch.Let("h", torch.Cuda.Full(0, sequence.At(0).Shape()...))
		loss := torch.Var("loss")
		for step := range sequence.Len() {
			h.Set(cell.Call(state(h.Value())).Add(sequence.At(step)).Tanh())
			if (step+1)%window == 0 {
				loss.Set(h.Pow(2).Mean())
				border(torch, cell, h, loss)
			}
		}
		return h
	}
}

func detach(x *torch.Tensor) *torch.Tensor { return x.Detach() }
func same(x *torch.Tensor) *torch.Tensor   { return x }
