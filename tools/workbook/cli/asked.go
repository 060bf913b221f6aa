package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/torchmem/workbook/runtime/grade"
)

// gradedText lists the limits by metric, and then what is compared.
func gradedText(all []grade.Ask) string {
	var s strings.Builder
	var compared []string
	for _, m := range metricsOf(all) {
		of := slices.DeleteFunc(slices.Clone(all), func(w grade.Ask) bool { return w.Metric != m })
		if of[0].Want == "" {
			compared = append(compared, string(m))
			continue
		}
		fmt.Fprintf(&s, "  %s\n", m)
		if sameWant(of) {
			of = []grade.Ask{{Case: "each case", Want: of[0].Want}}
		}
		for _, w := range of {
			fmt.Fprintln(&s, wrap("    "+w.Case+"  "+w.Want))
		}
	}
	if len(compared) > 0 {
		fmt.Fprintln(&s, wrap("  and compared: "+strings.Join(compared, ", ")))
	}
	return s.String()
}

// metricsOf lists the metrics in the order in which they come.
func metricsOf(all []grade.Ask) []grade.Metric {
	var seen []grade.Metric
	for _, w := range all {
		if !slices.Contains(seen, w.Metric) {
			seen = append(seen, w.Metric)
		}
	}
	return seen
}

// sameWant reports whether the limit is the same in all cases.
func sameWant(of []grade.Ask) bool {
	return !slices.ContainsFunc(of, func(w grade.Ask) bool { return w.Want != of[0].Want })
}
