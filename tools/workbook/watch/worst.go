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
	pictured   int
	near       float64
}

// worst returns the name of the case to show: one that did not end, else the
// one with most failures, else the one that was pictured. Where nothing fails it
// is the one that is nearest to a limit.
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
			cmp.Compare(a.pictured, b.pictured), cmp.Compare(a.near, b.near))
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
	if pictured, _ := picture(v); b.failures > 0 && pictured.Case == name {
		b.pictured = 1
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

// picture returns the check that the verdict's picture explains, and reports
// whether that picture is of the end, not of a peak.
func picture(v *grade.Verdict) (c grade.Check, atEnd bool) {
	for _, c := range v.Checks {
		if c.OK {
			continue
		}
		switch c.Metric {
		case grade.PeakAllocated, grade.PeakReserved:
			return c, false
		case grade.EndAllocated, grade.EndReserved, grade.LiveTensors:
			return c, true
		}
	}
	if names := cases(v); len(names) > 0 {
		return grade.Check{Case: names[0], Metric: grade.PeakAllocated}, false
	}
	return grade.Check{}, false
}
