// Package exercise has the exercises of lesson 05.
package exercise

import (
	"math"

	"github.com/torchmem/workbook/runtime/torch"
)

// Segments trains a chain of layers for one step, cut into segments. A
// checkpoint keeps the input of each segment. Backward runs one segment again
// at a time, and has all of its activations back while it does.
//
// So there are two costs: one input for each segment, and the activations of
// the longest segment. Choose the number of segments that makes their sum
// small, whatever the number of layers is.
func Segments(torch *torch.Torch, chain module, x value) {
	layers := float64(len(chain.Children()))
	segments := layers // one for each layer

	// TODO: change the number of segments. It has to depend on layers.
	// END

	n := int(math.Round(segments))
	loss := torch.Let("loss", torch.CheckpointSequential(chain, n, x, torch.UseReentrant(false)).Sum())
	loss.Backward()
}
