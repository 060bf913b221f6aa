package exercise

import "github.com/torchmem/workbook/runtime/torch"

// Steady adds up many batches. Each round ends with the two lines that a
// well-known tutorial advises against memory leaks: del, and empty_cache.
//
// There is no leak, with these lines or without them. But each round now waits
// for the driver, which takes memory back and hands it out again. A GPU that
// waits does not compute.
//
// The total stays as it is. From the second round on, no memory is to be asked
// for from the driver. The peak is not to grow either: it stays at one batch and
// what is computed from it.
func Steady(torch *torch.Torch, batches int, read func(i int) value) value {
	total := torch.Let("total", torch.Cuda.Full(0))
	for i := range batches {
		batch := torch.Let("batch", read(i))
		output := torch.Let("output", batch.Relu())
		total.Add_(output.Sum())

		// TODO: keep what the peak needs, and drop what the driver pays for.
		torch.Del(batch, output)
		torch.Cuda.EmptyCache()
		// END
	}
	return total
}
