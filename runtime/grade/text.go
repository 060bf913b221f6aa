package grade

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/torchmem/workbook/runtime/units"
)

// amount spells a number in its unit.
func amount(n int64, unit string) string {
	return strings.TrimSpace(humanize.Comma(n) + " " + unit)
}

// text spells the bound.
func (l Limit) text() string {
	bound := "at most "
	if l.Least {
		bound = "at least "
	}
	text := bound + amount(l.N, l.Metric.Unit())
	if l.Why != "" {
		text += " (" + l.Why + ")"
	}
	return text
}

// String spells the verdict for a learner: what failed, with all that helps
// to find out why, and what was looked at.
func (v Verdict) String() string {
	var s strings.Builder
	failed := v.Failed()
	if v.Passed {
		fmt.Fprintf(&s, "%s: pass, all %d checks hold\n", v.Task, len(v.Checks))
	} else {
		fmt.Fprintf(&s, "%s: %d of %d checks fail\n", v.Task, len(failed), len(v.Checks))
	}
	for _, same := range byMetric(failed) {
		s.WriteString("\n" + same[0].String())
		s.WriteString(also(same))
	}
	if !v.Passed {
		fmt.Fprintf(&s, "\nhint        go run ./tools/workbook hint %s\n", v.Task)
	}
	graded, not := v.Scope()
	fmt.Fprintf(&s, "graded      %s\nnot graded  %s\n", graded, not)
	return s.String()
}

// also tells of further checks that fail as the first does.
func also(same []Check) string {
	var s strings.Builder
	equal := 0
	for _, c := range same[1:] {
		if c.Amount == nil && c.Got == same[0].Got {
			equal++
			continue
		}
		line, _, _ := strings.Cut(c.Got, "\n")
		first, _, _ := strings.Cut(line, ". ") // an error may go on
		s.WriteString(entry("also", c.Case+": "+first))
	}
	if equal > 0 {
		s.WriteString(entry("also", "the same in "+units.Count(equal, "other case")))
	}
	return s.String()
}

// byMetric puts checks of the same metric together, the first first.
func byMetric(checks []Check) [][]Check {
	var groups [][]Check
	index := map[Metric]int{}
	for _, c := range checks {
		i, ok := index[c.Metric]
		if !ok {
			i = len(groups)
			index[c.Metric] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], c)
	}
	return groups
}

// String spells a check that failed.
func (c Check) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s, %s\n", c.Metric, c.Case)
	s.WriteString(entry("got", c.Got) + entry("want", c.Want))
	if c.Place != nil {
		s.WriteString(entry("set at", c.Place.Place+c.Moment.During()))
		if c.Place.Text != "" {
			s.WriteString(entry("", c.Place.Text))
		}
	}
	s.WriteString(c.Moment.account())
	if c.Cause != "" {
		s.WriteString(entry("cause", c.Cause))
	}
	return s.String()
}

// entry is a word and what it stands for. A text of several lines, such as what
// a program raised, stays in its column.
func entry(word, text string) string {
	column := "\n" + strings.Repeat(" ", 12)
	return fmt.Sprintf("  %-9s %s\n", word, strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", column))
}

// Scope says what was graded and what was not.
func (v Verdict) Scope() (graded, not string) {
	graded = join(v.Graded) + "; " + units.Count(v.Cases, "case")
	if v.ValuesIn < v.Cases && slices.ContainsFunc(v.Graded, func(m Metric) bool { return m == Values || m == Gradients }) {
		graded += fmt.Sprintf(", numbers in %d of them", v.ValuesIn)
	}
	return graded, join(v.NotGraded, "time")
}

func join(metrics []Metric, more ...string) string {
	var words []string
	for _, m := range metrics {
		words = append(words, string(m))
	}
	return strings.Join(append(words, more...), ", ")
}
