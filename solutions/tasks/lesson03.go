package tasks

import (
	"fmt"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/runtime/torch"
)

// HandOver asks for the order in which memory goes back to the driver.
var HandOver = grade.Task[AddBatches]{
	Info: grade.Info{
		Name: "handover", Lesson: "03", Func: "HandOver",
		Title: "Hand the GPU over to another process",
		Hints: [3]string{
			"When the cache is emptied, which tensor is still alive, and in which segment does it lie?",
			"empty_cache gives back the segments that have no tensor at that moment. What is deleted after it stays in the cache.",
			"All three names go first: move sample.Del() above the line that empties the cache.",
		},
		Causes: map[grade.Metric]string{
			grade.EndReserved:       "A segment goes back only if no tensor lies in it at the moment when the cache is emptied.",
			grade.DriverAllocations: "A cache that is emptied in a loop has to be filled again in each round.",
		},
	},
	Reference: addScaled,
	Cases:     []grade.Case[AddBatches]{handOver(6, 4096, 1024, 1), handOver(3, 520, 520, 2), handOver(2, 560, 540, 3)},
}

// addScaled adds up the halves of all numbers.
func addScaled(torch *torch.Torch, batches int, read func(i int) torch.Value) torch.Value {
	total := torch.Let("total", torch.Cuda.Full(0))
	for i := range batches {
		total.Add_(read(i).Value().Mul(0.5).Sum())
	}
	return total
}

// handOver keeps 512 rows of a batch: more than 1 MiB, so that they lie in the
// segments of the large tensors.
func handOver(batches, rows, columns int, seed uint64) grade.Case[AddBatches] {
	return bounded(readingBatches(batches, rows, columns, seed), rows, columns,
		grade.AtMost(grade.EndReserved, smallSegment+smallSegment/2, "one small segment, and half of one to spare"),
		grade.AtMost(grade.DriverAllocations, segmentsOf(2*3, matrix(rows, columns))+1, "three tensors, old and new, and a small segment"))
}

// The sizes of segments for small tensors, and for large ones of less than
// 10 MiB.
const (
	smallSegment = 2 * mib
	largeSegment = 20 * mib
)

// segmentsOf returns how many segments so many large tensors of that size lie
// in: each in its own, or several in one of 20 MiB.
func segmentsOf(tensors, bytes int64) int64 {
	if bytes >= 10*mib {
		return tensors
	}
	each := largeSegment / bytes
	return (tensors + each - 1) / each
}

// reservedFor returns how many bytes the driver gives for so many tensors of that
// size. What a segment is larger than a tensor, others can use.
func reservedFor(tensors, bytes int64) int64 {
	switch {
	case bytes <= mib:
		return (tensors*bytes + smallSegment - 1) / smallSegment * smallSegment
	case bytes < 10*mib:
		return segmentsOf(tensors, bytes) * largeSegment
	}
	return tensors * ((bytes + 2*mib - 1) / (2 * mib) * (2 * mib))
}

// Steady asks for a loop that leaves the driver in peace.
var Steady = grade.Task[AddBatches]{
	Info: grade.Info{
		Name: "steady", Lesson: "03", Func: "Steady",
		Title: "Run a loop that leaves the driver in peace",
		Hints: [3]string{
			"Of the two lines, which one lowers what is allocated, and which one lowers what is reserved?",
			"The next round needs just as much memory as this one. Where should it find it, in the cache or at the driver?",
			"The first line stays. Drop torch.Cuda.EmptyCache() and put nothing in its place.",
		},
		Causes: map[grade.Metric]string{
			grade.PeakAllocated: "Without del, the tensors of a round are there until the next round has made its own.",
			grade.PeakReserved:  "Without del, the tensors of a round are there until the next round has made its own.",
		},
	},
	Reference: func(torch *torch.Torch, batches int, read func(i int) torch.Value) torch.Value {
		total := torch.Let("total", torch.Cuda.Full(0))
		for i := range batches {
			total.Add_(read(i).Value().Relu().Sum())
		}
		return total
	},
	Cases: []grade.Case[AddBatches]{steady(30, 4096, 1000, 1), steady(5, 520, 510, 2), steady(9, 7, 300, 3)},
}

