package host

import (
	"sync"
	"unsafe"

	"github.com/torchmem/workbook/runtime/gpu"
)

// Value is the content of a memory: bytes, or the promise of them. It
// implements [gpu.Array] and never changes once it is computed.
type Value struct {
	size int64

	mu      sync.Mutex
	inputs  []*Value // what compute reads
	compute func() []byte
	bytes   []byte
}

// later returns the promise of size bytes that compute makes from the bytes of
// the inputs.
func later(size int64, compute func() []byte, inputs ...*Value) *Value {
	return &Value{size: size, compute: compute, inputs: inputs}
}

// Len returns the length in bytes.
func (v *Value) Len() int64 { return v.size }

// Bytes computes the value, the first time, and returns it. The promise is
// forgotten then, and with it the values it was made from.
//
// A value may hang on a long chain of others, such as all the changes in place
// that a weight went through. They are computed one after the other, oldest
// first, so that no chain is too long for the stack.
func (v *Value) Bytes() []byte {
	for todo := []*Value{v}; len(todo) > 0; {
		last := todo[len(todo)-1]
		if waiting := last.waiting(); len(waiting) > 0 {
			todo = append(todo, waiting...)
			continue
		}
		last.finish()
		todo = todo[:len(todo)-1]
	}
	return v.finish()
}

// waiting lists the inputs that are not computed yet.
func (v *Value) waiting() []*Value {
	v.mu.Lock()
	defer v.mu.Unlock()
	var all []*Value
	for _, in := range v.inputs {
		if !in.done() {
			all = append(all, in)
		}
	}
	return all
}

func (v *Value) done() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.compute == nil
}

// finish computes the bytes if nobody has. The inputs are there.
func (v *Value) finish() []byte {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.compute != nil {
		v.bytes = v.compute()
		v.compute, v.inputs = nil, nil
	}
	return v.bytes
}

// FromFloat32 returns a value that holds the numbers.
func FromFloat32(numbers []float32) *Value {
	b := makeBytes(int64(len(numbers)) * 4)
	copy(elements[float32](b), numbers)
	return &Value{size: int64(len(b)), bytes: b}
}

// promise returns the value that a kernel leaves in its output's memory. What
// was there before shows through where the kernel does not write; it is nil
// where the kernel overwrites all.
func promise(k gpu.Kernel, run kernel, inputs []*Value, before *Value) *Value {
	size := Extent(k.Out)
	needed := inputs
	if before != nil {
		size = max(size, before.size)
		needed = append(inputs[:len(inputs):len(inputs)], before)
	}
	return later(size, func() []byte {
		b := makeBytes(size)
		if before != nil {
			copy(b, before.Bytes())
		}
		in := make([]window, len(inputs))
		for i, v := range inputs {
			in[i] = window{k.In[i], v.Bytes()}
		}
		run(call{Kernel: k, out: window{k.Out, b}, in: in})
		return b
	}, needed...)
}

// padded returns the value with zeros behind it.
func padded(v *Value, size int64) *Value {
	return later(size, func() []byte {
		b := makeBytes(size)
		copy(b, v.Bytes())
		return b
	}, v)
}

// makeBytes returns zeroed bytes that are aligned for every element type.
func makeBytes(size int64) []byte {
	if size == 0 {
		return nil
	}
	words := make([]uint64, (size+7)/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), size)
}

// elements shows bytes as numbers of type T.
func elements[T any](b []byte) []T {
	if len(b) == 0 {
		return nil
	}
	var t T
	return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), len(b)/int(unsafe.Sizeof(t)))
}

// Slice returns size bytes of an array from an offset on. The whole array is
// itself.
func Slice(a gpu.Array, offset, size int64) gpu.Array {
	if offset == 0 && size == a.Len() {
		return a
	}
	cut := func() []byte { return a.Bytes()[offset : offset+size : offset+size] }
	if v, ok := a.(*Value); ok {
		return later(size, cut, v)
	}
	return later(size, cut)
}

// Read returns the elements that an operand shows of an array that starts at
// its base, in row-major order.
func Read(a gpu.Array, o gpu.Operand) []float64 {
	out := make([]float64, o.Elements())
	w := window{o, a.Bytes()}
	w.walk(func(i, at int) { out[i] = w.get(at) })
	return out
}
