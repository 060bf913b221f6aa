package tasks

import (
	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/runtime/torch"
)

// Each task has one case of a size that people train with. It shows what the
// memory is like in earnest, and has too many numbers to compute. A function
// could pass it by doing nothing. So the other cases are small, and have both:
// limits that the starter breaks, and numbers that are compared.

// large reports whether tensors of that size have too many numbers to compute.
func large(rows, columns int) bool { return rows*columns > 1<<20 }

// bounded puts limits on a case of tensors of that size. Its numbers are
// compared where it is not large.
func bounded[F any](c grade.Case[F], rows, columns int, limits ...grade.Limit) grade.Case[F] {
	c.Limits, c.MemoryOnly = append(c.Limits, limits...), large(rows, columns)
	return c
}

// layer is a kind of layer that has parameters and keeps its input for
// backward.
type layer struct {
	new func(r *grade.Run) *torch.Module
	// parameters is what those of one layer take, in bytes.
	parameters int64
	// workspace is what the library of matrix products takes on a thread.
	workspace int64
}

// layerFor returns the layer of a model for batches of that size. It is a
// Linear where they are large. Where they are small, the workspace of a Linear
// would be all that anybody sees: 32 MiB beside activations of a few KiB. So it
// is a LayerNorm there, which keeps its input just as a Linear does, and has no
// workspace.
func layerFor(batch, width int) layer {
	if large(batch, width) {
		return layer{
			new:        func(r *grade.Run) *torch.Module { return r.Torch.NN.LinearNoBias(width, width) },
			parameters: matrix(width, width), workspace: blasWorkspace,
		}
	}
	return layer{
		new:        func(r *grade.Run) *torch.Module { return r.Torch.NN.LayerNorm(width) },
		parameters: 2 * matrix(1, width),
	}
}

// biasedLayerFor is layerFor with a Linear that has a bias.
func biasedLayerFor(batch, width int) layer {
	l := layerFor(batch, width)
	if large(batch, width) {
		l.new = func(r *grade.Run) *torch.Module { return r.Torch.NN.Linear(width, width) }
		l.parameters += matrix(1, width)
		l.workspace += biasWorkspace
	}
	return l
}
