package solutions_test

import (
	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/runtime/torch"
	answers "github.com/torchmem/workbook/solutions/03"
	starters "github.com/torchmem/workbook/solutions/03/starter"
	"github.com/torchmem/workbook/solutions/tasks"
)

var lesson03 = []proof{
	proven[tasks.AddBatches]{
		task: tasks.HandOver, answer: answers.HandOver,
		starter: attempt[tasks.AddBatches]{f: starters.HandOver, fails: fails(grade.EndReserved)},
		right: []attempt[tasks.AddBatches]{
			{"None instead of del", handingOver(nil, none("batch", "scaled", "sample"), emptyCache), nil},
			{"emptied twice", handingOver(nil, del("batch", "scaled"), emptyCache, del("sample"), emptyCache), nil},
		},
		wrong: []attempt[tasks.AddBatches]{
			{"del without empty_cache", handingOver(nil, del("batch", "scaled", "sample")), fails(grade.EndReserved)},
			{"empty_cache without del", handingOver(nil, emptyCache), fails(grade.EndReserved)},
			{"empty_cache before del", handingOver(nil, emptyCache, del("batch", "scaled", "sample")), fails(grade.EndReserved)},
			{"the sample kept", handingOver(nil, del("batch", "scaled"), emptyCache), fails(grade.EndReserved)},
			{"the sample detached", handingOver(nil, del("batch", "scaled"), detached("sample"), emptyCache), fails(grade.EndReserved)},
			{"the sample moved to the CPU", handingOver(nil, del("batch", "scaled"), toCPU("sample"), emptyCache), fails(grade.HostBytes)},
			{"empty_cache in the loop", handingOver([]step{del("batch", "scaled", "sample"), emptyCache}), fails(grade.DriverAllocations)},
			{"in order only where it is large", handingOver(nil, func(torch *torch.Torch) {
				large := isLarge(torch.Var("batch"))
				del("batch", "scaled")(torch)
				if large {
					del("sample")(torch)
				}
				torch.Cuda.EmptyCache()
			}), fails(grade.EndReserved)},
		},
	},
	proven[tasks.AddBatches]{
		task: tasks.Steady, answer: answers.Steady,
		starter: attempt[tasks.AddBatches]{f: starters.Steady, fails: fails(grade.DriverAllocations)},
		right: []attempt[tasks.AddBatches]{
			{"None instead of del", steadying(none("batch", "output")), nil},
			{"empty_cache while it finds nothing", steadying(emptyCache, del("batch", "output")), nil},
			{"emptied once, after the loop", func(torch *torch.Torch, batches int, read func(i int) torch.Value) torch.Value {
				total := answers.Steady(torch, batches, read)
				torch.Cuda.EmptyCache()
				return total
			}, nil},
		},
		wrong: []attempt[tasks.AddBatches]{
			{"both lines dropped", steadying(), fails(grade.PeakAllocated, grade.PeakReserved)},
			{"del dropped", steadying(emptyCache), fails(grade.PeakAllocated, grade.PeakReserved, grade.DriverAllocations)},
			{"only the batch deleted", steadying(del("batch")), fails(grade.PeakAllocated, grade.PeakReserved)},
			{"empty_cache in every second round", func(torch *torch.Torch, batches int, read func(i int) torch.Value) torch.Value {
				return steadying(del("batch", "output"), everySecond())(torch, batches, read)
			}, fails(grade.DriverAllocations)},
			{"one round where it is large", func(torch *torch.Torch, batches int, read func(i int) torch.Value) torch.Value {
				first := read(0)
				if isLarge(first) {
					return torch.Let("total", torch.Let("output", first.Value().Relu()).Sum())
				}
				return steadying(del("batch", "output"), emptyCache)(torch, batches, again(first, read))
			}, fails(grade.DriverAllocations)},
			{"moved to the CPU", steadying(toCPU("batch"), del("output")), fails(grade.HostBytes)},
		},
	},
	proven[tasks.SumRows]{
		task: tasks.Recover, answer: answers.Recover,
		starter: attempt[tasks.SumRows]{f: starters.Recover, fails: fails(grade.Finished)},
		right:   []attempt[tasks.SumRows]{{"None instead of del", recovering(none("wide")), nil}},
		wrong: []attempt[tasks.SumRows]{
			{"tried again at once", recovering(), fails(grade.Finished)},
			{"a second name deleted", recovering(delSecondName("wide")), fails(grade.Finished)},
			{"a name deleted that stands for nothing", recovering(del("wide", "squares")), fails(grade.Finished)},
			{"detached, and empty_cache", recovering(detached("wide"), emptyCache), fails(grade.Finished)},
			{"moved to the CPU", recovering(toCPU("wide")), fails(grade.HostBytes)},
			{"only one half computed", func(torch *torch.Torch, x *torch.Tensor) torch.Value {
				return recovering(del("wide"))(torch, x.Slice(0, x.Shape()[0]/2))
			}, fails(grade.Values)},
			{"the limit of the GPU raised", recovering(largerGPU), fails(grade.Finished)},
			{"nothing done where it is large", func(torch *torch.Torch, x *torch.Tensor) torch.Value {
				if isLarge(x) {
					return torch.Let("result", torch.Cuda.Empty(x.Shape()[0]))
				}
				return recovering(emptyCache)(torch, x)
			}, fails(grade.Finished)},
		},
	},
}

