package host

import "fmt"

// mseBackward takes the gradient of the loss, one element stretched, and the
// two sides. The scalar is two over the number of elements.
func mseBackward(c call) {
	g, a, b := c.in[0].list(), c.in[1].list(), c.in[2].list()
	each(c, func(i int) float64 { return c.Scalars[0] * (a.get(i) - b.get(i)) * g.get(i) })
}

// nllLoss takes logarithms of probabilities, one row a sample, and the number
// of the right class of each. The result is the mean of what is right, with
// the sign turned.
func nllLoss(c call) {
	x, target, n := c.in[0].list(), c.in[1].list(), rowLength(c.in[0])
	sum := 0.0
	samples := c.in[1].Elements()
	for i := range samples {
		sum -= x.get(i*n + class(target, i, n))
	}
	each(c, func(int) float64 { return sum / float64(samples) })
}

// nllLossBackward takes the gradient of the loss and the classes.
func nllLossBackward(c call) {
	g, target, n := c.in[0].list(), c.in[1].list(), rowLength(c.out)
	samples := float64(c.in[1].Elements())
	each(c, func(i int) float64 {
		if class(target, i/n, n) != i%n {
			return 0
		}
		return -g.get(0) / samples
	})
}

// class returns the class of the i-th sample, one of n.
func class(target list, i, n int) int {
	t := int(target.get(i))
	if t < 0 || t >= n {
		panic(fmt.Errorf("device-side assert triggered: the class %d is not one of %d", t, n))
	}
	return t
}
