package report

import (
	"fmt"
	"strings"

	"github.com/torchmem/workbook/runtime/caching"
)

// SegmentMap draws segments for a terminal of some width, in characters: a
// line for each, in the order given, with a bar as long as the segment is
// large. Equal neighbours share a line. A last line says what the characters
// mean and how many bytes one stands for.
func SegmentMap(segments []caching.Segment, width int) string {
	if len(segments) == 0 {
		return "segment map: nothing is reserved\n"
	}
	m := newScale(segments, width)
	var s strings.Builder
	fmt.Fprintf(&s, "segment map: %s, %s reserved, %s allocated\n",
		plural(len(segments), "segment"), m.reserved, m.allocated)
	s.WriteString(folded{line: m.header()}.String())
	for _, f := range fold(m.lines(segments)) {
		s.WriteString(f.String())
	}
	fmt.Fprintf(&s, "  %c (partly) allocated  %c waits for a stream  %c cached   %s a character\n",
		allocatedMark, waitingMark, cachedMark, size(m.unit))
	return s.String()
}

// The states of memory, the one that must not be missed first.
const (
	allocatedMark = '#'
	waitingMark   = '~'
	cachedMark    = '.'
)

// line is what one segment shows.
type line struct {
	size, label, bar, allocated string
}

// folded is a line and how many segments in a row look like it.
type folded struct {
	line
	times int
}

func (f folded) String() string {
	text := fmt.Sprintf("  %s %s %s %s", f.size, f.label, f.bar, f.allocated)
	if f.times > 1 {
		text += fmt.Sprintf(" x %d", f.times)
	}
	return strings.TrimRight(text, " ") + "\n"
}

func fold(lines []line) []folded {
	var out []folded
	for _, l := range lines {
		if n := len(out); n > 0 && out[n-1].line == l {
			out[n-1].times++
		} else {
			out = append(out, folded{l, 1})
		}
	}
	return out
}

// mapScale is what all lines of a map share.
type mapScale struct {
	// unit is the bytes of one character.
	unit int64
	// labels and bars are widths of columns, in characters.
	labels, bars        int
	reserved, allocated string
}

// Columns other than the bar and the label: margin, sizes, brackets, blanks
// and a count of equal segments.
const otherColumns = 2 + sizeColumn + 1 + 1 + 2 + 1 + sizeColumn + len(" x 100")

// sizeColumn fits 1023.9 MiB.
const sizeColumn = len("1023.9 MiB")

// minBar leaves room for the name of the column.
const minBar = len("blocks by address")

func newScale(segments []caching.Segment, width int) mapScale {
	var m mapScale
	var largest, reserved, allocated int64
	for _, s := range segments {
		largest = max(largest, s.TotalSize)
		reserved += s.TotalSize
		allocated += s.AllocatedSize
		m.labels = max(m.labels, len(label(s)))
	}
	m.reserved, m.allocated = size(reserved), size(allocated)
	room := max(width-otherColumns-m.labels, minBar)
	m.unit = roundUnit((largest + int64(room) - 1) / int64(room))
	m.bars = max(int((largest+m.unit-1)/m.unit), minBar)
	return m
}

// roundUnit returns the next power of two, so that the scale reads well.
func roundUnit(n int64) int64 {
	unit := int64(512)
	for unit < n {
		unit *= 2
	}
	return unit
}

// header names the columns.
func (m mapScale) header() line {
	return m.line("reserved", "pool", "blocks by address", "allocated")
}

func (m mapScale) line(size, label, bar, allocated string) line {
	return line{
		size:      fmt.Sprintf("%*s", sizeColumn, size),
		label:     fmt.Sprintf("%-*s", m.labels, label),
		bar:       fmt.Sprintf("%-*s", m.bars+2, bar),
		allocated: fmt.Sprintf("%*s", sizeColumn, allocated),
	}
}

func (m mapScale) lines(segments []caching.Segment) []line {
	lines := make([]line, len(segments))
	for i, s := range segments {
		lines[i] = m.line(size(s.TotalSize), label(s), "["+m.bar(s)+"]", size(s.AllocatedSize))
	}
	return lines
}

// bar draws a segment. A character shows that memory is allocated if any byte
// in its range is, so that nothing that pins a segment is too small to be seen.
func (m mapScale) bar(s caching.Segment) string {
	cells := []byte(strings.Repeat(string(cachedMark), int((s.TotalSize+m.unit-1)/m.unit)))
	for _, b := range s.Blocks {
		from := int64(b.Address - s.Address)
		for i := from / m.unit; i <= (from+b.Size-1)/m.unit; i++ {
			cells[i] = stronger(cells[i], mark(b.State))
		}
	}
	return string(cells)
}

func mark(state caching.BlockState) byte {
	switch state {
	case caching.ActiveAllocated:
		return allocatedMark
	case caching.ActivePendingFree:
		return waitingMark
	default:
		return cachedMark
	}
}

func stronger(a, b byte) byte {
	for _, m := range []byte{allocatedMark, waitingMark} {
		if a == m || b == m {
			return m
		}
	}
	return cachedMark
}

// label names the pool, and what is unusual about a segment.
func label(s caching.Segment) string {
	text := s.SegmentType
	if s.IsExpandable {
		text += " expandable"
	}
	if s.Stream != 0 {
		text += fmt.Sprintf(" stream %#x", uint64(s.Stream))
	}
	return text
}

// size spells bytes for a reader: one decimal where there is one.
func size(n int64) string {
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	v := float64(n)
	unit := ""
	for _, unit = range []string{"KiB", "MiB", "GiB", "TiB"} {
		if v /= 1024; v < 1023.95 {
			break
		}
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") + " " + unit
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
