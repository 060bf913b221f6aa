package exercise

import "github.com/torchmem/workbook/runtime/torch"

// Rebind adds up the numbers of many batches, one batch at a time. A batch is
// read onto the GPU, added, and not needed any more.
//
// There is one name for all batches, so one might expect one batch on the GPU.
// But the peak is two. In each round, the new batch is read before the name lets
// go of the old one.
//
// The total stays as it is. The peak is to be one batch and some small change.
func Rebind(torch *torch.Torch, batches int, read func(i int) value) value {
	total := torch.Let("total", torch.Cuda.Full(0))
	batch := torch.Var("batch")
	for i := range batches {
		batch.Set(read(i))
		total.Add_(batch.Sum())

		// TODO: end the round with no batch on the GPU.
		// END
	}
	return total
}
