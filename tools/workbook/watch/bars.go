package watch

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/dustin/go-humanize"

	"github.com/torchmem/workbook/runtime/grade"
)

const (
	// narrowBar is the shortest bar that stands beside its numbers.
	narrowBar = 8
	// longBar is as long as a bar gets.
	longBar = 40
)

// bars draws the checks of a case, one under the other: what was used against
// what may be used.
func (s styles) bars(checks []grade.Check, width int) []string {
	names, numbers := 0, 0
	for _, c := range checks {
		names = max(names, len(c.Metric))
		if c.Amount != nil {
			numbers = max(numbers, len(spelled(c)))
		}
	}
	length := min(width-names-numbers-5, longBar)
	var lines []string
	for _, c := range checks {
		switch {
		case length < narrowBar:
			lines = append(lines, s.tall(c, width)...)
		case c.Amount == nil:
			name := s.mark(c.OK) + " " + pad(string(c.Metric), names) + "  "
			lines = append(lines, wrap(name, spelled(c), width)...)
		default:
			name := s.mark(c.OK) + " " + pad(string(c.Metric), names) + "  "
			lines = append(lines, name+s.bar(*c.Amount, c.OK, length)+" "+spelled(c))
		}
	}
	return lines
}

// tall draws a check for a narrow screen, with its bar on a line of its own.
func (s styles) tall(c grade.Check, width int) []string {
	lines := wrap(s.mark(c.OK)+" ", string(c.Metric), width)
	if c.Amount != nil && width > 2 {
		lines = append(lines, "  "+s.bar(*c.Amount, c.OK, min(width-2, longBar)))
	}
	return append(lines, wrap("  ", spelled(c), width)...)
}

// spelled says in short what came out.
func spelled(c grade.Check) string {
	switch a := c.Amount; {
	case a == nil && c.OK:
		return c.Got
	case a == nil:
		return c.Got + "; want " + c.Want
	case a.Least:
		return strings.TrimSpace(humanize.Comma(a.Got) + " of at least " + humanize.Comma(a.Limit) + " " + a.Unit)
	default:
		return strings.TrimSpace(humanize.Comma(a.Got) + " of " + humanize.Comma(a.Limit) + " " + a.Unit)
	}
}

// bar draws a number and its limit. Within its limit a number fills a part of
// the bar, whose end is the limit. One that is over fills all of it, and a mark
// shows where the limit is.
func (s styles) bar(a grade.Amount, ok bool, length int) string {
	colour := s.good
	if !ok {
		colour = s.bad
	}
	if a.Got <= a.Limit {
		full := part(a.Got, a.Limit, length)
		return colour.Render(strings.Repeat(s.full, full)) + s.faint.Render(strings.Repeat(s.empty, length-full))
	}
	at := min(part(a.Limit, a.Got, length), length-1)
	return colour.Render(strings.Repeat(s.full, at)) + s.strong.Render(s.limit) +
		colour.Render(strings.Repeat(s.full, length-at-1))
}

// part is n of all, as cells of a bar. What is more than nothing can be seen.
func part(n, all int64, length int) int {
	if n <= 0 || all <= 0 {
		return 0
	}
	return max(1, int(float64(n)/float64(all)*float64(length)))
}

// pad fills text with spaces.
func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-ansi.StringWidth(text)))
}
