package host

import "math"

// The kernels of this file work on rows: all elements along the last
// dimension. Where another dimension is meant, the operands show it last.

// rowLength returns the size of the last dimension.
func rowLength(w window) int {
	if len(w.Shape) == 0 {
		return 1
	}
	return w.Shape[len(w.Shape)-1]
}

// rows fills the output row by row. The function reads the rows of the inputs
// and writes the one of the output.
func rows(c call, f func(out []float64, in ...[]float64)) {
	n := rowLength(c.out)
	in := make([][]float64, len(c.in))
	for i, w := range c.in {
		in[i] = w.numbers()
	}
	out := make([]float64, c.out.Elements())
	row := make([][]float64, len(in))
	for at := 0; at < len(out); at += n {
		for i := range in {
			row[i] = in[i][at : at+n]
		}
		f(out[at:at+n], row...)
	}
	each(c, func(i int) float64 { return out[i] })
}

// softmax subtracts the largest element first, so that no power overflows.
func softmax(c call) {
	rows(c, func(out []float64, in ...[]float64) {
		offset := logSumExp(in[0])
		for i, x := range in[0] {
			out[i] = math.Exp(x - offset)
		}
	})
}

func logSoftmax(c call) {
	rows(c, func(out []float64, in ...[]float64) {
		offset := logSumExp(in[0])
		for i, x := range in[0] {
			out[i] = x - offset
		}
	})
}

func logSumExp(row []float64) float64 {
	largest := math.Inf(-1)
	for _, x := range row {
		largest = math.Max(largest, x)
	}
	sum := 0.0
	for _, x := range row {
		sum += math.Exp(x - largest)
	}
	return largest + math.Log(sum)
}

// softmaxBackward takes the gradient times the result, and the result.
func softmaxBackward(c call) {
	rows(c, func(out []float64, in ...[]float64) {
		product, y := in[0], in[1]
		sum := total(product)
		for i := range out {
			out[i] = product[i] - y[i]*sum
		}
	})
}

// logSoftmaxBackward takes the gradient and the result.
func logSoftmaxBackward(c call) {
	rows(c, func(out []float64, in ...[]float64) {
		g, y := in[0], in[1]
		sum := total(g)
		for i := range out {
			out[i] = g[i] - math.Exp(y[i])*sum
		}
	})
}

func total(row []float64) float64 {
	sum := 0.0
	for _, x := range row {
		sum += x
	}
	return sum
}

// rowMean writes the mean of each row of the input.
func rowMean(c call) {
	x, n := c.in[0].numbers(), rowLength(c.in[0])
	each(c, func(i int) float64 { return total(x[i*n:(i+1)*n]) / float64(n) })
}

// rowRstd writes one over the standard deviation of each row of the input. The
// scalar keeps it finite.
func rowRstd(c call) {
	x, n := c.in[0].numbers(), rowLength(c.in[0])
	each(c, func(i int) float64 {
		row := x[i*n : (i+1)*n]
		mean, squares := total(row)/float64(n), 0.0
		for _, x := range row {
			squares += (x - mean) * (x - mean)
		}
		return 1 / math.Sqrt(squares/float64(n)+c.Scalars[0])
	})
}

// layerNorm takes x, mean and rstd in one shape, and then, maybe, a weight and
// a bias.
func layerNorm(c call) {
	rows(c, func(out []float64, in ...[]float64) {
		x, mean, rstd := in[0], in[1], in[2]
		for i := range out {
			out[i] = (x[i] - mean[i]) * rstd[i]
			if len(in) > 3 {
				out[i] = out[i]*in[3][i] + in[4][i]
			}
		}
	})
}

// layerNormBackward takes the gradient, x, mean and rstd in one shape, and
// then, maybe, the weight.
func layerNormBackward(c call) {
	rows(c, func(out []float64, in ...[]float64) {
		g, x, mean, rstd := in[0], in[1], in[2], in[3]
		n := float64(len(out))
		var sum, dot float64
		for i := range out {
			out[i] = g[i]
			if len(in) > 4 {
				out[i] *= in[4][i]
			}
			sum += out[i]
			dot += out[i] * (x[i] - mean[i]) * rstd[i]
		}
		for i := range out {
			normal := (x[i] - mean[i]) * rstd[i]
			out[i] = rstd[i] * (out[i] - sum/n - normal*dot/n)
		}
	})
}

// layerNormWeight takes the gradient, x, mean and rstd in one shape and adds
// the weight's gradient up over the rows.
func layerNormWeight(c call) {
	g, x, mean, rstd := c.in[0].numbers(), c.in[1].numbers(), c.in[2].numbers(), c.in[3].numbers()
	n := c.out.Elements()
	sums := make([]float64, n)
	for i := range g {
		sums[i%n] += g[i] * (x[i] - mean[i]) * rstd[i]
	}
	each(c, func(i int) float64 { return sums[i] })
}
