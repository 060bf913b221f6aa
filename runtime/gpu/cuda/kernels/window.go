package kernels

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/torchmem/workbook/runtime/gpu"
)

// rank is the most dimensions of a window in the words of a launch. words.cuh
// has the number too.
const rank = 8

// number is the type of an operand that is no memory. gpu.DType ends before it.
const number = 5

// operand is short for what kernels read and write.
type operand = gpu.Operand

// window is an operand of a launch, in the shape of its group.
type window struct {
	first  uint64 // the address of the first element, or the bits of a number
	kind   uint64 // its type
	stride []int
}

// group is some windows that are walked together.
type group struct {
	size    []int
	windows []window
}

// newGroup shows all operands in one shape.
func newGroup(shape []int, operands ...gpu.Operand) (group, error) {
	g := group{size: slices.Clone(shape)}
	for i, o := range operands {
		w, err := newWindow(o, shape)
		if err != nil {
			return g, fmt.Errorf("operand %d: %w", i, err)
		}
		g.windows = append(g.windows, w)
	}
	return g, nil
}

// newWindow shows an operand in a shape.
func newWindow(o gpu.Operand, shape []int) (window, error) {
	if o.Number != nil {
		x, err := numberOf(o)
		return window{math.Float64bits(x), number, make([]int, len(shape))}, err
	}
	stride, err := view(o, shape)
	return window{addressOf(o), uint64(o.Type), stride}, err
}

// addressOf returns the address of an operand's first element.
func addressOf(o gpu.Operand) uint64 { return uint64(o.Base) + uint64(int64(o.Offset)*o.Type.Size()) }

// numberOf reads an operand that travels with the launch.
func numberOf(o gpu.Operand) (float64, error) {
	b := o.Number.Bytes()
	if int64(len(b)) < o.Type.Size() {
		return 0, fmt.Errorf("a number of %d bytes, and its type has %d", len(b), o.Type.Size())
	}
	switch o.Type {
	case gpu.Float64:
		return math.Float64frombits(binary.NativeEndian.Uint64(b)), nil
	case gpu.Int64:
		return float64(int64(binary.NativeEndian.Uint64(b))), nil
	case gpu.Uint8, gpu.Bool:
		return float64(b[0]), nil
	default:
		return float64(math.Float32frombits(binary.NativeEndian.Uint32(b))), nil
	}
}

// view returns the strides with which a shape shows the operand's elements in
// the same order. Dimensions may be split, and joined where they lie without a
// gap.
func view(o gpu.Operand, shape []int) ([]int, error) {
	stride := make([]int, len(shape))
	switch n := elements(shape); {
	case slices.Equal(o.Shape, shape):
		return o.Stride, nil
	case n != o.Elements():
		return nil, fmt.Errorf("a window of %v is not one of %v", o.Shape, shape)
	case n == 0:
		return stride, nil
	}
	own := group{size: o.Shape, windows: []window{{stride: o.Stride}}}.joined()
	left, step, next := 1, 0, 0 // of the operand's dimension that is being cut up
	for d := len(shape) - 1; d >= 0; d-- {
		if shape[d] == 1 {
			continue
		}
		if left == 1 {
			left, step, next = own.size[next], own.windows[0].stride[next], next+1
		}
		if left%shape[d] != 0 {
			return nil, fmt.Errorf("a window of %v with the strides %v cannot be shown as %v", o.Shape, o.Stride, shape)
		}
		stride[d] = step
		left, step = left/shape[d], step*shape[d]
	}
	return stride, nil
}

// ordered puts the dimensions in the order in which the first window lies, so
// that threads side by side touch memory side by side. It is for kernels that
// do not care which element has which number.
func (g group) ordered() group {
	order := make([]int, len(g.size))
	for d := range order {
		order[d] = d
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return magnitude(g.windows[0].stride[b]) - magnitude(g.windows[0].stride[a])
	})
	return g.picked(order)
}

func magnitude(a int) int { return max(a, -a) }

// picked returns the group with only those dimensions, in that order.
func (g group) picked(dims []int) group {
	pick := func(list []int) []int {
		out := make([]int, len(dims))
		for i, d := range dims {
			out[i] = list[d]
		}
		return out
	}
	out := group{size: pick(g.size)}
	for _, w := range g.windows {
		out.windows = append(out.windows, window{w.first, w.kind, pick(w.stride)})
	}
	return out
}

// joined returns the group with the fastest dimension first, without those of
// one element, and with neighbours joined where every window allows it.
func (g group) joined() group {
	out := group{}
	for _, w := range g.windows {
		out.windows = append(out.windows, window{first: w.first, kind: w.kind})
	}
	for d := len(g.size) - 1; d >= 0; d-- {
		switch {
		case g.size[d] == 1:
		case out.continues(g, d):
			out.size[len(out.size)-1] *= g.size[d]
		default:
			out.size = append(out.size, g.size[d])
			for i, w := range g.windows {
				out.windows[i].stride = append(out.windows[i].stride, w.stride[d])
			}
		}
	}
	return out
}

// continues reports whether the dimension d of a group goes on where the last
// one of the joined group ends, in every window.
func (g group) continues(of group, d int) bool {
	last := len(g.size) - 1
	if last < 0 {
		return false
	}
	for i, w := range of.windows {
		if w.stride[d] != g.windows[i].stride[last]*g.size[last] {
			return false
		}
	}
	return true
}

// count returns the number of elements that each window shows.
func (g group) count() int { return elements(g.size) }

// elements returns the number of elements of a shape.
func elements(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}
