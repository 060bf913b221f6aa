//go:build cuda

package kernels_test

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/cuda"
	"github.com/torchmem/workbook/runtime/gpu/cuda/fakecuda"
	"github.com/torchmem/workbook/runtime/gpu/drivertest"
	"github.com/torchmem/workbook/runtime/host"
)

// The tests of this file run on a real GPU.

// openDevice opens the first GPU for a test.
func openDevice(t testing.TB) gpu.Driver {
	t.Helper()
	if fakecuda.Loaded() {
		t.Skip("the fake driver runs no kernel")
	}
	d, err := cuda.Open(cuda.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}

// TestDevice runs the suite.
func TestDevice(t *testing.T) {
	drivertest.Kernels(t, func(t *testing.T) gpu.Driver { return openDevice(t) })
}

// window shows memory from an offset on, at equal steps.
func window(p gpu.Ptr, kind gpu.DType, n, step, offset int) gpu.Operand {
	return gpu.Operand{Base: p, Type: kind, Shape: []int{n}, Stride: []int{step}, Offset: offset}
}

// TestDeviceCountsBeyondTwoBillion writes and reads more elements than 32 bits
// can number.
func TestDeviceCountsBeyondTwoBillion(t *testing.T) {
	const n = 5<<30 + 17
	d := openDevice(t)
	p, err := d.Malloc(n)
	if err != nil {
		t.Skipf("no room for %d bytes: %v", n, err)
	}
	out, err := d.Malloc(8)
	require.NoError(t, err)
	launch := func(k gpu.Kernel) { require.NoError(t, d.Launch(k, 0)) }
	launch(gpu.Kernel{Name: "fill", Out: window(p, gpu.Uint8, n, 1, 0), Scalars: []float64{1}})
	launch(gpu.Kernel{Name: "add_scalar", Out: window(p, gpu.Uint8, 5, 1<<30, 16), In: []gpu.Operand{window(p, gpu.Uint8, 5, 1<<30, 16)}, Scalars: []float64{1}})
	launch(gpu.Kernel{Name: "fill", Out: window(p, gpu.Uint8, 3, 1, n-3), Scalars: []float64{100}})
	total := window(out, gpu.Int64, 1, 1, 0)
	launch(gpu.Kernel{Name: "sum", Out: total, In: []gpu.Operand{window(p, gpu.Uint8, n, 1, 0)}, Scalars: []float64{1}})
	a, err := d.Download(out, 8, 0)
	require.NoError(t, err)
	require.Equal(t, []float64{n + 5 + 3*99}, host.Read(a, total))
}

// inChild is set in the process that is to be lost.
const inChild = "TORCHMEM_TEST_WRONG_CLASS"

// TestDeviceStopsAtAWrongClass reads a class that does not exist. PyTorch's
// kernel has an assertion there, and this one stops too: the process is lost, so
// it is another one.
func TestDeviceStopsAtAWrongClass(t *testing.T) {
	if os.Getenv(inChild) != "" {
		d := openDevice(t)
		p, err := d.Malloc(64)
		require.NoError(t, err)
		class := window(p, gpu.Int64, 1, 1, 4)
		require.NoError(t, d.Launch(gpu.Kernel{Name: "fill", Out: class, Scalars: []float64{3}}, 0))
		table := gpu.Operand{Base: p, Shape: []int{1, 3}, Stride: []int{3, 1}}
		require.NoError(t, d.Launch(gpu.Kernel{Name: "nll_loss", Out: window(p, gpu.Float32, 1, 1, 15), In: []gpu.Operand{table, class}}, 0))
		var fault *cuda.FaultError
		require.ErrorAs(t, d.Synchronize(), &fault)
		t.Log(fault)
		os.Exit(0) // closing would only say it again
	}
	if fakecuda.Loaded() {
		t.Skip("the fake driver runs no kernel")
	}
	child := exec.Command(os.Args[0], "-test.run=^TestDeviceStopsAtAWrongClass$")
	child.Env = append(os.Environ(), inChild+"=1")
	said, err := child.CombinedOutput()
	require.NoError(t, err, "%s", said)
}

// takeFilled returns memory for n numbers, each of them one.
func takeFilled(b *testing.B, d gpu.Driver, kind gpu.DType, n int) gpu.Ptr {
	b.Helper()
	p, err := d.Malloc(int64(n) * kind.Size())
	require.NoError(b, err)
	require.NoError(b, d.Launch(gpu.Kernel{Name: "fill", Out: window(p, kind, n, 1, 0), Scalars: []float64{1}}, 0))
	return p
}

// repeat launches a kernel over and over.
func repeat(b *testing.B, d gpu.Driver, k gpu.Kernel) {
	require.NoError(b, d.Launch(k, 0))
	require.NoError(b, d.Synchronize())
	b.ResetTimer()
	for range b.N {
		require.NoError(b, d.Launch(k, 0))
	}
	require.NoError(b, d.Synchronize())
}

// BenchmarkMatmul multiplies square matrices.
func BenchmarkMatmul(b *testing.B) {
	for _, kind := range []gpu.DType{gpu.Float32, gpu.Float64} {
		for _, n := range []int{512, 1000, 4096} {
			b.Run(fmt.Sprintf("%s/%d", kind, n), func(b *testing.B) {
				d := openDevice(b)
				matrix := func() gpu.Operand {
					return gpu.Operand{Base: takeFilled(b, d, kind, n*n), Type: kind, Shape: []int{n, n}, Stride: []int{n, 1}}
				}
				repeat(b, d, gpu.Kernel{Name: "matmul", Out: matrix(), In: []gpu.Operand{matrix(), matrix()}})
				b.ReportMetric(2*float64(n)*float64(n)*float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e12, "TFLOP/s")
			})
		}
	}
}

// BenchmarkMemory maps and folds tensors of 2^26 elements.
func BenchmarkMemory(b *testing.B) {
	const n = 1 << 26
	d := openDevice(b)
	x, y, z := takeFilled(b, d, gpu.Float32, n), takeFilled(b, d, gpu.Float32, n), takeFilled(b, d, gpu.Float32, n)
	whole := func(p gpu.Ptr) gpu.Operand { return window(p, gpu.Float32, n, 1, 0) }
	table := func(p gpu.Ptr) gpu.Operand {
		return gpu.Operand{Base: p, Shape: []int{n >> 10, 1 << 10}, Stride: []int{1 << 10, 1}}
	}
	turned := gpu.Operand{Base: x, Shape: []int{1 << 13, 1 << 13}, Stride: []int{1, 1 << 13}}
	square := gpu.Operand{Base: z, Shape: []int{1 << 13, 1 << 13}, Stride: []int{1 << 13, 1}}
	columns := gpu.Operand{Base: z, Shape: []int{1, 1 << 10}, Stride: []int{1 << 10, 1}}
	rows := gpu.Operand{Base: z, Shape: []int{n >> 10, 1}, Stride: []int{1, 1}}
	one := []float64{1}
	for _, test := range []struct {
		name string
		k    gpu.Kernel
		size int // of what is read and written, in elements
	}{
		{"add", gpu.Kernel{Name: "add", Out: whole(z), In: []gpu.Operand{whole(x), whole(y)}}, 3 * n},
		{"exp", gpu.Kernel{Name: "exp", Out: whole(z), In: []gpu.Operand{whole(x)}}, 2 * n},
		{"gelu", gpu.Kernel{Name: "gelu", Out: whole(z), In: []gpu.Operand{whole(x)}}, 2 * n},
		{"randn", gpu.Kernel{Name: "randn", Out: whole(z)}, n},
		{"transpose", gpu.Kernel{Name: "copy", Out: square, In: []gpu.Operand{turned}}, 2 * n},
		{"softmax", gpu.Kernel{Name: "softmax", Out: table(z), In: []gpu.Operand{table(x)}}, 2 * n},
		{"sum of rows", gpu.Kernel{Name: "sum", Out: rows, In: []gpu.Operand{table(x)}, Scalars: one}, n},
		{"sum of columns", gpu.Kernel{Name: "sum", Out: columns, In: []gpu.Operand{table(x)}, Scalars: one}, n},
		{"sum of all", gpu.Kernel{Name: "sum", Out: window(z, gpu.Float32, 1, 1, 0), In: []gpu.Operand{whole(x)}, Scalars: one}, n},
	} {
		b.Run(test.name, func(b *testing.B) {
			b.SetBytes(int64(test.size) * 4)
			repeat(b, d, test.k)
		})
	}
}
