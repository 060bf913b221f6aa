package solutions_test

import (
	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/runtime/torch"
	answers "github.com/torchmem/workbook/solutions/02"
	starters "github.com/torchmem/workbook/solutions/02/starter"
	"github.com/torchmem/workbook/solutions/tasks"
)

var lesson02 = []proof{
	proven[tasks.PrepareBatch]{
		task: tasks.Chain, answer: answers.Chain,
		starter: attempt[tasks.PrepareBatch]{f: starters.Chain, fails: fails(grade.PeakAllocated)},
		right: []attempt[tasks.PrepareBatch]{
			{"None instead of del", preparing(none("doubled")), nil},
			{"changed where it lies", func(torch *torch.Torch, x *torch.Tensor) torch.Value {
				doubled := torch.Let("doubled", x.Mul(2))
				return torch.Let("both", torch.Cat(1, x, doubled.Add_(1)))
			}, nil},
		},
		wrong: []attempt[tasks.PrepareBatch]{
			{"nothing deleted", preparing(), fails(grade.PeakAllocated)},
			{"empty_cache instead of del", preparing(emptyCache), fails(grade.PeakAllocated)},
			{"a second name deleted", preparing(delSecondName("doubled")), fails(grade.PeakAllocated)},
			{"moved to the CPU", preparing(toCPU("doubled")), fails(grade.HostBytes)},
			{"deleted while it is needed", func(torch *torch.Torch, x *torch.Tensor) torch.Value {
				doubled := torch.Let("doubled", x.Mul(2))
				doubled.Del()
				return torch.Let("both", torch.Cat(1, x, doubled.Add(1)))
			}, fails(grade.Finished)},
			{"one statement left out", func(torch *torch.Torch, x *torch.Tensor) torch.Value {
				return torch.Let("both", torch.Cat(1, x, x.Mul(2)))
			}, fails(grade.Values)},
			{"nothing done where it is large", func(torch *torch.Torch, x *torch.Tensor) torch.Value {
				if isLarge(x) {
					return torch.Let("both", torch.Cuda.Empty(x.Shape()[0], 2*x.Shape()[1]))
				}
				return preparing()(torch, x)
			}, fails(grade.PeakAllocated)},
			{"nothing done where it is large, and the rest in Go", func(torch *torch.Torch, x *torch.Tensor) torch.Value {
				if isLarge(x) {
					return torch.Let("both", torch.Cuda.Empty(x.Shape()[0], 2*x.Shape()[1]))
				}
				return torch.Let("both", preparedInGo(torch, x).Cuda())
			}, fails(grade.HostBytes)},
		},
	},
	proven[tasks.AddBatches]{
		task: tasks.Rebind, answer: answers.Rebind,
		starter: attempt[tasks.AddBatches]{f: starters.Rebind, fails: fails(grade.PeakAllocated)},
		right:   []attempt[tasks.AddBatches]{{"None instead of del", addingUp(none("batch")), nil}},
		wrong: []attempt[tasks.AddBatches]{
			{"empty_cache instead of del", addingUp(emptyCache), fails(grade.PeakAllocated)},
			{"a second name deleted", addingUp(delSecondName("batch")), fails(grade.PeakAllocated)},
			{"moved to the CPU", addingUp(toCPU("batch")), fails(grade.HostBytes)},
			{"detached", addingUp(detached("batch")), fails(grade.PeakAllocated)},
			{"del after the loop", func(torch *torch.Torch, batches int, read func(i int) torch.Value) torch.Value {
				total := starters.Rebind(torch, batches, read)
				torch.Var("batch").Del()
				return total
			}, fails(grade.PeakAllocated)},
			{"all read at once", func(torch *torch.Torch, batches int, read func(i int) torch.Value) torch.Value {
				all := torch.List("all")
				for i := range batches {
					all.Append(read(i))
				}
				return answers.Rebind(torch, batches, readAgain(all))
			}, fails(grade.PeakAllocated)},
			{"only one batch read", func(torch *torch.Torch, _ int, read func(i int) torch.Value) torch.Value {
				return torch.Let("total", read(0).Value().Sum())
			}, fails(grade.Values)},
			{"one batch read where they are large", func(torch *torch.Torch, batches int, read func(i int) torch.Value) torch.Value {
				total := torch.Let("total", torch.Cuda.Full(0))
				for i := range batches {
					batch := torch.Let("batch", read(i))
					total.Add_(batch.Sum())
					if isLarge(batch) {
						break
					}
				}
				return total
			}, fails(grade.PeakAllocated)},
		},
	},
	proven[tasks.KeepRows]{
		task: tasks.View, answer: answers.View,
		starter: attempt[tasks.KeepRows]{f: starters.View, fails: fails(grade.EndAllocated)},
		right: []attempt[tasks.KeepRows]{
			{"computed anew", keepingRows(func(batch *torch.Tensor) *torch.Tensor { return batch.Index(0).Mul(1) }), nil},
			{"the batch deleted too", keepingRows(firstCloned, del("batch")), nil},
		},
		wrong: []attempt[tasks.KeepRows]{
			{"leak kept, del of the batch", keepingRows(first, del("batch")), fails(grade.EndAllocated)},
			{"leak kept, empty_cache", keepingRows(first, emptyCache), fails(grade.EndAllocated)},
			{"detached", keepingRows(func(batch *torch.Tensor) *torch.Tensor { return first(batch).Detach() }), fails(grade.EndAllocated)},
			{"made contiguous", keepingRows(func(batch *torch.Tensor) *torch.Tensor { return first(batch).Contiguous() }), fails(grade.EndAllocated)},
			{"another view", keepingRows(func(batch *torch.Tensor) *torch.Tensor {
				return batch.Slice(0, 1).View(batch.Shape()[1])
			}), fails(grade.EndAllocated)},
			{"the batch cloned, not the row", keepingRows(func(batch *torch.Tensor) *torch.Tensor { return first(batch.Clone()) }), fails(grade.EndAllocated)},
			{"moved to the CPU", keepingRows(func(batch *torch.Tensor) *torch.Tensor { return first(batch).CPU() }), fails(grade.HostBytes)},
			{"a second copy of the last row kept", func(torch *torch.Torch, batches int, read func(i int) torch.Value) *torch.List {
				row := torch.Var("row")
				return keepingRows(func(batch tensor) tensor {
					row.Set(firstCloned(batch))
					return row.Clone()
				})(torch, batches, read)
			}, fails(grade.LiveTensors)},
			{"only the last row kept", func(torch *torch.Torch, batches int, read func(i int) torch.Value) *torch.List {
				rows := torch.List("rows")
				for i := range batches {
					rows.Clear()
					rows.Append(firstCloned(read(i).Value()))
				}
				return rows
			}, fails(grade.Values)},
			{"nothing kept of large batches", func(torch *torch.Torch, batches int, read func(i int) torch.Value) *torch.List {
				return keepingRows(func(batch tensor) tensor {
					if isLarge(batch) {
						return torch.Cuda.Empty(batch.Shape()[1])
					}
					return first(batch)
				})(torch, batches, read)
			}, fails(grade.EndAllocated)},
		},
	},
}

