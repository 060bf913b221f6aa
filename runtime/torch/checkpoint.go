package torch

import "github.com/torchmem/workbook/runtime/autograd"

// Checkpoint is torch.utils.checkpoint.checkpoint.
func (t *Torch) Checkpoint(f autograd.Function, x Value, options ...CheckpointOption) *Tensor {
	return autograd.Checkpoint(f, x, options...)
}

// CheckpointSequential is torch.utils.checkpoint.checkpoint_sequential.
func (t *Torch) CheckpointSequential(m *Module, segments int, x Value, options ...CheckpointOption) *Tensor {
	return autograd.CheckpointSequential(m.Functions(), segments, x, options...)
}

// CheckpointOption changes how Checkpoint works.
type CheckpointOption = autograd.CheckpointOption

// UseReentrant is the checkpoint's use_reentrant.
func (*Torch) UseReentrant(yes bool) CheckpointOption { return autograd.UseReentrant(yes) }

// PreserveRNGState is the checkpoint's preserve_rng_state.
func (*Torch) PreserveRNGState(yes bool) CheckpointOption { return autograd.PreserveRNGState(yes) }

// EarlyStop is the checkpoint's early_stop.
func (*Torch) EarlyStop(yes bool) CheckpointOption { return autograd.EarlyStop(yes) }
