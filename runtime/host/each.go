package host

import (
	"runtime"
	"sync"
)

// each sets every element of the output from its number in row-major order.
// Arithmetic is in float64 and rounds once, when the element is stored. No
// element depends on another, so many elements are shared among the processors.
func each(c call, f func(i int) float64) {
	if !dense(c.out.Operand) {
		c.out.walk(func(i, at int) { c.out.set(at, f(i)) })
		return
	}
	share(c.out.Elements(), func(from, to int) {
		for i := from; i < to; i++ {
			c.out.set(i, f(i))
		}
	})
}

// fewElements are done sooner than another goroutine starts.
const fewElements = 1 << 13

// share splits the numbers below n among the processors and waits for all.
func share(n int, work func(from, to int)) {
	parts := min(runtime.GOMAXPROCS(0), n/fewElements)
	if parts < 2 {
		work(0, n)
		return
	}
	var all sync.WaitGroup
	for p := range parts {
		all.Go(func() { work(n*p/parts, n*(p+1)/parts) })
	}
	all.Wait()
}
