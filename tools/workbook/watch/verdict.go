package watch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/runtime/units"
)

// verdict draws a verdict from what matters most to what matters least.
func (m *model) verdict(v *grade.Verdict) []string {
	name := worst(v)
	checks := of(v, name)
	lines := m.outcome(v, name)
	lines = append(lines, "")
	lines = append(lines, m.bars(checks, m.width)...)
	for _, c := range checks {
		if !c.OK {
			lines = append(lines, "")
			lines = append(lines, m.failure(v, c)...)
		}
	}
	lines = append(lines, m.others(v, checks)...)
	if v.Passed {
		lines = append(lines, m.peakLine(checks)...)
	}
	lines = append(lines, m.memory(picture(v, name))...)
	return append(lines, m.scope(v)...)
}

// outcome is the verdict in one line.
func (m *model) outcome(v *grade.Verdict, name string) []string {
	if !v.Passed {
		failed := len(v.Failed())
		said := fmt.Sprintf("%s %d of %s %s", m.fail, failed, units.Count(len(v.Checks), "check"), verb(failed, "fail"))
		if badnessOf(v, name).failures > 0 {
			said += ", worst with " + name
		}
		return m.painted(m.bad.Bold(true).Render, wrap("", said, m.width))
	}
	said := fmt.Sprintf("%s passed: %s %s. ", m.pass, units.Count(len(v.Checks), "check"), verb(len(v.Checks), "hold"))
	if m.passed() == len(m.tasks) {
		said += "That was the last task. s shows the solution."
	} else {
		said += "n is the next task, s shows the solution."
	}
	lines := m.painted(m.good.Bold(true).Render, wrap("", said, m.width))
	return append(lines, m.painted(m.faint.Render, wrap("", "nearest to a limit: "+name, m.width))...)
}

// failure explains a check that fails.
func (m *model) failure(v *grade.Verdict, c grade.Check) []string {
	lines := m.painted(m.bad.Render, wrap("", string(c.Metric), m.width))
	lines = append(lines, m.place(c)...)
	lines = append(lines, m.entry("want", c.Want)...)
	if c.Cause != "" {
		lines = append(lines, m.entry("cause", c.Cause)...)
	}
	for _, other := range elsewhere(v, c) {
		lines = append(lines, m.entry("also", other.Case+": "+other.Got)...)
	}
	return lines
}

// place shows the line that a check owes most to.
func (m *model) place(c grade.Check) []string {
	if c.Place == nil {
		return nil
	}
	lines := m.entry("set at", c.Place.Place+c.Moment.During())
	if c.Place.Text != "" {
		lines = append(lines, m.painted(m.accent.Render, wrap(strings.Repeat(" ", 10), c.Place.Text, m.width))...)
	}
	return lines
}

// peakLine shows the line that set the peak of a program that passes.
func (m *model) peakLine(checks []grade.Check) []string {
	for _, c := range checks {
		if (c.Metric == grade.PeakAllocated || c.Metric == grade.PeakReserved) && c.Place != nil {
			return append([]string{"", string(c.Metric)}, m.place(c)...)
		}
	}
	return nil
}

// others lists the failures of metrics that the shown case keeps.
func (m *model) others(v *grade.Verdict, shown []grade.Check) []string {
	var lines []string
	for _, c := range v.Failed() {
		same := func(s grade.Check) bool { return s.Metric == c.Metric && !s.OK }
		if !slices.ContainsFunc(shown, same) {
			lines = append(lines, "")
			lines = append(lines, m.painted(m.bad.Render, wrap("", string(c.Metric)+", "+c.Case, m.width))...)
			lines = append(lines, m.entry("got", c.Got)...)
			lines = append(lines, m.place(c)...)
			lines = append(lines, m.entry("want", c.Want)...)
			lines = append(lines, m.entry("cause", c.Cause)...)
		}
	}
	return lines
}

// entry is a word and what it stands for.
func (m *model) entry(word, text string) []string {
	if text == "" {
		return nil
	}
	return wrap("  "+pad(word, 6)+"  ", text, m.width)
}

// scope says what was graded and what not.
func (m *model) scope(v *grade.Verdict) []string {
	graded, not := v.Scope()
	lines := append([]string{""}, m.painted(m.faint.Render, wrap("graded      ", graded, m.width))...)
	return append(lines, m.painted(m.faint.Render, wrap("not graded  ", not, m.width))...)
}
