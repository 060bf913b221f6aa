package drivertest

import (
	"fmt"
	"math"

	"github.com/torchmem/workbook/runtime/gpu"
)

// How much may a result differ?
//
// Arithmetic on every device is in float64 and is rounded once, when an element
// is stored. So a float32 result is the float64 result, rounded: it is off by
// half a step of float32, plus the noise of float64 arithmetic. The noise is what
// two right implementations of the same formula differ by: the last digits of
// exp, another order of adding. Each kernel's form has a bound for it. It is
// about 1e-15 of the magnitude of what was added, nine digits below a step of
// float32, and decides only where a result lies between two float32 numbers.
//
// A float64 result may be off by the noise alone. Truth values, integers, and
// kernels of a single operation have no noise: every bit counts. So does it for
// the random numbers between 0 and 1.
//
// Matrix products add up in the type of their elements, and their noise is the
// textbook's bound for a sum of products in that type.

// Epsilon32 and epsilon64 are half a step at one: the most by which rounding to
// the nearest number changes it, as a share of it.
const (
	epsilon32 = 0x1p-24
	epsilon64 = 0x1p-53
)

// noise returns the bound on what the arithmetic of each element adds, for a
// trial and its true results. A list of one is for all elements.
type noise func(t trial, exact []float64) []float64

// compare runs a trial on the device and on the CPU.
func compare(d gpu.Driver, t trial, bound noise) error {
	got, err := t.onDevice(d)
	if err != nil {
		return fmt.Errorf("%s: %w", t.kernel.Name, err)
	}
	want, err := t.onHost()
	if err != nil {
		return err
	}
	exact, err := t.wide().onHost()
	if err != nil {
		return err
	}
	written := places(t.kernel.Out)
	truth := make([]float64, len(written))
	for i, at := range written {
		truth[i] = exact[at]
	}
	var noise []float64
	if bound != nil {
		noise = bound(t, truth)
	}
	before := t.at(t.kernel.Out).numbers
	inside := make([]bool, len(before))
	for i, at := range written {
		inside[at] = true
		if err := sameElement(t.kernel.Out.Type, got[at], want[at], truth[i], elementOf(noise, i)); err != nil {
			return t.wrong(i, err)
		}
	}
	for at, x := range before {
		if !inside[at] && !identical(got[at], x) {
			return t.wrong(-1, fmt.Errorf("the element at %d is no part of the output, was %g and became %g", at, x, got[at]))
		}
	}
	return nil
}

func elementOf(list []float64, i int) float64 {
	switch len(list) {
	case 0:
		return 0
	case 1:
		return list[0]
	}
	return list[i]
}

// wrong describes the launch whose i-th element is wrong.
func (t trial) wrong(i int, err error) error {
	text := fmt.Sprintf("%s %v -> %s", t.kernel.Name, t.kernel.Scalars, shown(t.kernel.Out))
	for _, in := range t.kernel.In {
		text += ", " + shown(in)
	}
	return fmt.Errorf("%s: element %d: %w", text, i, err)
}

func shown(o gpu.Operand) string {
	if o.Number != nil {
		return fmt.Sprintf("number %v %s %x", o.Shape, o.Type, o.Number.Bytes())
	}
	return fmt.Sprintf("%d: %s %v/%v+%d", o.Base, o.Type, o.Shape, o.Stride, o.Offset)
}

// sameElement holds what the device made against what the CPU made, and against
// the true result.
func sameElement(kind gpu.DType, got, want, exact, noise float64) error {
	switch {
	case identical(got, want):
		return nil
	case kind != gpu.Float32 && kind != gpu.Float64, noise == 0, math.IsNaN(got) != math.IsNaN(want):
		return fmt.Errorf("%g, not %g", got, want)
	}
	allowed := noise
	if kind == gpu.Float32 {
		allowed += step32(exact) / 2
	}
	if math.Abs(got-exact) > allowed || math.Abs(got-want) > 2*allowed {
		return fmt.Errorf("%g, not %g, which is %g rounded: off by %g, and %g is allowed", got, want, exact, got-exact, allowed)
	}
	return nil
}

// identical tells equal numbers, with zeros of one sign, or two that are none.
func identical(a, b float64) bool {
	return a == b && math.Signbit(a) == math.Signbit(b) || math.IsNaN(a) && math.IsNaN(b)
}

// step32 returns the distance of float32 numbers around x.
func step32(x float64) float64 {
	_, exponent := math.Frexp(x)
	return math.Ldexp(1, max(exponent-24, -149))
}
