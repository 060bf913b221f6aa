package watch

import (
	"cmp"
	"slices"

	"github.com/torchmem/workbook/runtime/grade"
)

// closeness says how near an amount is to its limit: 1 is at it, and more is over.
func closeness(a grade.Amount) float64 {
	switch {
	case a.Got == a.Limit:
		return 1
	case a.Least:
		return float64(a.Limit) / float64(max(a.Got, 1))
	}
	return float64(a.Got) / float64(max(a.Limit, 1))
}

// cases returns the names of the cases in their order.
func cases(v *grade.Verdict) []string {
	var names []string
	for _, c := range v.Checks {
		if c.Metric != grade.Outside && !slices.Contains(names, c.Case) {
			names = append(names, c.Case)
		}
	}
	return names
}

// badness is what cases are compared by.
type badness struct {
	name       string
	unfinished int
	failures   int
	near       float64
}

// worst returns the name of the case to show: one that did not end, else the
// one with most failures, and of those the one that is furthest over a limit, or
// nearest to one.
func worst(v *grade.Verdict) string {
	var all []badness
	for _, name := range cases(v) {
		all = append(all, badnessOf(v, name))
	}
	if len(all) == 0 {
		return ""
	}
	return slices.MaxFunc(all, func(a, b badness) int {
		return cmp.Or(cmp.Compare(a.unfinished, b.unfinished), cmp.Compare(a.failures, b.failures),
			cmp.Compare(a.near, b.near))
	}).name
}

func badnessOf(v *grade.Verdict, name string) badness {
	b := badness{name: name}
	for _, c := range v.Checks {
		if c.Case != name {
			continue
		}
		if c.Amount != nil && c.Metric != grade.HostBytes {
			b.near = max(b.near, closeness(*c.Amount))
		}
		if !c.OK {
			b.failures++
		}
		if c.Metric == grade.Finished {
			b.unfinished = 1
		}
	}
	return b
}

// of returns the checks of a case, and those of the file.
func of(v *grade.Verdict, name string) []grade.Check {
	var checks []grade.Check
	for _, c := range v.Checks {
		if c.Case == name || c.Metric == grade.Outside {
			checks = append(checks, c)
		}
	}
	return checks
}

// elsewhere returns the checks of the same metric that fail in other cases.
func elsewhere(v *grade.Verdict, shown grade.Check) []grade.Check {
	var also []grade.Check
	for _, c := range v.Checks {
		if !c.OK && c.Metric == shown.Metric && c.Case != shown.Case {
			also = append(also, c)
		}
	}
	return also
}

// picture returns what the memory looked like: in the case, if one of its checks
// has a picture, and otherwise in any other.
func picture(v *grade.Verdict, name string) *grade.Moment {
	var other *grade.Moment
	for _, c := range v.Checks {
		switch {
		case c.Moment == nil:
		case c.Case == name:
			return c.Moment
		case other == nil:
			other = c.Moment
		}
	}
	return cmp.Or(other, v.Picture)
}
