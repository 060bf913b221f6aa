package tasks

import (
	"fmt"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/runtime/torch"
)

// PrepareBatch makes a new tensor from a batch.
type PrepareBatch = func(torch *torch.Torch, x *torch.Tensor) torch.Value

// Chain asks for a del in the right line.
var Chain = grade.Task[PrepareBatch]{
	Info: grade.Info{
		Name: "chain", Lesson: "02", Func: "Chain",
		Title: "Delete a name before the line that needs the room",
		Hints: [3]string{
			"Which line makes the most, and which names stand for a tensor at that moment?",
			"A del helps the lines after it and no others. It cannot come before the last line that reads the name.",
			"doubled.Del() belongs between the line that makes moved and the line that makes both.",
		},
		Causes: map[grade.Metric]string{
			grade.PeakAllocated: "A name that no later line reads still stands for a tensor while the largest one is made.",
		},
	},
	Reference: func(torch *torch.Torch, x *torch.Tensor) torch.Value {
		moved := torch.Let("moved", x.Mul(2).Add(1))
		return torch.Let("both", torch.Cat(1, x, moved))
	},
	Cases: []grade.Case[PrepareBatch]{chain(4096, 1024, 1), chain(320, 250, 2), chain(257, 30, 3), chain(24, 16, 4)},
}

// chain prepares a matrix.
func chain(rows, columns int, seed uint64) grade.Case[PrepareBatch] {
	return bounded(grade.Case[PrepareBatch]{
		Name: fmt.Sprintf("%d x %d", rows, columns), Seed: seed,
		Run: func(r *grade.Run, f PrepareBatch) {
			x := r.Torch.Let("x", r.Torch.Cuda.Randn(rows, columns))
			var both torch.Value
			r.Measure(func() { both = f(r.Torch, x.Tensor) })
			r.Value("both", both)
		},
	}, rows, columns, grade.AtMost(grade.PeakAllocated, 4*matrix(rows, columns)+matrix(rows, columns)/2,
		"the batch, its successor, the pair, and half a batch to spare"))
}

// AddBatches adds up the numbers of batches that it reads.
type AddBatches = func(torch *torch.Torch, batches int, read func(i int) torch.Value) torch.Value

// Rebind asks for a del at the end of a round.
var Rebind = grade.Task[AddBatches]{
	Info: grade.Info{
		Name: "rebind", Lesson: "02", Func: "Rebind",
		Title: "Read many batches with one of them on the GPU at a time",
		Hints: [3]string{
			"While the second batch is read, which tensor does the name batch stand for?",
			"An assignment evaluates its right side first. Let the name stand for nothing before that.",
			"Write batch.Del() between the marks, at the end of the round.",
		},
		Causes: map[grade.Metric]string{
			grade.PeakAllocated: "A name lets go of its old tensor only when the new one is there.",
		},
	},
	Reference: func(torch *torch.Torch, batches int, read func(i int) torch.Value) torch.Value {
		total := torch.Let("total", torch.Cuda.Full(0))
		for i := range batches {
			total.Add_(read(i).Value().Sum())
		}
		return total
	},
	Cases: []grade.Case[AddBatches]{rebind(8, 4096, 2048, 1), rebind(5, 320, 250, 2), rebind(8, 257, 30, 3), rebind(9, 7, 300, 4)},
}

func rebind(batches, rows, columns int, seed uint64) grade.Case[AddBatches] {
	return bounded(readingBatches(batches, rows, columns, seed), rows, columns,
		grade.AtMost(grade.PeakAllocated, matrix(rows, columns)+matrix(rows, columns)/2, "one batch, and half a batch for the sums"))
}

// readingBatches reads equal batches. Their total comes out.
func readingBatches(batches, rows, columns int, seed uint64) grade.Case[AddBatches] {
	return grade.Case[AddBatches]{
		Name: fmt.Sprintf("%d batches of %d x %d", batches, rows, columns), Seed: seed,
		Run: func(r *grade.Run, f AddBatches) {
			var total torch.Value
			r.Measure(func() { total = f(r.Torch, batches, reader(r, rows, columns)) })
			r.Value("total", total)
		},
	}
}

// reader makes a batch on the GPU whenever it is called.
func reader(r *grade.Run, rows, columns int) func(i int) torch.Value {
	return func(int) torch.Value { return r.Torch.Cuda.Randn(rows, columns) }
}

// KeepRows keeps a row of each batch that it reads.
type KeepRows = func(torch *torch.Torch, batches int, read func(i int) torch.Value) *torch.List

// View asks for rows that do not hold their batches.
var View = grade.Task[KeepRows]{
	Info: grade.Info{
		Name: "view", Lesson: "02", Func: "View",
		Title: "Keep one row of each batch, and not the batch",
		Hints: [3]string{
			"batch.Index(0) has one row. How much memory does it keep from being freed?",
			"A row is a view of the batch's memory. What makes a tensor with memory of its own? Lesson 02 has a line that does.",
			"A clone has memory of its own: write rows.Append(batch.Index(0).Clone()) instead of the line that is there.",
		},
		Causes: map[grade.Metric]string{
			grade.EndAllocated: "A view is small, but it keeps all of the memory that it is a view of.",
		},
	},
	Reference: func(torch *torch.Torch, batches int, read func(i int) torch.Value) *torch.List {
		rows := torch.List("rows")
		for i := range batches {
			rows.Append(read(i).Value().Index(0))
		}
		return rows
	},
	Cases: []grade.Case[KeepRows]{view(12, 4096, 1024, 1), view(5, 320, 250, 2), view(8, 257, 30, 3), view(6, 7, 300, 4)},
}

// view keeps the first row of equal batches.
func view(batches, rows, columns int, seed uint64) grade.Case[KeepRows] {
	return bounded(grade.Case[KeepRows]{
		Name: fmt.Sprintf("%d batches of %d x %d", batches, rows, columns), Seed: seed,
		Run: func(r *grade.Run, f KeepRows) {
			var kept *torch.List
			r.Measure(func() { kept = f(r.Torch, batches, reader(r, rows, columns)) })
			showList(r, "the row of batch", kept)
		},
	}, rows, columns,
		grade.AtMost(grade.EndAllocated, int64(batches)*matrix(1, columns)+matrix(rows, columns)+matrix(rows, columns)/2,
			fmt.Sprintf("%d rows, the last batch, and half a batch to spare", batches)),
		grade.AtMost(grade.LiveTensors, int64(batches)+1, fmt.Sprintf("%d rows and the last batch", batches)))
}

// showList shows the tensors of a list.
func showList(r *grade.Run, name string, l *torch.List) {
	for i := range l.Len() {
		r.Value(fmt.Sprintf("%s %d", name, i), l.At(i))
	}
}