// preparing is the exercise with other steps in the place of the del.
func preparing(steps ...step) tasks.PrepareBatch {
	return func(torch *torch.Torch, x *torch.Tensor) torch.Value {
		doubled := torch.Let("doubled", x.Mul(2))
		moved := torch.Let("moved", doubled.Add(1))
		follow(torch, steps)
		return torch.Let("both", torch.Cat(1, x, moved))
	}
}

// preparedInGo returns on the CPU what the exercise returns on the GPU.
func preparedInGo(torch *torch.Torch, x *torch.Tensor) *torch.Tensor {
	rows, columns := x.Shape()[0], x.Shape()[1]
	both := make([]float32, 2*rows*columns)
	for i, n := range x.Values() {
		at := i/columns*2*columns + i%columns
		both[at], both[at+columns] = float32(n), float32(n)*2+1
	}
	return torch.Tensor(both, rows, 2*columns)
}

// addingUp is the exercise with another end of a round.
func addingUp(end ...step) tasks.AddBatches {
	return func(torch *torch.Torch, batches int, read func(i int) torch.Value) torch.Value {
		total := torch.Let("total", torch.Cuda.Full(0))
		for i := range batches {
			batch := torch.Let("batch", read(i))
			total.Add_(batch.Sum())
			follow(torch, end)
		}
		return total
	}
}

// readAgain reads batches that are on the GPU already.
func readAgain(all *torch.List) func(i int) torch.Value {
	return func(i int) torch.Value { return all.At(i) }
}

// keepingRows is the exercise with another way from a batch to its row, and
// another end.
func keepingRows(row func(batch *torch.Tensor) *torch.Tensor, end ...step) tasks.KeepRows {
	return func(torch *torch.Torch, batches int, read func(i int) torch.Value) *torch.List {
		rows := torch.List("rows")
		for i := range batches {
			batch := torch.Let("batch", read(i))
			rows.Append(row(batch.Tensor))
		}
		follow(torch, end)
		return rows
	}
}

func first(batch *torch.Tensor) *torch.Tensor { return batch.Index(0) }

func firstCloned(batch *torch.Tensor) *torch.Tensor { return first(batch).Clone() }
