package host

import "math"

// A reduction adds up, or compares, the elements of the input that fall on one
// element of the output. The output has the input's rank: a dimension that it
// shows once is reduced.

// sum adds. The scalar multiplies the sums, so that a mean is one kernel too.
//
// Sums are kept in float64 and rounded at the end. A GPU adds pairwise in
// float32; both are within float32 rounding of the true sum.
func sum(c call) {
	fold(c, 0, func(sum, a float64) float64 { return sum + a },
		func(sum float64) float64 { return sum * c.Scalars[0] })
}

// norm is the square root of the sum of the squares.
func norm(c call) {
	fold(c, 0, func(sum, a float64) float64 { return sum + a*a }, math.Sqrt)
}

// extreme picks the element that is before all others. What is not a number
// wins.
func extreme(before func(a, b float64) bool) kernel {
	return func(c call) {
		seen := make([]bool, c.out.Elements())
		number := outputNumber(c)
		best := make([]float64, len(seen))
		c.in[0].walk(func(i, at int) {
			n, a := number(i), c.in[0].get(at)
			if !seen[n] || before(a, best[n]) || math.IsNaN(a) {
				seen[n], best[n] = true, a
			}
		})
		each(c, func(i int) float64 { return best[i] })
	}
}

// fold combines the elements of each output, from start on, and writes what
// end makes of them.
func fold(c call, start float64, combine func(sum, a float64) float64, end func(sum float64) float64) {
	sums := make([]float64, c.out.Elements())
	for i := range sums {
		sums[i] = start
	}
	number := outputNumber(c)
	c.in[0].walk(func(i, at int) {
		n := number(i)
		sums[n] = combine(sums[n], c.in[0].get(at))
	})
	each(c, func(i int) float64 { return end(sums[i]) })
}

// outputNumber returns the map from an input element's row-major number to
// the number of the output element it falls on.
func outputNumber(c call) func(i int) int {
	in, out := c.in[0].Shape, c.out.Shape
	return func(i int) int {
		number, scale := 0, 1
		for d := len(in) - 1; d >= 0; d-- {
			if out[d] != 1 {
				number += i % in[d] * scale
				scale *= out[d]
			}
			i /= in[d]
		}
		return number
	}
}
