package report

import (
	"fmt"

	"github.com/torchmem/workbook/runtime/units"
)

// A form is how a strip is laid out in some columns. The wide one has the sizes
// beside the bar, the narrow one above it.
type form interface {
	// room is what the longest bar may have, in columns.
	room() int
	// head names the columns.
	head(m ruler) []line
	// lines are those of a strip. The labels lie below the bar.
	lines(m ruler, d drawn, times int) []line
	// below is how many columns a label line has, from the bar's first
	// character on.
	below() int
}

// drawn is a strip as text. Equal ones can be folded.
type drawn struct {
	size, label, allocated string
	bar, labels            line
}

func (d drawn) equal(other drawn) bool {
	return d.size == other.size && d.label == other.label && d.allocated == other.allocated &&
		d.bar.String() == other.bar.String() && d.labels.String() == other.labels.String()
}

// picture draws the strips of one map.
type picture struct {
	style Style
	ruler ruler
	form  form
	keys  *keys
}

func (p picture) draw(r strip) drawn {
	return drawn{
		size: units.Size(r.reserved), label: r.label, allocated: units.Size(r.allocated),
		bar: p.ruler.bar(r, p.style.marks), labels: p.keys.labels(p.ruler.mentions(r), p.form.below()),
	}
}

// Columns of the wide form other than the bar and the label: margin, sizes,
// brackets, blanks and a count of equal segments.
const otherColumns = 2 + sizeColumn + 1 + 1 + 2 + 1 + sizeColumn + len(" x 100")

// sizeColumn fits 1023.9 MiB.
const sizeColumn = len("1023.9 MiB")

// narrowest is the width below which the sizes stand above the bars.
const narrowest = 64

// formFor chooses the form for some columns.
func formFor(width int, strips []strip) form {
	labels := 0
	for _, r := range strips {
		labels = max(labels, len(r.label))
	}
	if width < narrowest || labels > width-otherColumns-len(barTitle) {
		return narrow{width}
	}
	return wide{width, max(labels, len("pool"))}
}

// barTitle names the column of the bars, which has room for it.
const barTitle = "blocks by address"

type wide struct{ width, labels int }

func (w wide) room() int { return w.width - otherColumns - w.labels }

// before is how many columns stand before the bar's first character.
func (w wide) before() int { return 2 + sizeColumn + 1 + w.labels + 1 + 1 }

func (w wide) below() int { return w.width - w.before() }

func (w wide) head(m ruler) []line {
	return []line{w.columns(m, "reserved", "pool", text(barTitle), "allocated")}
}

func (w wide) columns(m ruler, size, label string, bar line, allocated string) line {
	out := text(fmt.Sprintf("  %*s %-*s ", sizeColumn, size, w.labels, label))
	out = append(out, bar.padded(max(m.longest+2, len(barTitle)))...)
	return append(out, span{fmt.Sprintf(" %*s", sizeColumn, allocated), ordinary})
}

func (w wide) lines(m ruler, d drawn, times int) []line {
	out := []line{append(w.columns(m, d.size, d.label, d.bar, d.allocated), span{often(times), ordinary})}
	if d.labels.width() > 0 {
		out = append(out, append(blank(w.before()), d.labels...))
	}
	return out
}

type narrow struct{ width int }

func (n narrow) room() int { return n.width - 2 }

func (n narrow) below() int { return n.width - 1 }

func (n narrow) head(ruler) []line { return nil }

func (n narrow) lines(_ ruler, d drawn, times int) []line {
	out := flow(n.width, 2, " ", text(d.size+" "+d.label+","), text(d.allocated+" allocated"+often(times)))
	out = append(out, d.bar)
	if d.labels.width() > 0 {
		out = append(out, append(blank(1), d.labels...))
	}
	return out
}

func often(times int) string {
	if times > 1 {
		return fmt.Sprintf(" x %d", times)
	}
	return ""
}
