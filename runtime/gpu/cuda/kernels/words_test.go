package kernels

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/torchmem/workbook/runtime/gpu"
)

// The tests of this file read the words of a launch as words.cuh does, and
// compare the addresses that threads would touch with those of the windows.

// reader takes words from the front.
type reader struct{ words []uint64 }

func (r *reader) next() uint64 {
	w := r.words[0]
	r.words = r.words[1:]
	return w
}

// shapeWords is SHAPE.
type shapeWords struct {
	count, form uint64
	size        []uint64
}

func (r *reader) shape() shapeWords {
	s := shapeWords{count: r.next(), form: r.next()}
	for range rank {
		s.size = append(s.size, r.next())
	}
	return s
}

// operandWords is OPERAND.
type operandWords struct {
	first  uint64
	stride []int64
}

func (r *reader) operand() operandWords {
	o := operandWords{first: r.next()}
	for range rank {
		o.stride = append(o.stride, int64(r.next()))
	}
	return o
}

// kind returns the type of the n-th operand.
func (s shapeWords) kind(n int) uint64 { return s.form >> (8 * (n + 1)) & 255 }

// address returns where the i-th element of an operand of so many bytes lies.
func (s shapeWords) address(o operandWords, i uint64, size int64) uint64 {
	dimensions, at := int(s.form&255), int64(0)
	for d := range dimensions {
		index := i
		if d+1 < dimensions {
			index, i = i%s.size[d], i/s.size[d]
		}
		at += int64(index) * o.stride[d]
	}
	return o.first + uint64(at*size)
}

// addresses lists the addresses of a window in row-major order.
func addresses(o gpu.Operand) []uint64 {
	list := []int{o.Offset}
	for d, n := range o.Shape {
		var next []int
		for _, at := range list {
			for i := range n {
				next = append(next, at+i*o.Stride[d])
			}
		}
		list = next
	}
	var out []uint64
	for _, at := range list {
		out = append(out, uint64(o.Base)+uint64(int64(at)*o.Type.Size()))
	}
	return out
}

// anyOperand draws a window of a shape on memory of its own. Strides are
// anything, also what no tensor has.
func anyOperand(t *rapid.T, label string, base gpu.Ptr, shape []int) gpu.Operand {
	o := gpu.Operand{Base: base, Type: gpu.DType(rapid.IntRange(0, 4).Draw(t, label+" type")), Shape: shape}
	step := 1
	for range shape {
		o.Stride = append(o.Stride, 0)
	}
	order := rapid.Permutation(counting(len(shape))).Draw(t, label+" order")
	for i := len(order) - 1; i >= 0; i-- {
		d := order[i]
		o.Stride[d] = step * rapid.SampledFrom([]int{1, 1, 1, 1, 0, 2, -1}).Draw(t, label+" stride")
		step *= max(1, shape[d])
	}
	o.Offset = rapid.SampledFrom([]int{0, 0, 5, 3 << 31}).Draw(t, label+" offset")
	return o
}

