// Package host computes on the CPU, as late as it can.
//
// A [Machine] takes the same kernels as a GPU driver does and remembers them
// instead of running them. Memory holds a promise, a [Value]: which kernel
// makes it, from which other values. The arithmetic happens when somebody asks
// for the bytes, and then only for what those bytes depend on.
//
// An asynchronous GPU gives no other picture: a program cannot see when a
// kernel ran, it can only read the result. A loop of a thousand products whose
// results nobody reads costs a thousand small notes.
//
// # Values never change
//
// A kernel that writes part of a memory makes a new value from the old one.
// So a copy between two memories is a second reference to one value, and a
// value that was read by a waiting kernel is still there when the kernel runs.
//
// # The contract
//
// The names in [kernels] are the whole instruction set. Whatever adds a kernel
// adds it here first: these functions say what a kernel of that name does on
// any device. Elements are float32 unless the operand says otherwise;
// matrix products go through gonum's BLAS.
package host

import (
	"fmt"
	"sync"

	"github.com/torchmem/workbook/runtime/gpu"
)

// Machine keeps the values of one memory and runs kernels on them. It
// implements [gpu.Compute]. It does no bookkeeping of sizes or of free space:
// whoever uses it decides which addresses exist.
type Machine struct {
	mu    sync.Mutex
	cells map[gpu.Ptr]*Value
}

// New returns a machine whose memory is empty.
func New() *Machine { return &Machine{cells: make(map[gpu.Ptr]*Value)} }

// Upload lets the memory at dst hold the array. The bytes are not touched
// until they are read.
func (m *Machine) Upload(dst gpu.Ptr, src gpu.Array, _ gpu.Stream) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cells[dst] = valueOf(src)
	return nil
}

// valueOf returns an array as a value, which is read later.
func valueOf(a gpu.Array) *Value {
	if v, ok := a.(*Value); ok {
		return v
	}
	return later(a.Len(), a.Bytes)
}

// Download returns the bytes at src, size of them at least. They are computed
// when the array's bytes are asked for. Memory that was never written reads as
// zeros.
func (m *Machine) Download(src gpu.Ptr, size int64, _ gpu.Stream) (gpu.Array, error) {
	return m.at(src, size), nil
}

// Discard forgets the value at p.
func (m *Machine) Discard(p gpu.Ptr) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.cells, p)
}

// Launch notes a kernel. An unknown name is an error at once; what the kernel
// would do wrong with its operands shows when its result is read.
func (m *Machine) Launch(k gpu.Kernel, _ gpu.Stream) error {
	run, ok := kernels[k.Name]
	if !ok {
		return fmt.Errorf("no kernel %q", k.Name)
	}
	out := k.Out
	inputs := make([]*Value, len(k.In))
	for i, in := range k.In {
		if in.Number != nil {
			inputs[i] = valueOf(in.Number)
		} else {
			inputs[i] = m.at(in.Base, Extent(in))
		}
	}
	before := m.written(out)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cells[out.Base] = promise(k, run, inputs, before)
	return nil
}

// at returns the value at p, with zeros behind it where it has fewer than size
// bytes.
func (m *Machine) at(p gpu.Ptr, size int64) *Value {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.cells[p]
	switch {
	case !ok:
		return later(size, func() []byte { return makeBytes(size) })
	case v.size < size:
		return padded(v, size)
	}
	return v
}

// written returns the value that the kernel writes into, or nil when the
// kernel overwrites all there is.
func (m *Machine) written(out gpu.Operand) *Value {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.cells[out.Base]
	if !ok || (dense(out) && v.size <= Extent(out)) {
		return nil
	}
	return v
}

// Extent returns the bytes from Base to the end of the operand's last element.
func Extent(o gpu.Operand) int64 {
	last := o.Offset
	for i, d := range o.Shape {
		if d == 0 {
			return 0
		}
		last += (d - 1) * o.Stride[i]
	}
	return int64(last+1) * o.Type.Size()
}

// dense reports whether the operand covers every element from Base on, in
// row-major order.
func dense(o gpu.Operand) bool {
	if o.Offset != 0 {
		return false
	}
	step := 1
	for i := len(o.Shape) - 1; i >= 0; i-- {
		if o.Shape[i] != 1 && o.Stride[i] != step {
			return false
		}
		step *= o.Shape[i]
	}
	return true
}
