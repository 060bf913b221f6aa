package kernels

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/gpu"
)

// dense shows memory in row-major order.
func dense(base gpu.Ptr, kind gpu.DType, shape ...int) gpu.Operand {
	stride, step := make([]int, len(shape)), 1
	for d := len(shape) - 1; d >= 0; d-- {
		stride[d], step = step, step*shape[d]
	}
	return gpu.Operand{Base: base, Type: kind, Shape: shape, Stride: stride}
}

// TestDenseWindowsHaveOneDimension is the short path: whatever the shape is, and
// in whatever order its dimensions lie, no thread divides.
func TestDenseWindowsHaveOneDimension(t *testing.T) {
	x := dense(1<<20, gpu.Float32, 7, 1, 8, 9)
	x.Shape, x.Stride = []int{9, 7, 1, 8}, []int{1, 72, 72, 9}
	steps, err := Plan(gpu.Kernel{Name: "add", Out: x, In: []gpu.Operand{x, x}})
	require.NoError(t, err)
	require.Equal(t, "pointwise2", steps[0].Function)
	require.EqualValues(t, 504, steps[0].Words[1])
	require.EqualValues(t, 1, steps[0].Words[2]&255, "one dimension")
	require.Equal(t, [3]int{2, 1, 1}, steps[0].Grid)
}

// TestMoreThanTwoBillionElements wants offsets and counts of 64 bits.
func TestMoreThanTwoBillionElements(t *testing.T) {
	x := dense(1<<40, gpu.Float32, 3<<31)
	x.Offset = 5 << 31
	steps, err := Plan(gpu.Kernel{Name: "fill", Out: x, Scalars: []float64{1}})
	require.NoError(t, err)
	require.EqualValues(t, 3<<31, steps[0].Words[1])
	require.EqualValues(t, 1<<40+4*(5<<31), steps[0].Words[11])
	require.Equal(t, 3<<31, steps[0].Grid[0]*steps[0].Block[0])
}

// TestNumbersTravelInWords reads numbers of host memory of every type.
func TestNumbersTravelInWords(t *testing.T) {
	for kind, bytes := range map[gpu.DType][]byte{
		gpu.Float32: binary.NativeEndian.AppendUint32(nil, math.Float32bits(-3)),
		gpu.Float64: binary.NativeEndian.AppendUint64(nil, math.Float64bits(-3)),
		gpu.Int64:   binary.NativeEndian.AppendUint64(nil, uint64(math.MaxUint64-2)),
		gpu.Uint8:   {3},
		gpu.Bool:    {1},
	} {
		x := dense(1<<20, gpu.Float64, 4)
		n := gpu.Operand{Type: kind, Shape: x.Shape, Stride: []int{0}, Number: hostNumber(bytes)}
		steps, err := Plan(gpu.Kernel{Name: "mul", Out: x, In: []gpu.Operand{x, n}})
		require.NoError(t, err)
		r := reader{steps[0].Words}
		r.next()
		s, _, _ := r.shape(), r.operand(), r.operand()
		require.EqualValues(t, number, s.kind(2))
		want := map[gpu.DType]float64{gpu.Uint8: 3, gpu.Bool: 1}[kind]
		if want == 0 {
			want = -3
		}
		require.Equal(t, want, math.Float64frombits(r.operand().first), kind)
	}
}

type hostNumber []byte

func (n hostNumber) Len() int64    { return int64(len(n)) }
func (n hostNumber) Bytes() []byte { return n }

// TestNothingToWrite needs no launch.
func TestNothingToWrite(t *testing.T) {
	x := dense(0, gpu.Float32, 3, 0)
	for _, name := range []string{"add", "softmax_backward", "mse"} {
		steps, err := Plan(gpu.Kernel{Name: name, Out: x, In: []gpu.Operand{x, x}})
		require.NoError(t, err)
		require.Empty(t, steps)
	}
}

// TestSumOfNothing is a launch: it writes zeros.
func TestSumOfNothing(t *testing.T) {
	steps, err := Plan(gpu.Kernel{Name: "sum", Out: dense(1<<20, gpu.Float32, 3, 1), In: []gpu.Operand{dense(0, gpu.Float32, 3, 0)}, Scalars: []float64{1}})
	require.NoError(t, err)
	require.Len(t, steps, 1)
}

// TestProductsChooseTheirTiles by how many there would be.
func TestProductsChooseTheirTiles(t *testing.T) {
	for function, test := range map[string]struct {
		kind   gpu.DType
		n      int
		blocks int
	}{
		"matmul_small":  {gpu.Float32, 1000, 16 * 16},
		"matmul_large":  {gpu.Float32, 4096, 32 * 32},
		"matmul_double": {gpu.Float64, 4096, 64 * 64},
	} {
		steps, err := Plan(gpu.Kernel{Name: "matmul", Out: dense(1<<40, test.kind, test.n, test.n), In: []gpu.Operand{
			dense(2<<40, test.kind, test.n, 5), dense(3<<40, test.kind, 5, test.n)}})
		require.NoError(t, err)
		require.Equal(t, function, steps[0].Function)
		require.Equal(t, [3]int{test.blocks, 1, 1}, steps[0].Grid)
		require.Len(t, steps[0].Words, parameters(t)[function])
	}
}

