package host

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/torchmem/workbook/runtime/gpu"
)

// matmul writes the product of two matrices.
func matmul(c call) { product(c, 0) }

// addmm writes the product of the first two inputs plus the third, which is
// stretched to the shape of the product.
func addmm(c call) {
	bias := c.in[2].list()
	each(c, bias.get)
	product(c, 1)
}

// product writes a*b + beta*out. The output is dense.
func product(c call, beta float64) {
	switch {
	case c.out.Elements() == 0:
	case c.in[0].Elements() == 0:
		if beta == 0 {
			each(c, func(int) float64 { return 0 })
		}
	case c.out.Type == gpu.Float64:
		product64(c, beta)
	default:
		product32(c, float32(beta))
	}
}

func product32(c call, beta float32) {
	a, transA := matrix(c.in[0])
	b, transB := matrix(c.in[1])
	blas32.Gemm(transA, transB, 1,
		blas32.General{Rows: a.Shape[0], Cols: a.Shape[1], Stride: a.Shape[1], Data: elements[float32](a.bytes)},
		blas32.General{Rows: b.Shape[0], Cols: b.Shape[1], Stride: b.Shape[1], Data: elements[float32](b.bytes)},
		beta,
		blas32.General{Rows: c.out.Shape[0], Cols: c.out.Shape[1], Stride: c.out.Shape[1], Data: elements[float32](c.out.bytes)})
}

func product64(c call, beta float64) {
	a, transA := matrix(c.in[0])
	b, transB := matrix(c.in[1])
	blas64.Gemm(transA, transB, 1,
		blas64.General{Rows: a.Shape[0], Cols: a.Shape[1], Stride: a.Shape[1], Data: elements[float64](a.bytes)},
		blas64.General{Rows: b.Shape[0], Cols: b.Shape[1], Stride: b.Shape[1], Data: elements[float64](b.bytes)},
		beta,
		blas64.General{Rows: c.out.Shape[0], Cols: c.out.Shape[1], Stride: c.out.Shape[1], Data: elements[float64](c.out.bytes)})
}

// matrix shows a window as BLAS wants it: dense and row-major. A transposed
// window keeps its memory and says so; any other layout is copied.
func matrix(w window) (window, blas.Transpose) {
	turned := w
	turned.Shape, turned.Stride = []int{w.Shape[1], w.Shape[0]}, []int{w.Stride[1], w.Stride[0]}
	switch {
	case dense(w.Operand):
		return w, blas.NoTrans
	case dense(turned.Operand):
		return turned, blas.Trans
	}
	return w.compact(), blas.NoTrans
}

// compact copies the elements into row-major order.
func (w window) compact() window {
	step := 1
	stride := make([]int, len(w.Shape))
	for d := len(stride) - 1; d >= 0; d-- {
		stride[d] = step
		step *= w.Shape[d]
	}
	out := window{gpu.Operand{Type: w.Type, Shape: w.Shape, Stride: stride}, makeBytes(int64(step) * w.Type.Size())}
	w.walk(func(i, at int) { out.set(i, w.get(at)) })
	return out
}