func counting(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

func anyShape(t *rapid.T) []int {
	return rapid.SliceOfN(rapid.SampledFrom([]int{1, 1, 2, 3, 4}), 0, 6).Draw(t, "shape")
}

// tuples lists the addresses of all operands for each element.
func tuples(operands ...gpu.Operand) [][]uint64 {
	var out [][]uint64
	for _, o := range operands {
		for i, a := range addresses(o) {
			if i == len(out) {
				out = append(out, nil)
			}
			out[i] = append(out[i], a)
		}
	}
	return out
}

// only requires one step that has as many words as its function takes.
func only(t require.TestingT, counted map[string]int, k gpu.Kernel) Step {
	steps, err := Plan(k)
	require.NoError(t, err)
	require.Len(t, steps, 1)
	require.Contains(t, counted, steps[0].Function)
	require.Len(t, steps[0].Words, counted[steps[0].Function], steps[0].Function)
	return steps[0]
}

func TestPointwiseWords(t *testing.T) {
	counted := parameters(t)
	rapid.Check(t, func(t *rapid.T) {
		shape := anyShape(t)
		k := gpu.Kernel{Name: "where", Out: anyOperand(t, "out", 1<<40, shape)}
		for i, label := range []string{"condition", "a", "b"} {
			k.In = append(k.In, anyOperand(t, label, gpu.Ptr(i+2)<<40, shape))
		}
		step := only(t, counted, k)
		require.Equal(t, "pointwise3", step.Function)
		r := reader{step.Words}
		require.Equal(t, "where", forms[r.next()].name)
		s, all := r.shape(), append([]gpu.Operand{k.Out}, k.In...)
		var windows []operandWords
		for i := range all {
			windows = append(windows, r.operand())
			require.EqualValues(t, all[i].Type, s.kind(i))
		}
		require.GreaterOrEqual(t, uint64(step.Grid[0]*step.Block[0]), s.count)
		var got [][]uint64
		for i := range s.count {
			var tuple []uint64
			for j, w := range windows {
				tuple = append(tuple, s.address(w, i, all[j].Type.Size()))
			}
			got = append(got, tuple)
		}
		require.ElementsMatch(t, tuples(all...), got)
	})
}

// TestDrawWords wants the elements in row-major order: each has a draw of its
// own.
func TestDrawWords(t *testing.T) {
	counted := parameters(t)
	rapid.Check(t, func(t *rapid.T) {
		k := gpu.Kernel{Name: "bernoulli", Out: anyOperand(t, "out", 1<<40, anyShape(t)), Scalars: []float64{0.25}, Seed: 7, Draw: 1 << 60}
		r := reader{only(t, counted, k).Words}
		require.Equal(t, "bernoulli", forms[r.next()].name)
		s, out := r.shape(), r.operand()
		for i, want := range addresses(k.Out) {
			require.Equal(t, want, s.address(out, uint64(i), k.Out.Type.Size()))
		}
		require.Equal(t, []uint64{math.Float64bits(0.25), 7, 1 << 60}, r.words)
	})
}

func TestReductionWords(t *testing.T) {
	counted := parameters(t)
	rapid.Check(t, func(t *rapid.T) {
		shape := anyShape(t)
		wide := slices.Clone(shape)
		for d := range wide {
			if rapid.Bool().Draw(t, "fold") {
				wide[d] = 1
			}
		}
		k := gpu.Kernel{Name: "sum", Out: anyOperand(t, "out", 1<<40, wide), In: []gpu.Operand{anyOperand(t, "in", 2<<40, shape)}, Scalars: []float64{3}}
		step := only(t, counted, k)
		requireColumns(t, step)

		shown := k.Out // the output, stretched to the input's shape
		shown.Shape, shown.Stride = shape, slices.Clone(k.Out.Stride)
		for d := range shape {
			if wide[d] != shape[d] {
				shown.Stride[d] = 0
			}
		}
		r := reader{step.Words}
		require.Equal(t, "sum", forms[r.next()].name)
		kept, out, in, line, along := r.shape(), r.operand(), r.operand(), r.shape(), r.operand()
		require.Equal(t, []uint64{math.Float64bits(3)}, r.words)
		require.Equal(t, in.first, along.first)
		require.GreaterOrEqual(t, uint64(step.Grid[0]*step.Block[0]), kept.count)
		var got [][]uint64
		for i := range kept.count {
			start := kept.address(in, i, k.In[0].Type.Size())
			for j := range line.count {
				here := line.address(along, j, k.In[0].Type.Size()) - along.first
				got = append(got, []uint64{kept.address(out, i, k.Out.Type.Size()), start + here})
			}
		}
		require.ElementsMatch(t, tuples(shown, k.In[0]), got)
	})
}

// requireColumns holds a block against what fold.cuh takes for granted.
func requireColumns(t require.TestingT, s Step) {
	threads := s.Block[0] * s.Block[1]
	require.LessOrEqual(t, threads, maxColumnThreads)
	require.Equal(t, s.Block[1], powerFrom(s.Block[1]), "threads are folded by halves")
	require.Zero(t, s.Shared)
}

func TestRowWords(t *testing.T) {
	counted := parameters(t)
	rapid.Check(t, func(t *rapid.T) {
		shape := append(anyShape(t), rapid.IntRange(1, 40).Draw(t, "length"))
		k := gpu.Kernel{Name: "softmax", Out: anyOperand(t, "out", 1<<40, shape), In: []gpu.Operand{anyOperand(t, "in", 2<<40, shape)}}
		step := only(t, counted, k)
		requireColumns(t, step)
		r := reader{step.Words}
		require.Equal(t, "softmax", forms[r.next()].name)
		s, length := r.shape(), r.next()
		out, outStep := r.operand(), int64(r.next())
		in, inStep := r.operand(), int64(r.next())
		require.EqualValues(t, shape[len(shape)-1], length)
		var got [][]uint64
		for i := range s.count {
			for j := range length {
				got = append(got, []uint64{
					s.address(out, i, k.Out.Type.Size()) + uint64(int64(j)*outStep*k.Out.Type.Size()),
					s.address(in, i, k.In[0].Type.Size()) + uint64(int64(j)*inStep*k.In[0].Type.Size()),
				})
			}
		}
		require.ElementsMatch(t, tuples(k.Out, k.In[0]), got)
	})
}
