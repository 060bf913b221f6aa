package torch_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/torch"
)

// The device computes a value when somebody reads it. These tests read late.

func TestLateReads(t *testing.T) {
	m := newTorch(t)
	x := m.Let("x", m.Tensor([]float32{1, 2, 3, 4}, 2, 2).Cuda())
	y := m.Let("y", x.Mul(10))
	row := x.Index(0).Clone().Sum().Item()
	x.Add_(100)
	require.Equal(t, []float64{10, 20, 30, 40}, y.Values(), "x was changed after the product")
	require.Equal(t, 3.0, row.Float64())

	product := y.Sum().Item()
	y.Del()
	reused := m.Let("reused", m.Cuda.Full(-1, 2, 2))
	require.Equal(t, 100.0, product.Float64(), "the memory of y holds another tensor")
	require.Equal(t, []float64{-1, -1, -1, -1}, reused.Values())
	require.Equal(t, []float64{101, 102, 103, 104}, x.Values())
}

func TestNewMemoryDoesNotShowOldValues(t *testing.T) {
	m := newTorch(t)
	old := m.Let("old", m.Cuda.Full(7, 4))
	at := m.Cuda.MemorySnapshot()[0].Blocks[0].Address
	old.Del()
	fresh := m.Let("fresh", m.Cuda.Empty(4))
	require.Equal(t, at, m.Cuda.MemorySnapshot()[0].Blocks[0].Address)
	require.Equal(t, []float64{0, 0, 0, 0}, fresh.Values())
}

func TestViewsShareValues(t *testing.T) {
	for _, device := range []string{"cpu", "cuda"} {
		m := newTorch(t)
		x := m.Let("x", m.Zeros(3, 2))
		if device == "cuda" {
			x.Set(m.Cuda.Empty(3, 2)) // nobody has written it
		}
		row, column := m.Let("row", x.Index(1)), m.Let("column", x.T().Index(0))
		row.Add_(5)
		require.Equal(t, []float64{0, 0, 5, 5, 0, 0}, x.Values())
		column.Mul_(2).Add_(1)
		require.Equal(t, []float64{1, 0, 11, 5, 1, 0}, x.Values())
		require.Equal(t, []float64{11, 5}, row.Values())
		x.Zero_()
		require.Equal(t, []float64{0, 0, 0}, column.Values())
		tail := m.Let("tail", x.Slice(1, 3))
		x.Add_(1)
		require.Equal(t, []float64{1, 1, 1, 1}, tail.Values())
		flat := m.Let("flat", x.View(-1))
		flat.Sub_(m.OnesLike(flat))
		require.Equal(t, []float64{0, 0, 0, 0, 0, 0}, x.Values())
	}
}

// TestLongChains reads what a hundred thousand changes in place have left,
// none of which anybody read.
func TestLongChains(t *testing.T) {
	m := newTorch(t)
	host, device := m.Let("host", m.Zeros(2)), m.Let("device", m.Cuda.Full(0, 2))
	for range 100_000 {
		host.Add_(1)
		device.Add_(1)
	}
	require.Equal(t, []float64{100_000, 100_000}, host.Values())
	require.Equal(t, []float64{100_000, 100_000}, device.Values())

	// A value that hangs on two paths through the same past is computed
	// once: the number of paths doubles with every round.
	x := m.Let("x", m.Cuda.Full(1, 1))
	for range 64 {
		x.Set(x.Add(x).Div(2))
	}
	require.Equal(t, []float64{1}, x.Values())
}

// TestDeadTensorsKeepNoHostMemory reads many tensors, one after the other. What
// was read of a tensor goes with it.
func TestDeadTensorsKeepNoHostMemory(t *testing.T) {
	m := newTorch(t)
	const bytes = 4 << 20
	before := heap()
	x := m.Var("x")
	for range 64 {
		x.Set(m.Cuda.Full(1, bytes/4).Add(1))
		require.Equal(t, 2.0, x.Index(0).Item().Float64())
	}
	x.Del()
	require.Less(t, heap(), before+4*bytes, "64 tensors were read, and all are gone")
}

// heap returns the bytes of the heap that are in use.
func heap() uint64 {
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.HeapAlloc
}

