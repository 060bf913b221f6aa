package host

import "github.com/torchmem/workbook/runtime/gpu"

// window is an operand with the bytes it shows.
type window struct {
	gpu.Operand
	bytes []byte
}

// walk visits the elements in row-major order: their number, and their place
// counted from the start of the bytes.
func (w window) walk(visit func(i, at int)) {
	n := w.Elements()
	if n == 0 {
		return
	}
	index := make([]int, len(w.Shape))
	at := w.Offset
	for i := 0; ; i++ {
		visit(i, at)
		if i == n-1 {
			return
		}
		for d := len(index) - 1; d >= 0; d-- {
			index[d]++
			at += w.Stride[d]
			if index[d] < w.Shape[d] {
				break
			}
			at -= w.Stride[d] * w.Shape[d]
			index[d] = 0
		}
	}
}

// get returns the element at a place as a float64.
func (w window) get(at int) float64 {
	switch w.Type {
	case gpu.Float64:
		return elements[float64](w.bytes)[at]
	case gpu.Int64:
		return float64(elements[int64](w.bytes)[at])
	case gpu.Uint8, gpu.Bool:
		return float64(w.bytes[at])
	default:
		return float64(elements[float32](w.bytes)[at])
	}
}

// set stores a float64 as an element.
func (w window) set(at int, x float64) {
	switch w.Type {
	case gpu.Float64:
		elements[float64](w.bytes)[at] = x
	case gpu.Int64:
		elements[int64](w.bytes)[at] = int64(x)
	case gpu.Uint8:
		w.bytes[at] = byte(int64(x))
	case gpu.Bool:
		w.bytes[at] = byte(truth(x != 0))
	default:
		elements[float32](w.bytes)[at] = float32(x)
	}
}

// list is a window whose elements can be read by their row-major number.
type list struct {
	window
	places []int // nil when number and place are the same
}

func (w window) list() list {
	if dense(w.Operand) {
		return list{window: w}
	}
	places := make([]int, w.Elements())
	w.walk(func(i, at int) { places[i] = at })
	return list{w, places}
}

func (l list) get(i int) float64 {
	if l.places != nil {
		i = l.places[i]
	}
	return l.window.get(i)
}

// numbers returns the elements in row-major order as float64.
func (w window) numbers() []float64 {
	out := make([]float64, w.Elements())
	w.walk(func(i, at int) { out[i] = w.get(at) })
	return out
}
