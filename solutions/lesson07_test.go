package solutions_test

import (
	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/runtime/torch"
	answers "github.com/torchmem/workbook/solutions/07"
	starters "github.com/torchmem/workbook/solutions/07/starter"
	"github.com/torchmem/workbook/solutions/tasks"
)

var lesson07 = []proof{
	proven[tasks.Micro]{
		task: tasks.Accumulate, answer: answers.Accumulate,
		starter: attempt[tasks.Micro]{f: starters.Accumulate, fails: fails(grade.PeakAllocated)},
		right: []attempt[tasks.Micro]{
			{"detach for the sum", accumulating(func(_ *torch.Torch, _ *torch.Module, total, loss *torch.Var) {
				loss.Backward()
				total.Set(total.Add(loss.Detach()))
			}), nil},
		},
		wrong: []attempt[tasks.Micro]{
			{"empty_cache instead of backward", accumulating(func(torch *torch.Torch, _ *torch.Module, total, loss *torch.Var) {
				total.Set(total.Add(loss))
				torch.Cuda.EmptyCache()
			}), fails(grade.PeakAllocated)},
			{"the sum keeps the graph", accumulating(func(_ *torch.Torch, _ *torch.Module, total, loss *torch.Var) {
				loss.Backward()
				total.Set(total.Add(loss))
			}), fails(grade.Finished)},
			{"retain_graph=True, and the sum keeps the graph", accumulating(func(_ *torch.Torch, _ *torch.Module, total, loss *torch.Var) {
				loss.BackwardRetainGraph()
				total.Set(total.Add(loss))
			}), fails(grade.PeakAllocated, grade.Gradients)},
			{"retain_graph=True", accumulating(func(_ *torch.Torch, _ *torch.Module, total, loss *torch.Var) {
				loss.BackwardRetainGraph()
				total.Set(total.Add(loss.Item()))
			}), fails(grade.PeakAllocated)},
			{"zero_grad in each round", accumulating(func(_ *torch.Torch, model *torch.Module, total, loss *torch.Var) {
				model.ZeroGrad()
				loss.Backward()
				total.Set(total.Add(loss.Item()))
			}), fails(grade.Gradients)},
			{"detach without backward", accumulating(func(_ *torch.Torch, _ *torch.Module, total, loss *torch.Var) {
				total.Set(total.Add(loss.Detach()))
			}), fails(grade.PeakAllocated, grade.Gradients)},
			{"the sum forgotten", accumulating(func(_ *torch.Torch, _ *torch.Module, _, loss *torch.Var) { loss.Backward() }), fails(grade.Values)},
			{"one micro-batch where they are large", func(torch *torch.Torch, model *torch.Module, next func() torch.Value, microBatches int) torch.Value {
				first := torch.Let("first", next())
				if isLarge(first) {
					microBatches = 1
				}
				return starters.Accumulate(torch, model, firstThen(first, next), microBatches)
			}, fails(grade.PeakAllocated)},
		},
	},
	proven[tasks.WatchGradients]{
		task: tasks.Hook, answer: answers.Hook,
		starter: attempt[tasks.WatchGradients]{f: starters.Hook, fails: fails(grade.PeakAllocated, grade.EndAllocated)},
		right: []attempt[tasks.WatchGradients]{
			{"norms of no dimensions in the list", hooked(func(_ *torch.Torch, grads *torch.List, grad *torch.Tensor) *torch.Tensor {
				grads.Append(grad.Norm())
				return nil
			}), nil},
		},
		wrong: []attempt[tasks.WatchGradients]{
			{"empty_cache instead of a number", hooked(func(torch *torch.Torch, grads *torch.List, grad *torch.Tensor) *torch.Tensor {
				grads.Append(grad)
				torch.Cuda.EmptyCache()
				return nil
			}), fails(grade.PeakAllocated, grade.EndAllocated)},
			{"a clone kept", hooked(func(_ *torch.Torch, grads *torch.List, grad *torch.Tensor) *torch.Tensor {
				grads.Append(grad.Clone())
				return nil
			}), fails(grade.PeakAllocated, grade.EndAllocated)},
			{"detach, as if it had a graph", hooked(func(_ *torch.Torch, grads *torch.List, grad *torch.Tensor) *torch.Tensor {
				grads.Append(grad.Detach())
				return nil
			}), fails(grade.PeakAllocated, grade.EndAllocated)},
			{"moved to the CPU", hooked(func(_ *torch.Torch, grads *torch.List, grad *torch.Tensor) *torch.Tensor {
				grads.Append(grad.CPU())
				return nil
			}), fails(grade.HostBytes)},
			{"only the last gradient kept", hooked(func(_ *torch.Torch, grads *torch.List, grad *torch.Tensor) *torch.Tensor {
				grads.Clear()
				grads.Append(grad)
				return nil
			}), fails(grade.Values)},
			{"nothing kept", hooked(func(_ *torch.Torch, _ *torch.List, _ *torch.Tensor) *torch.Tensor { return nil }), fails(grade.Values)},
			{"the hook returns the norm in the gradient's place", hooked(func(_ *torch.Torch, grads *torch.List, grad *torch.Tensor) *torch.Tensor {
				grads.Append(grad.Norm())
				return grad.Div(grads.At(-1))
			}), fails(grade.Gradients)},
			{"nothing kept where it is large", hooked(func(torch *torch.Torch, grads *torch.List, grad *torch.Tensor) *torch.Tensor {
				if isLarge(grad) {
					grads.Append(torch.Cuda.Full(0))
				} else {
					grads.Append(grad)
				}
				return nil
			}), fails(grade.PeakAllocated, grade.EndAllocated)},
		},
	},
	proven[tasks.WatchActivations]{
		task: tasks.Activations, answer: answers.Activations,
		starter: attempt[tasks.WatchActivations]{f: starters.Activations, fails: fails(grade.PeakAllocated, grade.EndAllocated)},
		right: []attempt[tasks.WatchActivations]{
			{"the entry set to None", watching(func(_ *torch.Torch, kept *torch.List, _ handle) { kept.None(-1) }), nil},
		},
		wrong: []attempt[tasks.WatchActivations]{
			{"empty_cache instead of clear", watching(func(torch *torch.Torch, _ *torch.List, _ handle) { torch.Cuda.EmptyCache() }), fails(grade.PeakAllocated, grade.EndAllocated)},
			{"detached, as if they had a graph", watching(func(_ *torch.Torch, kept *torch.List, _ handle) { kept.Map(detach) }), fails(grade.PeakAllocated, grade.EndAllocated)},
			{"only the hook removed", watching(func(_ *torch.Torch, _ *torch.List, h handle) { h.Remove() }), fails(grade.Values)},
			{"the hook removed and the list cleared", watching(func(_ *torch.Torch, kept *torch.List, h handle) {
				h.Remove()
				kept.Clear()
			}), fails(grade.Finished)},
			{"cleared once, at the end", func(torch *torch.Torch, model, layer *torch.Module, next func() torch.Value, batches int) []number {
				var kept *list
				norms := watching(func(_ *torchType, l *list, _ handle) { kept = l })(torch, model, layer, next, batches)
				kept.Clear()
				return norms
			}, fails(grade.PeakAllocated)},
			{"the hook never registered", func(torch *torch.Torch, model, _ *torch.Module, next func() torch.Value, batches int) []number {
				torch.NoGrad(func() {
					for range batches {
						torch.Let("output", model.Call(next()))
					}
				})
				return nil
			}, fails(grade.Values)},
			{"cleared only where it is large", watching(func(_ *torch.Torch, kept *torch.List, _ handle) {
				if isLarge(kept.At(-1)) {
					kept.Clear()
				}
			}), fails(grade.PeakAllocated, grade.EndAllocated)},
		},
	},
}

