package torch_test

import "github.com/torchmem/workbook/runtime/torch"

// The options of a checkpoint belong to no program in particular.
var (
	useReentrant     = new(torch.Torch).UseReentrant
	preserveRNGState = new(torch.Torch).PreserveRNGState
	earlyStop        = new(torch.Torch).EarlyStop
)
