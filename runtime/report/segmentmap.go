package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/torchmem/workbook/runtime/units"
)

// mostStrips bounds a map. What is beyond is counted.
const mostStrips = 100

// Map draws one moment: a bar for each segment, by address and as long as the
// segment is large, with the names of those who hold its blocks below. Equal
// neighbours share a line. The last lines say what the characters mean and how
// many bytes one stands for.
func (s Style) Map(m Moment) string {
	lines := titled(s.width, cmp.Or(m.Title, "segment map"), m)
	strips := m.strips()
	if len(strips) == 0 {
		return s.write(lines)
	}
	f := formFor(s.width, strips)
	p := picture{s, newRuler(strips, f.room()), f, &keys{}}
	lines = append(lines, p.list(strips)...)
	return s.write(append(lines, p.legend(strips)...))
}

// titled says what is drawn, and what it comes to.
func titled(width int, title string, m Moment) []line {
	var groups []line
	for _, word := range strings.Fields(harmless(title) + ":") {
		groups = append(groups, line{{cut(word, width-2, ""), strong}})
	}
	for _, words := range m.sum() {
		groups = append(groups, text(words))
	}
	return flow(width, 2, " ", groups...)
}

// list draws strips one above the other.
func (p picture) list(strips []strip) []line {
	lines := p.form.head(p.ruler)
	shown := strips[:min(len(strips), mostStrips)]
	for i := 0; i < len(shown); {
		d := p.draw(shown[i])
		n := i + 1
		for n < len(shown) && d.equal(p.draw(shown[n])) {
			n++
		}
		lines = append(lines, p.form.lines(p.ruler, d, n-i)...)
		i = n
	}
	if rest := strips[len(shown):]; len(rest) > 0 {
		lines = append(lines, text("  "+uncounted(rest)))
	}
	return lines
}

// uncounted says what strips come to that are not drawn.
func uncounted(rest []strip) string {
	var reserved, inUse int64
	for _, r := range rest {
		reserved += r.reserved
		inUse += r.allocated
	}
	return fmt.Sprintf("and %s more: %s reserved, %s allocated", units.Count(len(rest), "segment"), units.Size(reserved), units.Size(inUse))
}

// legend says what the numbers and characters mean.
func (p picture) legend(strips []strip) []line {
	lines := p.keys.legend(p.style.width)
	words := [...]string{
		allocated: "(partly) allocated", waiting: "waits for an event", cached: "cached", unmapped: "unmapped",
	}
	inks := [...]ink{allocated: odd, waiting: pending, cached: faint, unmapped: faint}
	last := cached
	if p.ruler.hasUnmapped(strips) {
		last = unmapped
	}
	var groups []line
	for s := allocated; s >= last; s-- {
		groups = append(groups, line{{p.style.marks[s], inks[s]}, {" " + words[s], ordinary}})
	}
	groups[0] = append(text("  "), groups[0]...)
	groups = append(groups, text(" "+units.Size(p.ruler.unit)+" a character"))
	return append(lines, flow(p.style.width, 2, "  ", groups...)...)
}
