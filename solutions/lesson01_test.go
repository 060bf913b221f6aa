package solutions_test

import (
	"math/bits"
	"slices"

	"github.com/torchmem/workbook/runtime/grade"
	answers "github.com/torchmem/workbook/solutions/01"
	starters "github.com/torchmem/workbook/solutions/01/starter"
	"github.com/torchmem/workbook/solutions/tasks"
)

var lesson01 = []proof{
	proven[tasks.PredictAllocated]{
		task: tasks.Rounded, answer: answers.Rounded,
		starter: attempt[tasks.PredictAllocated]{f: starters.Rounded, fails: fails(grade.Values)},
		wrong: []attempt[tasks.PredictAllocated]{
			{"rounded down", func(bytes int64) int64 { return bytes / 512 * 512 }, fails(grade.Values)},
			{"always one block more", func(bytes int64) int64 { return bytes/512*512 + 512 }, fails(grade.Values)},
			{"512 bytes for nothing", func(bytes int64) int64 { return max(512, (bytes+511)/512*512) }, fails(grade.Values)},
			{"rounded to the nearest", func(bytes int64) int64 { return (bytes + 256) / 512 * 512 }, fails(grade.Values)},
			{"blocks of 1,024", func(bytes int64) int64 { return (bytes + 1023) / 1024 * 1024 }, fails(grade.Values)},
			{"powers of two", func(bytes int64) int64 { return 1 << bits.Len64(uint64(max(bytes, 512)-1)) }, fails(grade.Values)},
			{"a constant returned", func(int64) int64 { return 512 }, fails(grade.Values)},
		},
	},
	proven[tasks.PredictReserved]{
		task: tasks.Reserved, answer: answers.Reserved,
		starter: attempt[tasks.PredictReserved]{f: starters.Reserved, fails: fails(grade.Values)},
		wrong: []attempt[tasks.PredictReserved]{
			{"always 2 MiB", withSegments(func(int64) int64 { return 2 * mib }), fails(grade.Values)},
			{"just what the tensor needs", withSegments(func(size int64) int64 { return size }), fails(grade.Values)},
			{"20 MiB for all large ones", withSegments(func(size int64) int64 {
				if size > mib {
					return 20 * mib
				}
				return 2 * mib
			}), fails(grade.Values)},
			{"1 MiB is large", withSegments(shared(mib-1, 10*mib)), fails(grade.Values)},
			{"10 MiB share a segment", withSegments(shared(mib, 10*mib+1)), fails(grade.Values)},
			{"20 MiB up to 20 MiB", withSegments(shared(mib, 20*mib)), fails(grade.Values)},
			{"multiples of 20 MiB", withSegments(func(size int64) int64 {
				if size > mib {
					return upTo(size, 20*mib)
				}
				return 2 * mib
			}), fails(grade.Values)},
			{"a constant returned", func([]int64) int64 { return 22 * mib }, fails(grade.Values)},
		},
	},
}

const mib = int64(1 << 20)

func upTo(size, unit int64) int64 { return (size + unit - 1) / unit * unit }

// shared gives 20 MiB to the sizes between two others, and to the rest what
// they need, rounded up to 2 MiB.
func shared(low, high int64) func(size int64) int64 {
	return func(size int64) int64 {
		if low < size && size < high {
			return 20 * mib
		}
		return upTo(size, 2*mib)
	}
}

// withSegments is the exercise with another rule for segments.
func withSegments(segment func(size int64) int64) tasks.PredictReserved {
	return func(sizes []int64) int64 {
		var reserved int64
		rests := map[bool][]int64{} // by whether the pool is the small one
		for _, size := range sizes {
			size = upTo(size, 512)
			small := size <= mib
			block := int64(0)
			slices.Sort(rests[small])
			if i, _ := slices.BinarySearch(rests[small], size); i < len(rests[small]) {
				block = rests[small][i]
				rests[small] = slices.Delete(rests[small], i, i+1)
			} else {
				block = segment(size)
				reserved += block
			}
			if rest := block - size; rest > mib || small && rest >= 512 {
				rests[small] = append(rests[small], rest)
			}
		}
		return reserved
	}
}
