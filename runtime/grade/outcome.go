package grade

import (
	"fmt"
	"math"

	"github.com/dustin/go-humanize"
)

// outcome is something that came out of a function.
type outcome struct {
	metric Metric
	name   string
	shape  string
	// word is what came out where it is no number.
	word string
	// values are nil where only the shape is graded.
	values []float64
	// missing is a gradient of None.
	missing bool
	// exact is set for what no rounding excuses.
	exact bool
}

// tolerance is what float32 arithmetic in another order may change, as a part
// of the largest number.
const tolerance = 1e-4

// differs says how the outcome differs from the one wanted. Empty means that
// it does not.
func (o outcome) differs(want outcome) string {
	switch {
	case o.missing && !want.missing:
		return "None"
	case o.missing != want.missing, o.name != want.name, o.shape != want.shape, o.word != want.word:
		return o.text()
	case len(o.values) != len(want.values):
		return fmt.Sprintf("%d numbers", len(o.values))
	}
	at := o.furthest(want)
	switch {
	case at < 0:
		return ""
	case len(o.values) == 1:
		return number(o.values[0])
	default:
		return fmt.Sprintf("%s at %d of %d", number(o.values[at]), at, len(o.values))
	}
}

// furthest returns the index of the number that is furthest off, or -1 where
// all are near enough. A number that is none is infinitely far.
func (o outcome) furthest(want outcome) int {
	scale, at, most := 0.0, -1, 0.0
	for _, x := range want.values {
		scale = max(scale, math.Abs(x))
	}
	allowed := tolerance * scale
	if want.exact {
		allowed = 0
	}
	for i, x := range o.values {
		if x == want.values[i] {
			continue // infinities too
		}
		d := math.Abs(x - want.values[i])
		if math.IsNaN(d) || math.IsInf(d, 0) {
			return i
		}
		if d > allowed && d > most {
			at, most = i, d
		}
	}
	return at
}

// text spells the outcome for a reader.
func (o outcome) text() string {
	switch {
	case o.missing:
		return "None"
	case o.word != "":
		return o.word
	case len(o.values) == 1:
		return number(o.values[0])
	case o.shape == "":
		return o.name
	}
	return "a tensor of shape " + o.shape + " as the reference makes it"
}

func number(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
		return humanize.Comma(int64(x))
	}
	return fmt.Sprintf("%.6g", x)
}
