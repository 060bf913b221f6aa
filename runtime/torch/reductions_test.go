package torch_test

import (
	"fmt"
	"testing"
)

// TestReductions sums tensors of many shapes, each lying in four ways. Scratch
// memory depends on both.
func TestReductions(t *testing.T) {
	m := newTwin(t, "reductions")
	x, y := m.Var("x"), m.Var("y")
	for _, r := range reductions {
		for _, kind := range []string{"plain", "t", "double", "expand"} {
			x.Set(m.Cuda.Empty(r.shape...))
			switch {
			case kind == "t" && len(r.shape) == 2:
				x.Set(x.T())
			case kind == "double":
				x.Set(x.Double())
			case kind == "expand":
				ones := make([]int, len(r.shape))
				for i := range ones {
					ones[i] = 1
				}
				x.Set(m.Cuda.Empty(ones...).Expand(r.shape...))
			}
			name := kind + " " + tuple(r.shape)
			m.row(name + " x")
			y.Set(x.Sum(r.dims...))
			m.row(name + " sum " + r.label())
			m.Del(y, x)
			m.row(name + " del")
		}
	}
	m.end()
}

type reduction struct {
	shape []int
	dims  []int // none for all
}

// label spells the dimensions as Python does.
func (r reduction) label() string {
	switch len(r.dims) {
	case 0:
		return "None"
	case 1:
		return fmt.Sprint(r.dims[0])
	}
	return tuple(r.dims)
}

// tuple spells numbers as a Python tuple.
func tuple(n []int) string {
	if len(n) == 1 {
		return fmt.Sprintf("(%d,)", n[0])
	}
	text := "("
	for i, x := range n {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprint(x)
	}
	return text + ")"
}

var reductions = []reduction{
	{[]int{1000000}, nil}, {[]int{4096000}, nil}, {[]int{16777216}, nil}, {[]int{513}, nil}, {[]int{129}, nil},
	{[]int{4096, 1000}, []int{0}}, {[]int{4096, 1000}, []int{1}}, {[]int{4096, 1000}, nil}, {[]int{1024, 1000}, []int{0}},
	{[]int{1000, 1000}, []int{0}}, {[]int{1000, 1000}, []int{1}}, {[]int{256, 1000}, []int{0}},
	{[]int{100000, 7}, []int{0}}, {[]int{100000, 7}, []int{1}}, {[]int{7, 100000}, []int{0}}, {[]int{7, 100000}, []int{1}},
	{[]int{100000, 6}, []int{0}}, {[]int{100000, 8}, []int{0}}, {[]int{30000, 33}, []int{0}}, {[]int{33, 30000}, []int{1}},
	{[]int{3, 1000, 1000}, []int{0, 2}}, {[]int{3, 1000, 1000}, []int{1, 2}}, {[]int{3, 1000, 1000}, []int{0, 1}}, {[]int{3, 1000, 1000}, []int{1}},
	{[]int{1000, 3, 1000}, []int{0, 2}}, {[]int{1000, 3, 1000}, []int{0}},
	{[]int{64, 64, 64, 64}, []int{0, 2}}, {[]int{64, 64, 64, 64}, []int{1, 3}}, {[]int{64, 64, 64, 64}, []int{0, 1, 2}}, {[]int{64, 64, 64, 64}, []int{2, 3}},
	{[]int{1, 128}, []int{0}}, {[]int{128, 1}, []int{0}}, {[]int{1, 1000000}, []int{1}}, {[]int{1000000, 1}, []int{0}},
	{[]int{2, 500000}, []int{1}}, {[]int{2, 500000}, []int{0}}, {[]int{500000, 2}, []int{1}}, {[]int{500000, 2}, []int{0}},
	{[]int{16, 65536}, []int{1}}, {[]int{132, 8192}, []int{1}}, {[]int{1000, 4096}, []int{1}}, {[]int{2048, 2048}, []int{0, 1}},
	{[]int{1}, nil}, {[]int{5, 1, 100000}, []int{2}}, {[]int{5, 1, 100000}, []int{1, 2}},
}
