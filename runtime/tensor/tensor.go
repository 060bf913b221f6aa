// Package tensor holds tensors: shapes, element types, and memory that is
// freed the moment its last reference goes.
//
// # References
//
// PyTorch's memory behaviour is Python's reference counting. This package
// counts the same way, and it keeps each reference's owner, so that the
// question "who holds this tensor?" always has an answer. A [Holder] is anything
// that can keep a tensor alive: a variable's name, a list, a graph node, a
// module. [Tensor.Retain] adds one, [Tensor.Release] takes it away, and the
// tensor dies with the last. Go's garbage collector has no part in it.
//
// # Storage
//
// Several tensors may show the same memory: a row of a matrix, a transposed
// matrix, a detached tensor. The memory is a [Storage]. It is given back to the
// allocator when the last tensor that shows it dies, which is why one row can
// keep a whole matrix alive. A view also holds the tensor it was taken from.
//
// # Operators
//
// The functions of this package compute and allocate but know nothing of
// gradients. Each returns a new tensor that the holder [Temporary] keeps. They
// allocate exactly what PyTorch's operators allocate, in the same order: the
// result, copies of operands that a kernel cannot read as they lie, scratch
// memory of reductions and workspaces of matrix products. Every temporary is
// released in the reverse order of its making, as a C++ scope does it. An
// operator that panics leaves nothing allocated.
//
// # Errors
//
// Misuse (shapes that do not fit, tensors on different devices) panics with an
// [Error], whose text is PyTorch's. A device without memory panics with the
// allocator's OutOfMemoryError, as PyTorch raises it; the package torch turns
// that panic into an error value where a program asks for one.
package tensor

import (
	"fmt"
	"slices"

	"github.com/torchmem/workbook/runtime/gpu"
)

// Holder is an owner of a reference. Its text completes "held by …".
type Holder interface{ Holder() string }

// Role is a Holder that is only a word.
type Role string

// Holder returns the word.
func (r Role) Holder() string { return string(r) }

// Temporary holds the result of an expression until somebody takes it over.
const Temporary = Role("an expression that is not finished")

// Tensor is a window on a storage. It is alive while it has holders.
type Tensor struct {
	storage *Storage
	dtype   gpu.DType
	shape   []int
	stride  []int
	offset  int
	base    *Tensor // of a view
	holders []Holder
	room    [2]Holder // spares most tensors a second allocation
	graph   Attachment
	prev    *Tensor // neighbours in the list of live tensors
	next    *Tensor
}

// newTensor returns a window on the storage that Temporary holds.
func newTensor(s *Storage, t gpu.DType, shape, stride []int, offset int) *Tensor {
	x := &Tensor{storage: s, dtype: t, shape: shape, stride: stride, offset: offset}
	x.holders = append(x.room[:0], Temporary)
	s.tensors++
	s.device.live.add(x)
	return x
}

// Shape returns the sizes of the dimensions. The caller must not change it.
func (x *Tensor) Shape() []int { return x.shape }

// Stride returns the steps between neighbours of each dimension, in elements.
func (x *Tensor) Stride() []int { return x.stride }

// DType returns the element type.
func (x *Tensor) DType() gpu.DType { return x.dtype }

// Device returns where the tensor lies.
func (x *Tensor) Device() *Device { return x.storage.device }

// Storage returns the memory that the tensor shows.
func (x *Tensor) Storage() *Storage { return x.storage }

// Elements returns the number of elements.
func (x *Tensor) Elements() int { return elements(x.shape) }

// Bytes returns the size of the elements that the tensor shows. The storage
// may be larger.
func (x *Tensor) Bytes() int64 { return int64(x.Elements()) * x.dtype.Size() }

// Alive reports whether anybody holds the tensor.
func (x *Tensor) Alive() bool { return len(x.holders) > 0 }

// References returns the number of holders.
func (x *Tensor) References() int { return len(x.holders) }

// Holders returns the words for the holders, oldest first.
func (x *Tensor) Holders() []string {
	words := make([]string, len(x.holders))
	for i, h := range x.holders {
		words[i] = h.Holder()
	}
	return words
}

// Retain adds a holder and returns the tensor.
func (x *Tensor) Retain(h Holder) *Tensor {
	if !x.Alive() {
		panic("tensor: retain after the last release")
	}
	x.holders = append(x.holders, h)
	return x
}

// Release takes the holder's reference away. With the last one the tensor
// dies: first what its graph holds is released, then its storage.
func (x *Tensor) Release(h Holder) {
	i := len(x.holders) - 1
	for i >= 0 && x.holders[i] != h {
		i--
	}
	if i < 0 {
		panic(fmt.Sprintf("tensor: released by %s, which does not hold it", h.Holder()))
	}
	x.holders = slices.Delete(x.holders, i, i+1)
	if len(x.holders) == 0 {
		x.free()
	}
}

// Drop releases the reference of Temporary.
func (x *Tensor) Drop() { x.Release(Temporary) }

// Hand passes a reference from one holder to another.
func (x *Tensor) Hand(from, to Holder) *Tensor {
	x.Retain(to)
	x.Release(from)
	return x
}

// Attachment is what another package hangs on a tensor: its place in a graph.
type Attachment interface {
	// Freed is called when the tensor dies, before its storage is released.
	Freed()
}

// Attach hangs the attachment on the tensor.
func (x *Tensor) Attach(a Attachment) { x.graph = a }

// Attached returns what hangs on the tensor, or nil.
func (x *Tensor) Attached() Attachment { return x.graph }

// free ends a tensor that nobody holds: its base, its graph, its storage.
func (x *Tensor) free() {
	x.storage.device.live.remove(x)
	if x.base != nil {
		x.base.Release(x)
	}
	if x.graph != nil {
		x.graph.Freed()
	}
	x.storage.release()
}

// String describes the tensor without reading it.
func (x *Tensor) String() string {
	return fmt.Sprintf("%s %s on %s", x.dtype, ShapeString(x.shape), x.Device())
}

// operand shows the tensor to a kernel.
func (x *Tensor) operand() gpu.Operand {
	return gpu.Operand{Base: x.storage.ptr, Type: x.dtype, Shape: x.shape, Stride: x.stride, Offset: x.offset}
}
