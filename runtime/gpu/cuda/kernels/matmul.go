package kernels

import (
	"fmt"

	"github.com/torchmem/workbook/runtime/gpu"
)

// The sides of the tiles that one block makes, and the threads of a block.
const (
	smallTile      = 64
	largeTile      = 128
	productThreads = 256
)

// enoughTiles is how many large tiles keep a GPU busy. Where there are fewer,
// small tiles give more blocks.
const enoughTiles = 100

// matmul plans the product of two matrices, and with a third operand that is
// added to it.
func matmul(l launch) ([]Step, error) {
	if err := l.fits(); err != nil {
		return nil, err
	}
	words := matrixWords(l.Out)
	words = append(words, matrixWords(l.In[0])...)
	words = append(words, matrixWords(l.In[1])...)
	if len(l.In) == 3 {
		words = append(words, matrixWords(l.In[2])...)
	} else {
		words = append(words, make([]uint64, 5)...)
	}
	function, side := "matmul_small", smallTile
	switch {
	case l.Out.Type == gpu.Float64:
		function = "matmul_double"
	case tiles(l.Out.Shape, largeTile) >= enoughTiles:
		function, side = "matmul_large", largeTile
	}
	return steps(function, tiles(l.Out.Shape, side), 1, [3]int{productThreads, 1, 1}, words)
}

// fits refuses operands that have no product.
func (l launch) fits() error {
	for _, o := range append([]operand{l.Out}, l.In...) {
		if len(o.Shape) != 2 {
			return fmt.Errorf("a window of %v is no matrix", o.Shape)
		}
		if o.Type != l.Out.Type || o.Number != nil || (o.Type != gpu.Float32 && o.Type != gpu.Float64) {
			return fmt.Errorf("a matrix of %s beside a product of %s", o.Type, l.Out.Type)
		}
	}
	out, a, b := l.Out.Shape, l.In[0].Shape, l.In[1].Shape
	if a[0] != out[0] || a[1] != b[0] || b[1] != out[1] {
		return fmt.Errorf("%v times %v is not %v", a, b, out)
	}
	if len(l.In) == 3 && (l.In[2].Shape[0] != out[0] || l.In[2].Shape[1] != out[1]) {
		return fmt.Errorf("%v cannot be added to %v", l.In[2].Shape, out)
	}
	return l.apart()
}

// matrixWords returns the words of MATRIX: the first element, sizes, strides.
func matrixWords(o operand) []uint64 {
	return append([]uint64{addressOf(o)}, wordsOf(o.Shape[0], o.Shape[1], o.Stride[0], o.Stride[1])...)
}

// tiles returns how many tiles of a side cover the matrix.
func tiles(shape []int, side int) int { return ceilDiv(shape[0], side) * ceilDiv(shape[1], side) }
