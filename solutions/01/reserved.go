package exercise

import "slices"

// Reserved predicts another counter. Tensors of these sizes are made one after
// the other on an empty GPU, and all of them stay. Reserved says how many bytes
// torch.cuda.memory_reserved() shows then.
//
// The allocator takes whole segments from the driver. A tensor gets the front
// of one. What remains of it is free for the tensors after it, if they belong
// to the same pool: there is one pool for tensors of up to 1 MiB, and one for
// larger ones. Of all free remainders a tensor gets the smallest that is large
// enough. This bookkeeping is done.
//
// As it stands, every segment has the size of its tensor, rounded up to a
// multiple of 2 MiB. That is right for some tensors only. Lesson 01 shows a
// tensor for which it is not.
func Reserved(sizes []int64) int64 {
	var reserved int64
	var small, large pool
	for _, size := range sizes {
		size = roundUp(size, 512)
		free, least := &large, mib+1 // the least remainder that is split off
		if size <= mib {
			free, least = &small, 512
		}
		block := free.take(size)
		if block == 0 {
			// No remainder is large enough: the driver has to give a segment.
			segment := roundUp(size, 2*mib)

			// TODO: change segment for the sizes that get another one.

			// The sizes between share large segments. From 10 MiB
			// on, a segment is made to measure.
			if mib < size && size < 10*mib {
				segment = 20 * mib
			}
			// END

			reserved += segment
			block = segment
		}
		if rest := block - size; rest >= least {
			*free = append(*free, rest)
		}
	}
	return reserved
}

const mib = int64(1 << 20)

// roundUp returns the next multiple of unit.
func roundUp(size, unit int64) int64 { return (size + unit - 1) / unit * unit }

// pool has the sizes of the free remainders.
type pool []int64

// take removes the smallest remainder that is large enough and returns its
// size. It returns 0 where there is none.
func (p *pool) take(size int64) int64 {
	slices.Sort(*p)
	i, _ := slices.BinarySearch(*p, size)
	if i == len(*p) {
		return 0
	}
	block := (*p)[i]
	*p = slices.Delete(*p, i, i+1)
	return block
}
