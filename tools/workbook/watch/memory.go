package watch

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/runtime/report"
)

// memory shows what was alive at a moment, and the segments.
func (m *model) memory(p *grade.Moment) []string {
	if p == nil {
		return nil
	}
	when := "at the peak, " + p.Case
	if p.AtEnd {
		when = "at the end, " + p.Case
	}
	lines := append([]string{""}, m.alive(p.Groups(), "alive "+when)...)
	for _, part := range p.Beside() {
		lines = append(lines, m.painted(m.faint.Render, wrap("  ", part.Name+": "+part.Text, m.width))...)
	}
	lines = append(lines, "")
	return append(lines, m.segments(p.Memory, "segments "+when)...)
}

// alive lists groups of memory: how much each is, what it is, and who holds it.
func (m *model) alive(groups []grade.Group, title string) []string {
	var sum int64
	wide := 0
	for _, g := range groups {
		sum += g.Sum()
		wide = max(wide, len(humanize.Comma(g.Sum())))
	}
	lines := m.painted(m.strong.Render, wrap("", fmt.Sprintf("%s: %s bytes in tensors", title, humanize.Comma(sum)), m.width))
	for _, g := range groups {
		head := fmt.Sprintf("  %*s  ", wide, humanize.Comma(g.Sum()))
		lines = append(lines, wrap(head, g.String(), m.width)...)
	}
	return lines
}

// segments draws a map of them.
func (m *model) segments(memory report.Moment, title string) []string {
	memory.Title = title
	return strings.Split(strings.TrimRight(m.maps(m.width).Map(memory), "\n"), "\n")
}
