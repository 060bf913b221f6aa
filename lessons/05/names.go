package main

import "github.com/torchmem/workbook/runtime/torch"

// Short names for what the programs pass around: in a program, torch is the
// program's own PyTorch, not the package.
type (
	tensor = *torch.Tensor
	value  = torch.Value
	module = *torch.Module
	option = torch.CheckpointOption
)

// python spells a truth value as Python does.
func python(yes bool) string {
	if yes {
		return "True"
	}
	return "False"
}