// steady reads batches of more than 1 MiB. What is deleted leaves a segment with
// nothing in it, and empty_cache gives that back.
func steady(batches, rows, columns int, seed uint64) grade.Case[AddBatches] {
	return bounded(readingBatches(batches, rows, columns, seed), rows, columns,
		grade.AtMost(grade.PeakAllocated, 2*matrix(rows, columns)+matrix(rows, columns)/2, "a batch, its output, and half a batch for the sums"),
		grade.AtMost(grade.PeakReserved, reservedFor(2, matrix(rows, columns))+smallSegment+smallSegment/2, "a batch and its output, a small segment, and half of one to spare"),
		grade.AtMost(grade.DriverAllocations, segmentsOf(2, matrix(rows, columns))+1+1, "a batch and its output, a small segment, and one to spare"))
}

// SumRows returns a number for each row of a batch.
type SumRows = func(torch *torch.Torch, x *torch.Tensor) torch.Value

// Recover asks for room after an out-of-memory error.
var Recover = grade.Task[SumRows]{
	Info: grade.Info{
		Name: "recover", Lesson: "03", Func: "Recover",
		Title: "Make room after an out-of-memory error",
		Hints: [3]string{
			"When the error comes, which names already stand for a tensor of the first attempt?",
			"Memory is freed when the last reference goes. An error does not take a name away, and empty_cache does not either.",
			"Write wide.Del() instead of the line that is there. Leave squares alone: it stands for nothing yet.",
		},
		Causes: map[grade.Metric]string{
			grade.Finished: "What the failed attempt made is still held, so the second attempt has less room than the first.",
		},
	},
	// All that is alive at one time is a quarter of the batch, squared.
	Reference: func(torch *torch.Torch, x *torch.Tensor) torch.Value {
		sums, quarter := torch.List("sums"), x.Shape()[0]/4
		for i := range 4 {
			part := torch.Let("part", x.Slice(i*quarter, (i+1)*quarter))
			sums.Append(torch.Let("squares", part.Mul(part)).Sum(1).Mul(2))
		}
		return torch.Let("result", torch.Cat(0, sums.At(0), sums.At(1), sums.At(2), sums.At(3)))
	},
	Cases: []grade.Case[SumRows]{recovered(4096, 1024, 1), recovered(8192, 3000, 2), crowded(320, 1024, 3), crowded(500, 700, 4)},
}

// recovered works on a batch for which the GPU is too small. A whole batch
// takes five times its size, two halves take three times its size, and there
// is room for three and a half.
func recovered(rows, columns int, seed uint64) grade.Case[SumRows] {
	c := cramped(rows, columns, seed, matrix(rows, columns)*7/2)
	c.MemoryOnly = true
	return c
}

// crowded is the same for a batch so small that its numbers are soon known.
// Other tensors leave it that much room in a segment, and there is no other.
func crowded(rows, columns int, seed uint64) grade.Case[SumRows] {
	others := int(largeSegment-matrix(rows, columns)*7/2) / 2
	return cramped(rows, columns, seed, largeSegment+smallSegment, others, others)
}

// cramped makes a batch and other tensors of so many bytes, where that much
// may be reserved.
func cramped(rows, columns int, seed uint64, room int64, others ...int) grade.Case[SumRows] {
	return grade.Case[SumRows]{
		Name: fmt.Sprintf("%d x %d, with room for 3.5 of them", rows, columns), Seed: seed,
		Run: func(r *grade.Run, f SumRows) {
			cuda := r.Torch.Cuda
			if err := cuda.SetPerProcessMemoryFraction(float64(room) / float64(cuda.TotalMemory())); err != nil {
				panic(err)
			}
			x := r.Torch.Let("x", cuda.Randn(rows, columns))
			held := r.Torch.List("others")
			for _, bytes := range others {
				held.Append(cuda.EmptyUint8(bytes))
			}
			var sums torch.Value
			r.Measure(func() { sums = f(r.Torch, x.Tensor) })
			r.Value("result", sums)
		},
	}
}
