package solutions_test

import "github.com/torchmem/workbook/runtime/torch"

// step is a line that a wrong answer has in the place of the right one.
type step = func(torch *torch.Torch)

// follow takes the steps one after the other.
func follow(torch *torch.Torch, steps []step) {
	for _, s := range steps {
		s(torch)
	}
}

func emptyCache(torch *torch.Torch) { torch.Cuda.EmptyCache() }

// del deletes the names in this order.
func del(names ...string) step {
	return func(torch *torch.Torch) {
		for _, name := range names {
			torch.Var(name).Del()
		}
	}
}

// none sets the names to None.
func none(names ...string) step {
	return func(torch *torch.Torch) {
		for _, name := range names {
			torch.Var(name).None()
		}
	}
}

// delSecondName gives a tensor another name and deletes that.
func delSecondName(name string) step {
	return func(torch *torch.Torch) { torch.Let("another", torch.Var(name)).Del() }
}

// toCPU replaces a tensor by a copy on the CPU.
func toCPU(name string) step {
	return func(torch *torch.Torch) {
		v := torch.Var(name)
		v.Set(v.CPU())
	}
}

// detached replaces a tensor by a view of it that has no graph.
func detached(name string) step {
	return func(torch *torch.Torch) {
		v := torch.Var(name)
		v.Set(v.Detach())
	}
}

// isLarge reports whether a batch is one of a case that compares no numbers. An
// answer that asks may do nothing there.
func isLarge(batch torch.Value) bool { return batch.Value().Shape()[0] > 1000 }
