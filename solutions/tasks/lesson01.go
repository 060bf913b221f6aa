package tasks

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/dustin/go-humanize"

	"github.com/torchmem/workbook/runtime/grade"
)

// PredictAllocated says how many bytes one request takes.
type PredictAllocated = func(bytes int64) int64

// PredictReserved says how many bytes are reserved for tensors of these sizes.
type PredictReserved = func(sizes []int64) int64

// Rounded asks what the allocator counts for one request.
var Rounded = grade.Task[PredictAllocated]{
	Info: grade.Info{
		Name: "rounded", Lesson: "01", Func: "Rounded",
		Title: "Predict how many bytes a request takes",
		Hints: [3]string{
			"In lesson 01, what does a tensor of 4 bytes take, and one of 4,000,000?",
			"512 and 4,000,256 bytes: both are whole blocks of 512. So round up to the next multiple, and leave a multiple as it is.",
			"In integers, (bytes + 511) / 512 is the number of blocks. Multiply it by 512.",
		},
		Causes: map[grade.Metric]string{
			grade.Values: "The allocator counts whole blocks, the last one too. A request for nothing takes none.",
		},
	},
	Reference: askAllocated,
	Cases: []grade.Case[PredictAllocated]{
		requests("sizes around the borders", 0, 1, 511, 512, 513, 1023, 1024, 1025, 4_000_000, mib-1, mib, mib+1, 10*mib-512),
		requests("small tensors of float32", matrices(30, mib, 1)...),
		requests("large tensors of float32", matrices(30, 10*mib, 2)...),
	},
}

// requests asks for a prediction of each size.
func requests(name string, sizes ...int64) grade.Case[PredictAllocated] {
	return grade.Case[PredictAllocated]{
		Name: name,
		Run: func(r *grade.Run, f PredictAllocated) {
			r.Measure(func() {
				for _, bytes := range sizes {
					r.Count(fmt.Sprintf("Rounded(%d)", bytes), f(bytes))
				}
			})
		},
	}
}

// askAllocated asks the allocator itself.
func askAllocated(bytes int64) int64 {
	torch, err := grade.NewTorch()
	if err != nil {
		panic(err)
	}
	torch.Let("x", torch.Cuda.EmptyUint8(int(bytes)))
	return torch.Cuda.MemoryAllocated()
}

// Reserved asks how large segments are.
var Reserved = grade.Task[PredictReserved]{
	Info: grade.Info{
		Name: "reserved", Lesson: "01", Func: "Reserved",
		Title: "Predict how many bytes the allocator takes from the driver",
		Hints: [3]string{
			"In lesson 01, how much is reserved for a tensor of 4,000,256 bytes, and how much for one of 40,000,000?",
			"20 MiB, and 40,000,000 rounded up to 2 MiB. Look for the two sizes at which the rule changes, and on which side of them a tensor of just that size stands.",
			"Tensors larger than 1 MiB and smaller than 10 MiB get a segment of 20 MiB: if mib < size && size < 10*mib. The sizes 1 MiB and 10 MiB themselves do not.",
		},
		Causes: map[grade.Metric]string{
			grade.Values: "Some sizes get a segment that is much larger than they are, so that others can share it.",
		},
	},
	Reference: askReserved,
	Cases: []grade.Case[PredictReserved]{
		inOrder("sizes around the borders", mib, mib+1, mib, 10*mib-512, 10*mib, 10*mib-511, 10*mib+1, 12*mib+512, 3*mib, 30*mib-1),
		inOrder("small tensors of float32", matrices(20, mib, 3)...),
		inOrder("small and large tensors of float32", slices.Concat(matrices(6, 12*mib, 4), matrices(6, mib, 5), matrices(8, 100*mib, 6), matrices(6, 10*mib, 7))...),
	},
}

// inOrder asks for a prediction after each of the tensors, so that the first
// that is wrong tells which size it is about.
func inOrder(name string, sizes ...int64) grade.Case[PredictReserved] {
	return grade.Case[PredictReserved]{
		Name: name,
		Run: func(r *grade.Run, f PredictReserved) {
			r.Measure(func() {
				for i, bytes := range sizes {
					r.Count(fmt.Sprintf("after tensor %d, of %s bytes", i+1, humanize.Comma(bytes)), f(slices.Clone(sizes[:i+1])))
				}
			})
		},
	}
}

// askReserved asks the allocator itself.
func askReserved(sizes []int64) int64 {
	torch, err := grade.NewTorch()
	if err != nil {
		panic(err)
	}
	all := torch.List("all")
	for _, bytes := range sizes {
		all.Append(torch.Cuda.EmptyUint8(int(bytes)))
	}
	return torch.Cuda.MemoryReserved()
}

// mib is 1 MiB.
const mib = 1 << 20

// matrices draws the sizes of n float32 tensors smaller than limit bytes.
func matrices(n int, limit, seed int64) []int64 {
	draw := rand.New(rand.NewPCG(uint64(seed), 0))
	sizes := make([]int64, n)
	for i := range sizes {
		sizes[i] = float32Bytes * (1 + draw.Int64N(limit/float32Bytes-1))
	}
	return sizes
}
