package kernels

import "fmt"

// threads is the size of a block where each thread works for itself.
const threads = 256

// pointwise plans a kernel that makes each element from those at the same place.
// Since each stands for itself, they are visited as the output lies.
func pointwise(l launch) ([]Step, error) {
	g, err := newGroup(l.Out.Shape, append([]operand{l.Out}, l.In...)...)
	if err != nil {
		return nil, err
	}
	return l.mapped(g.ordered().joined())
}

// draw plans a kernel of random numbers, whose elements have a fixed order.
func draw(l launch) ([]Step, error) {
	g, err := newGroup(l.Out.Shape, l.Out)
	if err != nil {
		return nil, err
	}
	return l.mapped(g.joined())
}

// mapped launches the function for that many inputs.
func (l launch) mapped(g group) ([]Step, error) {
	words, err := g.words()
	if err != nil {
		return nil, err
	}
	function := fmt.Sprint("pointwise", len(l.In))
	switch {
	case l.Name == "layer_norm" && len(l.In) == 5:
		function = "layer_norm_affine"
	case len(l.In) == 0:
		words = append([]uint64{l.number}, append(words, l.scalar(), l.Seed, l.Draw)...)
	default:
		words = append([]uint64{l.number}, append(words, l.scalar())...)
	}
	return steps(function, g.count(), threads, [3]int{threads, 1, 1}, words)
}
