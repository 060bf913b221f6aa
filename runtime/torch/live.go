package torch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/site"
	"github.com/torchmem/workbook/runtime/tensor"
)

// Memory is a storage that is alive: a piece of memory and what shows it.
type Memory struct {
	OnGPU bool `json:"-"`
	// Address is where it lies, and Block the bytes that it occupies there,
	// at least Bytes. Both are zero on the CPU, and for no bytes.
	Address gpu.Ptr `json:"-"`
	Block   int64   `json:"-"`
	// Bytes is what was requested.
	Bytes int64 `json:"bytes"`
	// Made is the line that made it.
	Made site.Place `json:"made"`
	// Shape is that of the first tensor that shows it.
	Shape string `json:"shape"`
	// Holders say what keeps it alive.
	Holders []string `json:"holders"`
}

// LiveMemory lists the storages that are alive, oldest first.
func (t *Torch) LiveMemory() []Memory {
	var all []Memory
	index := map[*tensor.Storage]int{}
	for _, x := range t.ctx.Live.Tensors() {
		s := x.Storage()
		i, seen := index[s]
		if !seen {
			i = len(all)
			index[s] = i
			all = append(all, memoryOf(x))
		}
		for _, h := range x.Holders() {
			if !slices.Contains(all[i].Holders, h) {
				all[i].Holders = append(all[i].Holders, h)
			}
		}
	}
	return all
}

// memoryOf describes the storage of a tensor, without its holders.
func memoryOf(x *tensor.Tensor) Memory {
	s := x.Storage()
	m := Memory{OnGPU: x.Device().IsGPU(), Bytes: s.Size(), Made: s.Site().Place(), Shape: tensor.Sizes(x.Shape())}
	if b := s.Block(); b != nil {
		m.Address, m.Block = b.Ptr(), b.Size()
	}
	return m
}

// LiveTensors describes every tensor that is alive, oldest first: shape,
// bytes, where it was made, and who holds it.
func (t *Torch) LiveTensors() []string {
	var lines []string
	for _, x := range t.ctx.Live.Tensors() {
		lines = append(lines, fmt.Sprintf("%v, %d bytes of %d, made at %s, held by %s",
			x, x.Bytes(), x.Storage().Size(), x.Storage().Site(), strings.Join(x.Holders(), " and ")))
	}
	return lines
}

// WorkspaceBytes returns what the matrix libraries hold on the GPU. No tensor
// shows it.
func (t *Torch) WorkspaceBytes() int64 { return t.ctx.GPU.WorkspaceBytes() }

// InBackward reports whether a backward pass is running: a function that is
// called now runs for the second time.
func (t *Torch) InBackward() bool { return t.ctx.InBackward() }

// Watch calls the function after each allocation of the program, with its
// device and the bytes that were asked for, until the function that it returns
// is called.
func (t *Torch) Watch(see func(onGPU bool, bytes int64)) (stop func()) {
	onCPU := t.ctx.CPU.Watch(func(bytes int64) { see(false, bytes) })
	onGPU := t.ctx.GPU.Watch(func(bytes int64) { see(true, bytes) })
	return func() { onCPU(); onGPU() }
}

// Owns reports whether the tensor belongs to the program.
func (t *Torch) Owns(x Value) bool { return x.Value().Context() == t.ctx }
