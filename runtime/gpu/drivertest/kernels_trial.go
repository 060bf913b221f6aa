package drivertest

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/host"
)

// trial is one launch with all that it reads. The base of an operand is the
// number of a piece of memory, from one on.
type trial struct {
	kernel gpu.Kernel
	memory []piece
}

// piece is a piece of memory: elements of one type.
type piece struct {
	kind    gpu.DType
	numbers []float64
}

// at returns the memory of an operand.
func (t trial) at(o gpu.Operand) piece { return t.memory[o.Base-1] }

// encode returns the elements as they lie in memory.
func (p piece) encode() array {
	out := make(array, 0, len(p.numbers)*8+8)
	for _, x := range p.numbers {
		switch p.kind {
		case gpu.Float64:
			out = binary.NativeEndian.AppendUint64(out, math.Float64bits(x))
		case gpu.Int64:
			out = binary.NativeEndian.AppendUint64(out, uint64(int64(x)))
		case gpu.Uint8, gpu.Bool:
			out = append(out, byte(x))
		default:
			out = binary.NativeEndian.AppendUint32(out, math.Float32bits(float32(x)))
		}
	}
	return out
}

// decode returns the elements of such a piece.
func (p piece) decode(bytes []byte) []float64 {
	n := len(p.numbers)
	return host.Read(array(bytes), gpu.Operand{Type: p.kind, Shape: []int{n}, Stride: []int{1}})
}

// run launches the kernel and returns all elements of the memory that it
// writes. take returns memory of so many bytes.
func (t trial) run(c gpu.Compute, take func(bytes int64) (gpu.Ptr, error)) ([]float64, error) {
	bases := make([]gpu.Ptr, len(t.memory))
	for i, p := range t.memory {
		content := p.encode()
		var err error
		if bases[i], err = take(max(1, content.Len())); err != nil {
			return nil, err
		}
		if err := c.Upload(bases[i], content, 0); err != nil {
			return nil, err
		}
	}
	k, out := t.kernel, t.at(t.kernel.Out)
	k.Out.Base = bases[k.Out.Base-1]
	k.In = append([]gpu.Operand(nil), k.In...)
	for i := range k.In {
		if k.In[i].Number == nil {
			k.In[i].Base = bases[k.In[i].Base-1]
		}
	}
	if err := c.Launch(k, 0); err != nil {
		return nil, err
	}
	a, err := c.Download(k.Out.Base, out.encode().Len(), 0)
	if err != nil {
		return nil, err
	}
	return out.decode(a.Bytes()), nil
}

// onDevice runs the trial on a driver, and gives the memory back.
func (t trial) onDevice(d gpu.Driver) ([]float64, error) {
	var taken []gpu.Ptr
	defer func() {
		for _, p := range taken {
			d.Discard(p)
			_ = d.Free(p) // the driver's other tests look at this
		}
	}()
	return t.run(d, func(bytes int64) (gpu.Ptr, error) {
		p, err := d.Malloc(bytes)
		if err == nil {
			taken = append(taken, p)
		}
		return p, err
	})
}

// onHost runs the trial on the CPU.
func (t trial) onHost() ([]float64, error) {
	next := gpu.Ptr(0)
	return t.run(host.New(), func(int64) (gpu.Ptr, error) {
		next += 64
		return next, nil
	})
}

// wide returns the trial with float64 in the place of float32.
func (t trial) wide() trial {
	out := trial{kernel: t.kernel}
	for _, p := range t.memory {
		if p.kind == gpu.Float32 {
			p.kind = gpu.Float64
		}
		out.memory = append(out.memory, p)
	}
	out.kernel.Out = widened(t.kernel.Out)
	out.kernel.In = nil
	for _, in := range t.kernel.In {
		out.kernel.In = append(out.kernel.In, widened(in))
	}
	return out
}

func widened(o gpu.Operand) gpu.Operand {
	if o.Type != gpu.Float32 {
		return o
	}
	o.Type = gpu.Float64
	if o.Number != nil {
		p := piece{gpu.Float32, make([]float64, 1)}
		o.Number = piece{gpu.Float64, p.decode(o.Number.Bytes())}.encode()
	}
	return o
}

// absolute returns the trial with every number positive.
func (t trial) absolute() trial {
	out := trial{kernel: t.kernel}
	for _, p := range t.memory {
		out.memory = append(out.memory, p.absolute())
	}
	out.kernel.In = slices.Clone(t.kernel.In)
	for i, in := range out.kernel.In {
		if in.Number != nil {
			p := piece{in.Type, make([]float64, 1)}
			p.numbers = p.decode(in.Number.Bytes())
			out.kernel.In[i].Number = p.absolute().encode()
		}
	}
	return out
}

func (p piece) absolute() piece {
	numbers := make([]float64, len(p.numbers))
	for i, x := range p.numbers {
		numbers[i] = math.Abs(x)
	}
	return piece{p.kind, numbers}
}

// places returns where the elements of an operand lie, in row-major order.
func places(o gpu.Operand) []int {
	out := []int{o.Offset}
	for d, n := range o.Shape {
		var next []int
		for _, at := range out {
			for i := range n {
				next = append(next, at+i*o.Stride[d])
			}
		}
		out = next
	}
	return out
}
