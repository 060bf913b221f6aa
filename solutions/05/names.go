package exercise

import "github.com/torchmem/workbook/runtime/torch"

// In an exercise, torch is the program's own PyTorch, not the package. These
// are names of the package that the exercises need.
type (
	module = *torch.Module
	value  = torch.Value
)
