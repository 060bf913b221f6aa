package tensor

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/gpu"
)

func newCPU() *Device { return NewCPU(&Registry{}) }

// counted returns a tensor of the numbers 0, 1, 2, …
func counted(d *Device, shape ...int) *Tensor {
	list := make([]float32, elements(shape))
	for i := range list {
		list[i] = float32(i)
	}
	return FromFloat32(d, list, shape...)
}

func values(x *Tensor) []float64 { return Later(x)() }

func TestReferences(t *testing.T) {
	d := newCPU()
	x := counted(d, 2, 3)
	x.Hand(Temporary, Role("a name"))
	view := T(x)
	require.Equal(t, []string{"a name", "a view of it"}, x.Holders())
	require.Equal(t, 2, x.Storage().Tensors())
	row := Select(view, 0, 1)
	require.Same(t, x, row.Base(), "a view of a view has the same base")
	view.Drop()
	x.Release(Role("a name"))
	require.True(t, x.Alive(), "row keeps it")
	require.Equal(t, []float64{1, 4}, values(row))
	detached := Detached(row)
	require.Nil(t, detached.Base())
	row.Drop()
	require.False(t, x.Alive())
	require.Equal(t, []float64{1, 4}, values(detached))
	detached.Drop()
	require.Zero(t, d.live.Count())

	require.PanicsWithValue(t, "tensor: retain after the last release", func() { x.Retain(Temporary) })
	require.PanicsWithValue(t, "tensor: released by nobody, which does not hold it", func() { counted(d, 1).Release(Role("nobody")) })
}

// TestViewsOfEveryShape compares View with a copy, for tensors that lie in many
// ways and all shapes of their elements: the elements are the same, and where
// View refuses, no strides would do.
func TestViewsOfEveryShape(t *testing.T) {
	d := newCPU()
	base := counted(d, 4, 6, 2)
	windows := map[string]*Tensor{
		"whole": base, "transposed": Transpose(base, 0, 1), "swapped": Transpose(base, 1, 2),
		"part": Narrow(base, 1, 1, 5), "rows": Narrow(base, 0, 1, 3), "column": Select(base, 2, 1),
		"stretched": Expand(counted(d, 1, 6), 4, 6), "unsqueezed": Unsqueeze(Select(base, 1, 2), 1),
	}
	for name, x := range windows {
		for _, shape := range shapesOf(x.Elements()) {
			stride, ok := viewStride(x, shape)
			want := findStrides(x, shape)
			require.Equal(t, want != nil, ok, "%s %v as %v", name, x.shape, shape)
			if ok {
				require.Equal(t, values(x), values(x.window(shape, stride, x.offset)), "%s as %v", name, shape)
			}
		}
	}
}

// shapesOf lists the shapes of up to three dimensions with n elements.
func shapesOf(n int) [][]int {
	shapes := [][]int{{n}}
	for a := 1; a <= n; a++ {
		if n%a != 0 {
			continue
		}
		shapes = append(shapes, []int{a, n / a})
		for b := 1; b <= n/a; b++ {
			if n/a%b == 0 {
				shapes = append(shapes, []int{a, b, n / a / b})
			}
		}
	}
	return shapes
}

// findStrides looks for strides that show x's elements in the shape, from the
// places of the elements alone. It returns nil where there are none.
func findStrides(x *Tensor, shape []int) []int {
	var places []int
	index := make([]int, len(x.shape))
	for range x.Elements() {
		at := 0
		for d, i := range index {
			at += i * x.stride[d]
		}
		places = append(places, at)
		next(index, x.shape)
	}
	stride, step := make([]int, len(shape)), 1
	for d := len(shape) - 1; d >= 0; d-- {
		if shape[d] > 1 {
			stride[d] = places[step] - places[0]
		}
		step *= shape[d]
	}
	index = make([]int, len(shape))
	for i := range places {
		at := 0
		for d, j := range index {
			at += j * stride[d]
		}
		if at != places[i] {
			return nil
		}
		next(index, shape)
	}
	return stride
}

// next counts an index up, the last dimension first.
func next(index, shape []int) {
	for d := len(index) - 1; d >= 0; d-- {
		if index[d]++; index[d] < shape[d] {
			return
		}
		index[d] = 0
	}
}

// TestResultsLieAsTheirOperands has the strides that PyTorch gives the results
// of elementwise operators.
func TestResultsLieAsTheirOperands(t *testing.T) {
	d := newCPU()
	matrix := func() *Tensor { return Empty(d, gpu.Float32, 2, 3) }
	turned := func() *Tensor { return T(Empty(d, gpu.Float32, 3, 2)) }
	for _, c := range []struct {
		name string
		x    *Tensor
		want []int
	}{
		{"matrix", Map("neg", matrix()), []int{3, 1}},
		{"turned", Map("neg", turned()), []int{1, 2}},
		{"matrix, turned", Map2("add", matrix(), turned()), []int{3, 1}},
		{"turned, matrix", Map2("add", turned(), matrix()), []int{1, 2}},
		{"stretched, turned", Map2("add", Expand(Empty(d, gpu.Float32, 3), 2, 3), turned()), []int{1, 2}},
		{"row, turned", Map2("add", Empty(d, gpu.Float32, 3), turned()), []int{1, 2}},
		{"stretched", Map("neg", Expand(Empty(d, gpu.Float32, 2, 1), 2, 3)), []int{3, 1}},
		{"with gaps", Map("neg", T(Narrow(Empty(d, gpu.Float32, 3, 5), 1, 0, 2))), []int{1, 2}},
		{"three", Map("neg", Transpose(Empty(d, gpu.Float32, 2, 3, 4), 0, 2)), []int{1, 4, 12}},
		{"bool of turned", Test("isnan", []*Tensor{turned()}), []int{1, 2}},
		{"converted", Convert(turned(), gpu.Float64), []int{1, 2}},
		{"compact", Compact(turned()), []int{3, 1}},
	} {
		require.Equal(t, c.want, c.x.Stride(), c.name)
	}
}

func TestDense(t *testing.T) {
	d := newCPU()
	x := Empty(d, gpu.Float32, 2, 3, 4)
	for _, c := range []struct {
		x                 *Tensor
		dense, contiguous bool
	}{
		{x, true, true},
		{Transpose(x, 0, 1), true, false},
		{Select(x, 0, 1), true, true},
		{Select(x, 1, 0), false, false},
		{Narrow(x, 0, 0, 1), true, true},
		{Narrow(x, 2, 0, 1), false, false},
		{Expand(Empty(d, gpu.Float32, 1), 3), false, false},
		{Empty(d, gpu.Float32), true, true},
		{Empty(d, gpu.Float32, 0, 3), true, true},
		{T(Empty(d, gpu.Float32, 1, 5)), true, true},
	} {
		name := fmt.Sprint(c.x.shape, c.x.stride)
		require.Equal(t, c.dense, c.x.Dense(), name)
		require.Equal(t, c.contiguous, c.x.Contiguous(), name)
	}
}

func TestSites(t *testing.T) {
	require.Contains(t, counted(newCPU(), 1).Storage().Site().String(), "tensor/tensor_test.go:")
}