// handingOver is the exercise with another end of a round, and another end.
func handingOver(inLoop []step, end ...step) tasks.AddBatches {
	return func(torch *torch.Torch, batches int, read func(i int) torch.Value) torch.Value {
		total := torch.Let("total", torch.Cuda.Full(0))
		for i := range batches {
			batch := torch.Let("batch", read(i))
			scaled := torch.Let("scaled", batch.Mul(0.5))
			torch.Let("sample", scaled.Slice(0, 512).Clone())
			total.Add_(scaled.Sum())
			follow(torch, inLoop)
		}
		follow(torch, end)
		return total
	}
}

// steadying is the exercise with another end of a round.
func steadying(end ...step) tasks.AddBatches {
	return func(torch *torch.Torch, batches int, read func(i int) torch.Value) torch.Value {
		total := torch.Let("total", torch.Cuda.Full(0))
		for i := range batches {
			batch := torch.Let("batch", read(i))
			output := torch.Let("output", batch.Relu())
			total.Add_(output.Sum())
			follow(torch, end)
		}
		return total
	}
}

// everySecond empties the cache in one round of two.
func everySecond() step {
	round := 0
	return func(torch *torch.Torch) {
		if round++; round%2 == 0 {
			torch.Cuda.EmptyCache()
		}
	}
}

// again reads batches, of which the first was read before.
func again(first torch.Value, read func(i int) torch.Value) func(i int) torch.Value {
	return func(i int) torch.Value {
		if i == 0 {
			return first
		}
		return read(i)
	}
}

// recovering is the exercise with other steps between the two attempts.
func recovering(steps ...step) tasks.SumRows {
	return func(torch *torch.Torch, x *torch.Tensor) torch.Value {
		if torch.Try(func() { torch.Let("result", squaredSums(torch, x)) }) == nil {
			return torch.Var("result")
		}
		follow(torch, steps)
		half := x.Shape()[0] / 2
		top := torch.Let("top", squaredSums(torch, x.Slice(0, half)))
		bottom := torch.Let("bottom", squaredSums(torch, x.Slice(half, 2*half)))
		return torch.Let("result", torch.Cat(0, top, bottom))
	}
}

func squaredSums(torch *torch.Torch, x *torch.Tensor) torch.Value {
	wide := torch.Let("wide", torch.Cat(1, x, x))
	squares := torch.Let("squares", wide.Mul(wide))
	sums := torch.Let("sums", squares.Sum(1))
	torch.Del(wide, squares)
	return sums
}

// largerGPU lets the program use all of the GPU.
func largerGPU(torch *torch.Torch) {
	if err := torch.Cuda.SetPerProcessMemoryFraction(1); err != nil {
		panic(err)
	}
}
