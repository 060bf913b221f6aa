package grade

import (
	"fmt"
	"slices"
)

// Measure runs the case with a function and returns what it used. A function
// that raises an error has used something too, up to there.
func (c Case[F]) Measure(f F) (map[Metric]int64, error) {
	r, raised := attempt(c, f, 0)
	switch {
	case r == nil:
		return nil, fmt.Errorf("%s: %s", c.Name, raised.text)
	case raised != nil:
		return r.meter.got, fmt.Errorf("%s: %s (at %v)", c.Name, raised.text, raised.place)
	}
	return r.meter.got, nil
}

// Ask is what a case asks of a metric.
type Ask struct {
	Case   string `json:"case"`
	Metric Metric `json:"metric"`
	// Want is the limit. It is empty for what is compared with the
	// reference.
	Want string `json:"want,omitempty"`
}

// Asked lists what all cases ask for, in the order of a verdict. It runs the
// reference to see what comes out of it.
func (t Task[F]) Asked() []Ask {
	var all []Ask
	for _, c := range t.Cases {
		c.MemoryOnly = true // the numbers do not matter here
		r, raised := attempt(c, t.Reference, 0)
		if raised != nil {
			continue
		}
		for _, l := range c.limits(r) {
			all = append(all, Ask{c.Name, l.Metric, l.text()})
		}
		for _, m := range []Metric{Values, Gradients} {
			if slices.ContainsFunc(r.outcomes, func(o outcome) bool { return o.metric == m }) {
				all = append(all, Ask{Case: c.Name, Metric: m})
			}
		}
	}
	return all
}
