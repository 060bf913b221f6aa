package autograd

import "github.com/torchmem/workbook/runtime/tensor"

// MatMul is t @ other for two matrices, or for a matrix and a vector. It keeps
// each factor that the other's gradient needs.
func (t *Tensor) MatMul(other Value) *Tensor {
	b := ValueOf(other)
	t.check()
	b.check()
	switch dims := [2]int{len(t.raw.Shape()), len(b.raw.Shape())}; {
	case dims == [2]int{2, 2}:
		return t.mm(b)
	case dims == [2]int{2, 1}:
		return t.mv(b)
	case dims[0] == 0 || dims[1] == 0:
		tensor.Raise("both arguments to matmul need to be at least 1D, but they are %dD and %dD", dims[0], dims[1])
	default:
		tensor.Raise("matmul of a %dD and a %dD tensor is not part of this workbook", dims[0], dims[1])
	}
	return nil
}

func (t *Tensor) mm(b *Tensor) *Tensor {
	return apply("MmBackward0", []*Tensor{t, b}, func(o *operator) *tensor.Tensor {
		second, first := o.saveFor(0, 1), o.saveFor(1, 0)
		left, right := leftRule(t.raw), rightRule(b.raw)
		o.backward(func(p *Pass, g *tensor.Tensor) {
			b, a := p.open(second), p.open(first)
			p.want(1, func() *tensor.Tensor { return right(g, a) })
			p.want(0, func() *tensor.Tensor { return left(g, b) })
		})
		return tensor.MatMul(t.raw, b.raw)
	})
}

func (t *Tensor) mv(b *Tensor) *Tensor {
	return apply("MvBackward0", []*Tensor{t, b}, func(o *operator) *tensor.Tensor {
		vector, matrix := o.saveFor(0, 1), o.saveFor(1, 0)
		o.backward(func(p *Pass, g *tensor.Tensor) {
			b, a := p.open(vector), p.open(matrix)
			p.want(0, func() *tensor.Tensor { return outer(g, b) })
			p.want(1, func() *tensor.Tensor {
				return withT(a, func(at *tensor.Tensor) *tensor.Tensor { return tensor.MatVec(at, g) })
			})
		})
		return tensor.MatVec(t.raw, b.raw)
	})
}

// outer is the matrix of all products of two vectors' elements.
func outer(a, b *tensor.Tensor) *tensor.Tensor {
	column := tensor.Unsqueeze(a, 1)
	defer column.Drop()
	return tensor.Map2("mul", column, b)
}

// Outer is torch.outer: the matrix of all products of two vectors' elements.
func (t *Tensor) Outer(other Value) *Tensor {
	b := value(other)
	t.check()
	return t.ctx.Borrow(func() *Tensor { return t.View(t.raw.Elements(), 1).Mul(b) }, t, b)
}

// columnMajor tells a matrix whose columns lie without gaps. The gradient of
// such a factor is computed as a product of transposed matrices, so that it
// lies as the factor does.
func columnMajor(x *tensor.Tensor) bool {
	return len(x.Shape()) == 2 && x.Stride()[0] == 1 && x.Stride()[1] == x.Shape()[0]
}

// factorRule computes the gradient of one factor of a product from the
// product's gradient and the other factor.
type factorRule func(g, other *tensor.Tensor) *tensor.Tensor

// leftRule is g @ b.T, the gradient of a in a @ b.
func leftRule(a *tensor.Tensor) factorRule {
	if columnMajor(a) {
		return func(g, b *tensor.Tensor) *tensor.Tensor {
			return turned(withT(g, func(gt *tensor.Tensor) *tensor.Tensor { return tensor.MatMul(b, gt) }))
		}
	}
	return func(g, b *tensor.Tensor) *tensor.Tensor {
		return withT(b, func(bt *tensor.Tensor) *tensor.Tensor { return tensor.MatMul(g, bt) })
	}
}

// rightRule is a.T @ g, the gradient of b in a @ b.
func rightRule(b *tensor.Tensor) factorRule {
	if columnMajor(b) {
		return func(g, a *tensor.Tensor) *tensor.Tensor {
			return turned(withT(g, func(gt *tensor.Tensor) *tensor.Tensor { return tensor.MatMul(gt, a) }))
		}
	}
	return func(g, a *tensor.Tensor) *tensor.Tensor {
		return withT(a, func(at *tensor.Tensor) *tensor.Tensor { return tensor.MatMul(at, g) })
	}
}

// withT calls the function with the transposed matrix.
func withT(x *tensor.Tensor, f func(xt *tensor.Tensor) *tensor.Tensor) *tensor.Tensor {
	xt := tensor.T(x)
	defer xt.Drop()
	return f(xt)
}

// turned replaces a matrix by its transposed view.
func turned(x *tensor.Tensor) *tensor.Tensor {
	defer x.Drop()
	return tensor.T(x)
}
