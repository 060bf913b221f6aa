// Package exercise has the answers of lesson 08.
package exercise

import "github.com/torchmem/workbook/runtime/torch"

// Loop is the tutorial's first exercise: it creates many tensors in a loop and
// returns the table of memory_summary.
//
// In the first row of the table, Cur Usage is nothing: the list has been
// cleared. But Peak Usage is as high as Tot Alloc: before that, all tensors
// were there at one time. Nobody needs a tensor after its round.
//
// Make all of them, each under the name t, and hold no more than two at a time.
// Then the columns part: Tot Alloc still counts every tensor, Peak Usage shows
// how few were alive together. One segment serves all rounds, or two where a
// segment has room for one tensor only. The table that is returned has to tell
// of the whole loop.
func Loop(torch *torch.Torch, next func() value, tensors int) string {
	ts := torch.List("ts")
	for range tensors {
		// TODO: change what becomes of a tensor.

		// What nobody refers to is free for the next round.
		t := torch.Let("t", next())
		t.Del()
		// END
	}
	ts.Clear()
	return torch.Cuda.MemorySummary()
}
