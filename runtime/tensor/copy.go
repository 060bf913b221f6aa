package tensor

import (
	"fmt"

	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/host"
)

// Clone returns a copy in memory of its own, laid out as x is.
func Clone(x *Tensor) *Tensor { return Map("copy", x) }

// CloneLike returns a copy of x in memory that is laid out as like is, or in
// row-major order where like has gaps.
func CloneLike(x, like *Tensor) *Tensor {
	if !like.Dense() {
		return Compact(x)
	}
	return mapInto(emptyStrided(x.Device(), x.dtype, x.shape, like.stride), "copy", []*Tensor{x})
}

// Contiguous returns x itself, once more, where its elements lie in row-major
// order, and a copy in that order otherwise.
func Contiguous(x *Tensor) *Tensor {
	if x.Contiguous() {
		return x.Retain(Temporary)
	}
	return Compact(x)
}

// Compact returns a row-major copy.
func Compact(x *Tensor) *Tensor {
	return mapInto(Empty(x.Device(), x.dtype, x.shape...), "copy", []*Tensor{x})
}

// Convert returns the elements as another type: x itself where it has that
// type, a copy otherwise.
func Convert(x *Tensor, t gpu.DType) *Tensor {
	if x.dtype == t {
		return x.Retain(Temporary)
	}
	return mapInto(emptyOf(t, x), "copy", []*Tensor{x})
}

// Move returns the elements on another device: x itself where it lies there, a
// copy otherwise.
func Move(x *Tensor, to *Device) *Tensor {
	if x.Device() == to {
		return x.Retain(Temporary)
	}
	out := emptyStrided(to, x.dtype, x.shape, strideLike(x))
	return finish(out, func() {
		src := likeDense(x, out)
		defer src.Drop()
		if err := to.compute.Upload(out.storage.ptr, src.array(), to.stream); err != nil {
			panic(fmt.Errorf("tensor: copy from %s to %s: %w", x.Device(), to, err))
		}
	})
}

// likeDense returns x itself, once more, where it lies as the dense tensor
// does, and a copy that lies so otherwise.
func likeDense(x, dense *Tensor) *Tensor {
	if x.Dense() {
		return x.Retain(Temporary)
	}
	return CloneLike(x, dense)
}

// array returns the bytes of a dense tensor, from its first element on. They
// are computed when they are read.
func (x *Tensor) array() gpu.Array {
	return host.Slice(x.download(), int64(x.offset)*x.dtype.Size(), x.Bytes())
}

// download returns the storage's bytes up to the tensor's last element.
func (x *Tensor) download() gpu.Array {
	d := x.Device()
	a, err := d.compute.Download(x.storage.ptr, host.Extent(x.operand()), d.stream)
	if err != nil {
		panic(fmt.Errorf("tensor: read from %s: %w", d, err))
	}
	return a
}

// Later returns a function that reads the tensor's present elements in
// row-major order. Calling it is where waiting arithmetic runs; the tensor may
// be gone by then. Reading allocates nothing on the device.
func Later(x *Tensor) func() []float64 {
	a, o := x.download(), x.operand()
	return func() []float64 { return host.Read(a, o) }
}

// Assign copies the elements of src over those of dst.
func Assign(dst, src *Tensor) { Update("copy", dst, []*Tensor{src}) }

// Rehouse gives x the storage of a new tensor, which ends. The old storage
// loses a tensor. It is the assignment to x.data.
func (x *Tensor) Rehouse(as *Tensor) {
	before, base := x.storage, x.base
	before.device.live.remove(x)
	x.storage, x.stride, x.offset, x.base = as.storage, as.stride, as.offset, nil
	x.storage.tensors++
	x.storage.device.live.add(x)
	as.Drop()
	if base != nil {
		base.Release(x)
	}
	before.release()
}
