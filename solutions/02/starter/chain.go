// Package exercise has the exercises of lesson 02.
package exercise

import "github.com/torchmem/workbook/runtime/torch"

// Chain prepares a batch in three statements. It doubles the batch, adds one,
// and puts the result beside the batch that it came from.
//
// A name keeps its tensor until it is deleted, as in a Python script. The last
// statement makes the largest tensor, and at that moment one of the names stands
// for a tensor that no later line reads. There is a del for that name already,
// but it runs when the worst is over.
//
// What comes out stays as it is. The peak is to be the batch, its successor,
// and the two of them side by side.
func Chain(torch *torch.Torch, x tensor) value {
	doubled := torch.Let("doubled", x.Mul(2))

	// TODO: put the del of doubled where it lowers the peak.
	moved := torch.Let("moved", doubled.Add(1))
	both := torch.Let("both", torch.Cat(1, x, moved))
	doubled.Del()
	// END

	return both
}
