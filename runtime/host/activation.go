package host

import "math"

func sign(a float64) float64 {
	switch {
	case a > 0:
		return 1
	case a < 0:
		return -1
	default:
		return a // zero, or not a number
	}
}

func sigmoid(a float64) float64 { return 1 / (1 + math.Exp(-a)) }

func relu(a float64) float64 { return clampMin(a, 0) }

// clampMin and clampMax let what is not a number pass, as PyTorch does.
func clampMin(a, low float64) float64 {
	if a < low {
		return low
	}
	return a
}

func clampMax(a, high float64) float64 {
	if a > high {
		return high
	}
	return a
}

func leakyRelu(a, slope float64) float64 {
	if a > 0 {
		return a
	}
	return a * slope
}

// gelu is a times the probability that a standard normal number is below a.
func gelu(a float64) float64 { return a * below(a) }

func geluSlope(a float64) float64 {
	density := math.Exp(-a*a/2) / math.Sqrt(2*math.Pi)
	return below(a) + a*density
}

func below(a float64) float64 { return math.Erfc(-a/math.Sqrt2) / 2 }

func silu(a float64) float64 { return a * sigmoid(a) }

func siluSlope(a float64) float64 {
	s := sigmoid(a)
	return s * (1 + a*(1-s))
}

// reluBackward passes the gradient where the output y is positive.
func reluBackward(g, y float64) float64 {
	if y > 0 {
		return g
	}
	return 0
}

// leakyReluBackward scales the gradient where the input is not positive. The
// scalar is the slope there.
func leakyReluBackward(c call) {
	g, x, slope := c.in[0].list(), c.in[1].list(), c.Scalars[0]
	each(c, func(i int) float64 {
		if x.get(i) > 0 {
			return g.get(i)
		}
		return g.get(i) * slope
	})
}

// dropout scales what the mask keeps.
func dropout(c call) {
	a, mask, scale := c.in[0].list(), c.in[1].list(), c.Scalars[0]
	each(c, func(i int) float64 { return a.get(i) * mask.get(i) * scale })
}

// where takes from the second input where the first is true and from the third
// elsewhere.
func where(c call) {
	condition, a, b := c.in[0].list(), c.in[1].list(), c.in[2].list()
	each(c, func(i int) float64 {
		if condition.get(i) != 0 {
			return a.get(i)
		}
		return b.get(i)
	})
}

// maskedFill puts the scalar where the mask, the second input, is true.
func maskedFill(c call) {
	a, mask := c.in[0].list(), c.in[1].list()
	each(c, func(i int) float64 {
		if mask.get(i) != 0 {
			return c.Scalars[0]
		}
		return a.get(i)
	})
}

// truth spells a truth value as a number.
func truth(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
