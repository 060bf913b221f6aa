package drivertest

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/torchmem/workbook/runtime/gpu"
)

// maker makes random trials.
type maker struct {
	*rand.Rand
	trial
}

// domain draws the numbers of an operand.
type domain func(*rand.Rand) float64

// chance is true once in n times.
func (m *maker) chance(n int) bool { return m.IntN(n) == 0 }

// one draws one of the list.
func one[T any](m *maker, list ...T) T { return list[m.IntN(len(list))] }

// shape draws a shape of any rank up to six.
func (m *maker) shape() []int {
	switch m.IntN(8) {
	case 0:
		return []int{}
	case 1:
		return []int{1 + m.IntN(20000)}
	}
	shape := make([]int, 1+m.IntN(6))
	left := 3000
	for d := range shape {
		shape[d] = 1 + m.IntN(min(left, 9))
		left /= shape[d]
	}
	if m.chance(12) {
		shape[m.IntN(len(shape))] = 0
	}
	return shape
}

// table draws a shape of two dimensions whose sizes have different magnitudes.
func (m *maker) table() []int { return []int{m.size(), m.size()} }

// size draws a size: mostly small, sometimes too large for one round of a block.
func (m *maker) size() int {
	return one(m, 1, 1+m.IntN(8), 1+m.IntN(70), 1+m.IntN(300))
}

// lay draws a dense layout of a shape, in any order of dimensions, or one with
// gaps. It returns the strides and the offset.
func (m *maker) lay(shape []int) (stride []int, offset int) {
	order := make([]int, len(shape)) // fastest first
	for i := range order {
		order[i] = len(shape) - 1 - i
	}
	if m.chance(3) {
		m.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	gaps := m.chance(3)
	stride = make([]int, len(shape))
	step := 1
	for _, d := range order {
		if gaps && m.chance(3) {
			step *= 2
		}
		stride[d] = step
		step *= max(1, shape[d])
		if gaps && m.chance(3) {
			step++
		}
	}
	if m.chance(3) {
		offset = m.IntN(9)
	}
	return stride, offset
}

// window makes a piece of memory that fits a layout, with something behind it,
// and returns the operand.
func (m *maker) window(kind gpu.DType, shape, stride []int, offset int, draw domain) gpu.Operand {
	last := offset
	for d, n := range shape {
		last += max(0, n-1) * stride[d]
	}
	p := piece{kind, make([]float64, last+1+m.IntN(4))}
	for i := range p.numbers {
		p.numbers[i] = drawn(kind, draw(m.Rand))
	}
	m.memory = append(m.memory, p)
	return gpu.Operand{Base: gpu.Ptr(len(m.memory)), Type: kind, Shape: shape, Stride: stride, Offset: offset}
}

// drawn makes a number one of the type.
func drawn(kind gpu.DType, x float64) float64 {
	if whole(kind) && math.IsNaN(x) {
		return 0
	}
	switch kind {
	case gpu.Float64:
		return x
	case gpu.Float32:
		return float64(float32(x))
	case gpu.Int64:
		return math.Round(x) + 0 // no negative zero
	case gpu.Uint8:
		return min(255, math.Round(math.Abs(x)))
	}
	if math.Abs(x) > 0.7 {
		return 1
	}
	return 0
}

// output makes an operand that is written.
func (m *maker) output(kind gpu.DType, shape []int) gpu.Operand {
	stride, offset := m.lay(shape)
	return m.window(kind, shape, stride, offset, normal)
}

// dense makes an operand without gaps in row-major order.
func (m *maker) dense(kind gpu.DType, shape []int) gpu.Operand {
	return m.window(kind, shape, rowMajor(shape), 0, normal)
}

// rowMajor returns the strides of elements without gaps.
func rowMajor(shape []int) []int {
	stride, step := make([]int, len(shape)), 1
	for d := len(shape) - 1; d >= 0; d-- {
		stride[d], step = step, step*max(1, shape[d])
	}
	return stride
}

// input makes an operand that is read. Some of its dimensions may be stretched,
// and all of them may be one number of host memory.
func (m *maker) input(kind gpu.DType, shape []int, draw domain) gpu.Operand {
	narrow := slices.Clone(shape)
	if m.chance(3) {
		for d := range narrow {
			if m.chance(2) {
				narrow[d] = min(1, shape[d])
			}
		}
	}
	stride, offset := m.lay(narrow)
	for d := range stride {
		if narrow[d] != shape[d] {
			stride[d] = 0
		}
	}
	return m.window(kind, shape, stride, offset, draw)
}

// argument makes an input that may be a number of host memory.
func (m *maker) argument(kind gpu.DType, shape []int, draw domain) gpu.Operand {
	if !m.chance(6) {
		return m.input(kind, shape, draw)
	}
	number := piece{kind, []float64{drawn(kind, draw(m.Rand))}}.encode()
	return gpu.Operand{Type: kind, Shape: shape, Stride: make([]int, len(shape)), Number: number}
}

// sprinkle puts some of the numbers into the memory that is read.
func (m *maker) sprinkle(numbers []float64) {
	for _, in := range m.kernel.In {
		if in.Number != nil || (in.Type != gpu.Float32 && in.Type != gpu.Float64) {
			continue
		}
		list := m.at(in).numbers
		for range 1 + len(list)/20 {
			list[m.IntN(len(list))] = drawn(in.Type, one(m, numbers...))
		}
	}
}

func normal(r *rand.Rand) float64 { return r.NormFloat64() }

func wideNormal(r *rand.Rand) float64 { return 4 * r.NormFloat64() }

func positive(r *rand.Rand) float64 { return math.Exp(2 * r.NormFloat64()) }

// angles are mostly small, and sometimes very large.
func angles(r *rand.Rand) float64 {
	if r.IntN(20) == 0 {
		return math.Exp(60 * r.NormFloat64())
	}
	return 10 * r.NormFloat64()
}

// doubtful draws what is no number, every other time.
func doubtful(r *rand.Rand) float64 {
	if r.IntN(2) == 0 {
		return math.NaN()
	}
	return r.NormFloat64()
}

// small draws whole numbers, so that some are equal.
func small(r *rand.Rand) float64 { return float64(r.IntN(5) - 2) }