// TestBlocksOfReductions looks at how threads are placed.
func TestBlocksOfReductions(t *testing.T) {
	for name, test := range map[string]struct {
		shape, wide []int
		block       [3]int
		blocks      int
	}{
		"all":               {[]int{1000, 1000}, []int{1, 1}, [3]int{1, 1024, 1}, 1},
		"long rows":         {[]int{300, 5000}, []int{300, 1}, [3]int{1, 1024, 1}, 300},
		"short rows":        {[]int{5000, 10}, []int{5000, 1}, [3]int{8, 16, 1}, 625},
		"rows of a page":    {[]int{300, 1024}, []int{300, 1}, [3]int{1, 128, 1}, 300},
		"columns":           {[]int{5000, 300}, []int{1, 300}, [3]int{32, 32, 1}, 10},
		"a few columns":     {[]int{5000, 3}, []int{1, 3}, [3]int{4, 256, 1}, 1},
		"nothing is folded": {[]int{500}, []int{500}, [3]int{128, 1, 1}, 4},
	} {
		steps, err := Plan(gpu.Kernel{Name: "norm", Out: dense(1<<40, gpu.Float32, test.wide...), In: []gpu.Operand{dense(2<<40, gpu.Float32, test.shape...)}})
		require.NoError(t, err, name)
		require.Equal(t, test.block, steps[0].Block, name)
		require.Equal(t, test.blocks, steps[0].Grid[0], name)
	}
}

func TestPlanRefuses(t *testing.T) {
	x, y := dense(1<<20, gpu.Float32, 4, 6), dense(1<<30, gpu.Float32, 4, 6)
	deep := gpu.Operand{Base: 1 << 20, Shape: []int{2, 2, 2, 2, 2, 2, 2, 2, 2}}
	for d := range deep.Shape {
		deep.Stride = append(deep.Stride, 1<<(2*(8-d)))
	}
	turned := gpu.Operand{Base: 1 << 30, Shape: []int{6, 4}, Stride: []int{1, 6}}
	for want, k := range map[string]gpu.Kernel{
		`no kernel "bogus"`:                      {Name: "bogus", Out: x},
		"kernel add: 1 inputs, and it takes [2]": {Name: "add", Out: x, In: []gpu.Operand{y}},
		"kernel fill: 0 numbers, and it takes 1": {Name: "fill", Out: x},
		"kernel fill: windows of 9 dimensions that cannot be joined, and 8 is the most":            {Name: "fill", Out: deep, Scalars: []float64{1}},
		"kernel neg: operand 1: a window of [4] is not one of [4 6]":                               {Name: "neg", Out: x, In: []gpu.Operand{dense(1<<40, 0, 4)}},
		"kernel neg: operand 1: a window of [6 4] with the strides [1 6] cannot be shown as [4 6]": {Name: "neg", Out: x, In: []gpu.Operand{turned}},
		"kernel softmax: it cannot write over what it reads":                                       {Name: "softmax", Out: x, In: []gpu.Operand{x}},
		"kernel max: [4 6] does not fold to [4 3]":                                                 {Name: "max", Out: dense(1<<40, 0, 4, 3), In: []gpu.Operand{x}},
		"kernel max: no element is the largest or the smallest of none":                            {Name: "max", Out: dense(1<<40, 0, 1), In: []gpu.Operand{dense(1<<40, 0, 0)}},
		"kernel matmul: [4 6] times [4 6] is not [4 6]":                                            {Name: "matmul", Out: dense(1<<40, 0, 4, 6), In: []gpu.Operand{x, y}},
		"kernel matmul: a matrix of int64 beside a product of float32":                             {Name: "matmul", Out: x, In: []gpu.Operand{dense(2<<40, gpu.Int64, 4, 6), y}},
		"kernel matmul: a window of [4] is no matrix":                                              {Name: "matmul", Out: dense(1<<40, 0, 4), In: []gpu.Operand{x, y}},
		"kernel nll_loss: 24 elements are no table of 5 rows":                                      {Name: "nll_loss", Out: dense(1<<40, 0), In: []gpu.Operand{x, dense(2<<40, gpu.Int64, 5)}},
		"kernel layer_norm_weight: 24 elements are not rows of 7":                                  {Name: "layer_norm_weight", Out: dense(1<<40, 0, 7), In: []gpu.Operand{x, y, y, y}},
		"kernel fill: 1099511627776 elements are more than one launch can make":                    {Name: "fill", Out: dense(1<<40, 0, 1<<40), Scalars: []float64{1}},
	} {
		_, err := Plan(k)
		require.EqualError(t, err, want)
	}
}
