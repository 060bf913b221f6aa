package host

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/gpu"
)

// TestSharedElementsEqualWalkedOnes computes the same numbers by several
// processors and by one: a window with gaps is walked.
func TestSharedElementsEqualWalkedOnes(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	for _, rows := range []int{1, fewElements / 64, 2*fewElements/64 + 1, 1000} {
		shape := []int{rows, 64}
		shared := gpu.Operand{Type: gpu.Float32, Shape: shape, Stride: []int{64, 1}}
		walked := gpu.Operand{Type: gpu.Float32, Shape: shape, Stride: []int{65, 1}}
		numbers := func(o gpu.Operand) []float64 {
			v := promise(gpu.Kernel{Name: "randn", Out: o, Seed: 7, Draw: 3}, kernels["randn"], nil, nil)
			return window{o, v.Bytes()}.numbers()
		}
		require.Equal(t, numbers(walked), numbers(shared), rows)
	}
}
