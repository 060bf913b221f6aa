package host

import (
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/gpu"
)

// vector shows n float32 elements at a place, step apart.
func vector(base gpu.Ptr, n, step, offset int) gpu.Operand {
	return gpu.Operand{Base: base, Shape: []int{n}, Stride: []int{step}, Offset: offset}
}

func launch(t *testing.T, m *Machine, kernel string, out gpu.Operand, scalars []float64, in ...gpu.Operand) {
	t.Helper()
	require.NoError(t, m.Launch(gpu.Kernel{Name: kernel, Out: out, In: in, Scalars: scalars}, 0))
}

func read(t *testing.T, m *Machine, o gpu.Operand) []float64 {
	t.Helper()
	a, err := m.Download(o.Base, Extent(o), 0)
	require.NoError(t, err)
	return Read(a, o)
}

func TestMemoryThatNobodyWroteIsZero(t *testing.T) {
	m := New()
	require.Equal(t, []float64{0, 0, 0}, read(t, m, vector(64, 3, 1, 0)))
	launch(t, m, "fill", vector(64, 1, 1, 1), []float64{5})
	require.Equal(t, []float64{0, 5, 0, 0}, read(t, m, vector(64, 4, 1, 0)), "a part was written, the whole is read")
	launch(t, m, "fill", vector(64, 2, 2, 0), []float64{7})
	require.Equal(t, []float64{7, 5, 7, 0}, read(t, m, vector(64, 4, 1, 0)), "every other element")
	m.Discard(64)
	require.Equal(t, []float64{0, 0, 0, 0}, read(t, m, vector(64, 4, 1, 0)))
	require.Empty(t, m.cells)
}

func TestKernelsReadWhatWasThereWhenTheyWereLaunched(t *testing.T) {
	m := New()
	x, y := vector(64, 2, 1, 0), vector(128, 2, 1, 0)
	require.NoError(t, m.Upload(x.Base, FromFloat32([]float32{1, 2}), 0))
	launch(t, m, "mul_scalar", y, []float64{10}, x)
	launch(t, m, "add_scalar", x, []float64{1}, x)
	launch(t, m, "add", x, nil, x, x)
	m.Discard(x.Base)
	require.Equal(t, []float64{10, 20}, read(t, m, y))
}

func TestUnknownKernel(t *testing.T) {
	err := New().Launch(gpu.Kernel{Name: "bogus", Out: vector(64, 1, 1, 0)}, 0)
	require.EqualError(t, err, `no kernel "bogus"`)
}

// TestReadersShareOneComputation reads one promise from many goroutines.
func TestReadersShareOneComputation(t *testing.T) {
	m := New()
	x := vector(64, 1000, 1, 0)
	for range 1000 {
		launch(t, m, "add_scalar", x, []float64{1}, x)
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			a, err := m.Download(x.Base, Extent(x), 0)
			if err != nil || Read(a, x)[999] != 1000 {
				t.Error("wrong value")
			}
		})
	}
	wait.Wait()
}

// TestComputedValuesForgetTheirPast checks that a value which was read holds no
// other.
func TestComputedValuesForgetTheirPast(t *testing.T) {
	m := New()
	x := vector(64, 4, 1, 0)
	launch(t, m, "add_scalar", x, []float64{1}, x)
	launch(t, m, "add_scalar", x, []float64{1}, x)
	require.NotEmpty(t, m.cells[64].inputs)
	read(t, m, x)
	require.Empty(t, m.cells[64].inputs)
	require.Nil(t, m.cells[64].compute)
}

func TestWhatIsNoNumber(t *testing.T) {
	nan := math.NaN()
	require.True(t, math.IsNaN(relu(nan)), "torch.relu(nan) is nan")
	require.True(t, math.IsNaN(sign(nan)))
	require.True(t, math.IsNaN(clampMax(nan, 1)))
	m := New()
	x := vector(64, 3, 1, 0)
	require.NoError(t, m.Upload(x.Base, FromFloat32([]float32{1, float32(nan), 3}), 0))
	launch(t, m, "max", vector(128, 1, 1, 0), nil, x)
	require.True(t, math.IsNaN(read(t, m, vector(128, 1, 1, 0))[0]))
}

// TestSoftmaxOfLargeNumbers would overflow without the shift by the largest.
func TestSoftmaxOfLargeNumbers(t *testing.T) {
	m := New()
	x, y := vector(64, 2, 1, 0), vector(128, 2, 1, 0)
	require.NoError(t, m.Upload(x.Base, FromFloat32([]float32{1000, 1000}), 0))
	launch(t, m, "softmax", y, nil, x)
	require.Equal(t, []float64{0.5, 0.5}, read(t, m, y))
	launch(t, m, "log_softmax", y, nil, x)
	require.InDelta(t, -math.Ln2, read(t, m, y)[0], 1e-6)
}

func TestSlicesOfArrays(t *testing.T) {
	a := FromFloat32([]float32{1, 2, 3, 4})
	require.Same(t, a, Slice(a, 0, 16))
	part := Slice(a, 4, 8)
	require.EqualValues(t, 8, part.Len())
	require.Equal(t, []float64{2, 3}, Read(part, vector(0, 2, 1, 0)))
}