// TestUnreadWorkIsCheap fills the device with work that nobody reads.
func TestUnreadWorkIsCheap(t *testing.T) {
	m := newTorch(t)
	before := heap()
	x := m.Let("x", m.Cuda.Randn(1<<15, 1<<15))
	for range 100 {
		x.Set(x.MatMul(x))
	}
	require.EqualValues(t, 4<<30, x.Bytes())
	require.Less(t, heap(), before+10<<20)
}

func TestEmptyTensors(t *testing.T) {
	m := newTorch(t)
	x := m.Let("x", m.Cuda.Randn(0, 3).RequiresGrad_())
	y := m.Let("y", x.Mul(2).Exp().MatMul(m.Cuda.Randn(3, 2)))
	require.Equal(t, []int{0, 2}, y.Shape())
	require.Empty(t, y.Values())
	sum := m.Let("sum", y.Sum())
	require.Equal(t, []float64{0}, sum.Values())
	sum.Backward()
	require.Equal(t, []int{0, 3}, x.Grad().Shape())
	require.Empty(t, m.Tensor(nil, 0).Cuda().Add(1).Values())
	empty := m.Let("empty", m.Cuda.Randn(2, 0))
	require.Equal(t, []float64{0, 0, 0, 0}, empty.MatMul(empty.T()).Values(), "sums of nothing")
}

func TestTypes(t *testing.T) {
	m := newTorch(t)
	i := m.Let("i", m.Cuda.FullOf(torch.Int64, 3, 2))
	for _, c := range []struct {
		name string
		got  *torch.Tensor
		want torch.DType
		at   float64
	}{
		{"i + 1", i.Add(1), torch.Int64, 4},
		{"i * 2", i.Mul(2), torch.Int64, 6},
		{"i + 0.5", i.Add(0.5), torch.Float32, 3.5},
		{"i / 2", i.Div(2), torch.Float32, 1.5},
		{"i.exp()", i.Exp(), torch.Float32, 20.085536923187668},
		{"i.sum()", i.Sum(), torch.Int64, 6},
		{"i + double", i.Add(m.Cuda.FullOf(torch.Float64, 0.25, 2)), torch.Float64, 3.25},
		{"i * float", i.Mul(m.Cuda.Full(0.5, 2)), torch.Float32, 1.5},
		{"float * double number", m.Cuda.Full(0.5, 2).Mul(m.Cuda.FullOf(torch.Float64, 3)), torch.Float32, 1.5},
		{"bool + 1", m.Cuda.FullOf(torch.Bool, 1, 2).Add(1), torch.Int64, 2},
		{"bool.sum()", m.Cuda.FullOf(torch.Bool, 1, 2).Sum(), torch.Int64, 2},
		{"uint8 * 2", m.Cuda.FullOf(torch.Uint8, 100, 2).Mul(2), torch.Uint8, 200},
	} {
		x := m.Let(c.name, c.got)
		require.Equal(t, c.want, x.DType(), c.name)
		require.InDelta(t, c.at, x.Values()[0], 1e-5, c.name)
	}
}

// TestRandomNumbers repeats what the seed repeats and nothing else.
func TestRandomNumbers(t *testing.T) {
	m := newTorch(t)
	draw := func(seed uint64) [][]float64 {
		m.ManualSeed(seed)
		return [][]float64{m.Randn(50).Values(), m.Rand(50).Values(), m.Cuda.Randn(50).Values(), m.Ones(50).Dropout(0.5).Values()}
	}
	first := draw(1)
	require.Equal(t, first, draw(1))
	require.NotEqual(t, first, draw(2))
	require.NotEqual(t, first[0], m.Randn(50).Values())

	kept := m.Ones(100_000).Dropout(0.25).Mean().Item().Float64()
	require.InDelta(t, 1, kept, 0.01, "dropout keeps the mean")
	require.InDelta(t, 0, m.Randn(100_000).Mean().Item().Float64(), 0.02)
	require.InDelta(t, 1, m.Randn(100_000).Pow(2).Mean().Item().Float64(), 0.02)
	require.InDelta(t, 0.5, m.Rand(100_000).Mean().Item().Float64(), 0.01)
}
