package kernels

import "fmt"

// words returns the words of a joined group: SHAPE and then OPERAND for each
// window, as words.cuh declares them.
func (g group) words() ([]uint64, error) {
	all, err := g.shapeWords()
	if err != nil {
		return nil, err
	}
	for i := range g.windows {
		all = append(all, g.operandWords(i)...)
	}
	return all, nil
}

// shapeWords returns the number of elements, the form, and the sizes.
func (g group) shapeWords() ([]uint64, error) {
	if len(g.size) > rank {
		return nil, fmt.Errorf("windows of %d dimensions that cannot be joined, and %d is the most", len(g.size), rank)
	}
	return append([]uint64{uint64(g.count()), g.form()}, padded(g.size)...), nil
}

// form packs the rank and the types into one word, a byte for each.
func (g group) form() uint64 {
	form := uint64(len(g.size))
	for i, w := range g.windows {
		form |= w.kind << (8 * (i + 1))
	}
	return form
}

// operandWords returns the address of a window's first element and its strides.
func (g group) operandWords(i int) []uint64 {
	return append([]uint64{g.windows[i].first}, padded(g.windows[i].stride)...)
}

// padded returns the numbers as words, as many as there are dimensions at most.
func padded(list []int) []uint64 {
	out := make([]uint64, rank)
	for i, n := range list {
		out[i] = uint64(n)
	}
	return out
}

// wordsOf turns numbers, which may be negative, into words.
func wordsOf(list ...int) []uint64 {
	out := make([]uint64, len(list))
	for i, n := range list {
		out[i] = uint64(n)
	}
	return out
}
