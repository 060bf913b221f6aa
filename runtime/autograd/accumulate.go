package autograd

import "github.com/torchmem/workbook/runtime/tensor"

// addGrad adds a gradient, which the caller keeps, to the leaf's.
//
// The first gradient is not copied: the leaf takes it over where nobody else
// holds it and its elements lie as the leaf's do. Later ones are added in
// place. So accumulation costs one gradient, however many passes there are.
func (t *Tensor) addGrad(g *tensor.Tensor) {
	switch {
	case t.grad != nil:
		tensor.Update2("add", t.grad.raw, g)
	case g.References() == 1 && sameLayout(g, t.raw):
		t.setGrad(t.ctx.handle(g))
	default:
		t.setGrad(t.ctx.Wrap(tensor.CloneLike(g, t.raw)))
	}
}

// sameLayout reports whether the gradient lies as its leaf should like: with
// the leaf's strides, dimensions of one element aside, or in row-major order
// where the leaf has gaps.
func sameLayout(g, leaf *tensor.Tensor) bool {
	if !leaf.Dense() {
		return g.Contiguous()
	}
	for d, n := range g.Shape() {
		step := g.Stride()[d]
		if n != 1 && step != leaf.Stride()[d] {
			return false
		}
		if n == 1 && step == 0 {
			return false // it was stretched: others see its storage
		}
	}
	return true
}
