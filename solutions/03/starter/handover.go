// Package exercise has the exercises of lesson 03.
package exercise

import "github.com/torchmem/workbook/runtime/torch"

// HandOver adds up many batches and keeps a few rows of the last one as a
// sample. Then another process is to use the GPU. All that this program still
// needs is the total, one number.
//
// So it deletes the large tensors, calls empty_cache, and deletes the sample as
// well, which is small. And yet the driver gets hardly anything back. A segment
// goes back as a whole, when the cache is emptied, or it stays.
//
// The total stays as it is. At the end, nothing is to be reserved but the one
// small segment that the total lies in. Emptying the cache in each round would
// reach that too, but the segments would have to be asked for in each round, and
// that is slow.
func HandOver(torch *torch.Torch, batches int, read func(i int) value) value {
	total := torch.Let("total", torch.Cuda.Full(0))
	batch, scaled, sample := torch.Var("batch"), torch.Var("scaled"), torch.Var("sample")
	for i := range batches {
		batch.Set(read(i))
		scaled.Set(batch.Mul(0.5))
		sample.Set(scaled.Slice(0, 512).Clone())
		total.Add_(scaled.Sum())
	}

	// TODO: the order of these lines matters.
	torch.Del(batch, scaled)
	torch.Cuda.EmptyCache()
	sample.Del()
	// END

	return total
}