// In a function that gets a torch, the package has no name.
type (
	torchType = torch.Torch
	module    = torch.Module
	variable  = torch.Var
	list      = torch.List
	number    = torch.Number
	tensor    = *torch.Tensor
)

// handle is what removes a hook.
type handle interface{ Remove() }

// accumulating trains on micro-batches and does with each loss what the
// function says.
func accumulating(round func(torch *torch.Torch, model *torch.Module, total, loss *torch.Var)) tasks.Micro {
	return func(torch *torch.Torch, model *torch.Module, next func() torch.Value, microBatches int) torch.Value {
		total, loss := torch.Let("total", torch.Scalar(0)), torch.Var("loss")
		for range microBatches {
			loss.Set(model.Call(next()).Pow(2).Mean().Div(microBatches))
			round(torch, model, total, loss)
		}
		if total.RequiresGrad() {
			total.Backward()
		}
		return total
	}
}

// firstThen returns one batch, and after it those that next makes.
func firstThen(first torch.Value, next func() torch.Value) func() torch.Value {
	made := 0
	return func() torch.Value {
		if made++; made == 1 {
			return first
		}
		return next()
	}
}

// hooked trains a model whose outputs have the function as their hook. The
// norms are those of the list.
func hooked(see func(torch *torch.Torch, grads *torch.List, grad *torch.Tensor) *torch.Tensor) tasks.WatchGradients {
	return func(torch *torch.Torch, model *torch.Module, next func() torch.Value, steps int) []number {
		grads, output := torch.List("grads"), torch.Var("output")
		for range steps {
			output.Set(model.Call(next()))
			output.RegisterHook(func(grad tensor) tensor { return see(torch, grads, grad) })
			output.Pow(2).Mean().Backward()
		}
		var norms []number
		for i := range grads.Len() {
			norms = append(norms, grads.At(i).Norm().Item())
		}
		return norms
	}
}

// watching runs a model with a forward hook on a layer and does after each
// batch what the function says.
func watching(after func(torch *torch.Torch, kept *torch.List, h handle)) tasks.WatchActivations {
	return func(torch *torch.Torch, model, layer *torch.Module, next func() torch.Value, batches int) []number {
		var norms []number
		kept, output := torch.List("kept"), torch.Var("output")
		h := layer.RegisterForwardHook(func(_, out tensor) { kept.Append(out) })
		torch.NoGrad(func() {
			for range batches {
				output.Set(model.Call(next()))
				norms = append(norms, kept.At(-1).Norm().Item())
				after(torch, kept, h)
			}
		})
		h.Remove()
		return norms
	}
}
