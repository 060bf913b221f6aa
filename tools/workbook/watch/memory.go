package watch

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/dustin/go-humanize"

	"github.com/torchmem/workbook/runtime/grade"
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
	return append(lines, m.segments(p.Map, "segments "+when)...)
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

// segments shows a segment map. It is as wide as it is; a narrow screen scrolls
// sideways.
func (m *model) segments(drawing, title string) []string {
	drawing = strings.TrimRight(clean(drawing), "\n")
	if widest(drawing)+2 > m.width {
		title += " (left and right scroll)"
	}
	lines := m.painted(m.strong.Render, wrap("", title, m.width))
	for _, line := range strings.Split(drawing, "\n") {
		lines = append(lines, "  "+line)
	}
	return lines
}

func widest(text string) int {
	width := 0
	for _, line := range strings.Split(text, "\n") {
		width = max(width, ansi.StringWidth(line))
	}
	return width
}
