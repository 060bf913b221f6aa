package exercise

import "github.com/torchmem/workbook/runtime/torch"

// View keeps the first row of each batch in a list, to look at later. The rest
// of a batch is not needed once the next one is there.
//
// The list has a few short rows, and the GPU is full of batches. A row that was
// taken out of a batch is a tensor of its own, but it shows the batch's memory,
// and memory is freed as a whole.
//
// The rows stay as they are, on the GPU. When all is done, the GPU is to hold
// these rows and the last batch, which still has its name.
func View(torch *torch.Torch, batches int, read func(i int) value) list {
	rows := torch.List("rows")
	for i := range batches {
		batch := torch.Let("batch", read(i))

		// TODO: keep the row without its batch.
		rows.Append(batch.Index(0))
		// END
	}
	return rows
}
