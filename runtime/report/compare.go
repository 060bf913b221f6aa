package report

import (
	"cmp"

	"github.com/torchmem/workbook/runtime/units"
)

// sideBySide is the width from which two maps lie side by side.
const sideBySide = 100

// Compare draws two moments on one scale, side by side where the terminal is wide
// enough, else one above the other.
func (s Style) Compare(before, after Moment) string {
	if s.width < sideBySide {
		return s.stacked(before, after)
	}
	return s.beside(before, after)
}

// stacked draws one map above the other.
func (s Style) stacked(before, after Moment) string {
	first, second := before.strips(), after.strips()
	both := append(append([]strip{}, first...), second...)
	f := formFor(s.width, both)
	p := picture{s, newRuler(both, f.room()), f, &keys{}}
	var lines []line
	lines = append(lines, p.titledList("before", before, first)...)
	lines = append(lines, nil)
	lines = append(lines, p.titledList("after", after, second)...)
	if len(both) > 0 {
		lines = append(lines, p.legend(both)...)
	}
	return s.write(lines)
}

// titledList draws one of two moments. It has a name where it has no title.
func (p picture) titledList(name string, m Moment, strips []strip) []line {
	lines := titled(p.style.width, cmp.Or(m.Title, name), m)
	if len(strips) == 0 {
		return lines
	}
	return append(lines, p.list(strips)...)
}

// beside draws the maps side by side, a segment beside itself.
func (s Style) beside(before, after Moment) string {
	half := (s.width - len(" | ")) / 2
	left, right := before.strips(), after.strips()
	both := append(append([]strip{}, left...), right...)
	f := formFor(half, both)
	p := picture{s, newRuler(both, f.room()), f, &keys{}}
	lines := s.join(half, titled(half, cmp.Or(before.Title, "before"), before), titled(half, cmp.Or(after.Title, "after"), after))
	if len(both) == 0 {
		return s.write(lines)
	}
	lines = append(lines, s.join(half, f.head(p.ruler), f.head(p.ruler))...)
	lines = append(lines, p.pairs(half, align(left, right))...)
	return s.write(append(lines, p.legend(both)...))
}

// pair is a segment before and after. Either may be missing.
type pair [2]*strip

// align puts strips of one address beside each other.
func align(left, right []strip) []pair {
	var pairs []pair
	for len(left) > 0 || len(right) > 0 {
		switch {
		case len(right) == 0 || len(left) > 0 && left[0].at < right[0].at:
			pairs = append(pairs, pair{&left[0], nil})
			left = left[1:]
		case len(left) == 0 || right[0].at < left[0].at:
			pairs = append(pairs, pair{nil, &right[0]})
			right = right[1:]
		default:
			pairs = append(pairs, pair{&left[0], &right[0]})
			left, right = left[1:], right[1:]
		}
	}
	return pairs
}

// pairs draws strips beside each other. Pairs that look the same share their lines.
func (p picture) pairs(half int, all []pair) []line {
	var lines []line
	shown := all[:min(len(all), mostStrips)]
	for i := 0; i < len(shown); {
		now := p.both(shown[i])
		n := i + 1
		for n < len(shown) && same(now, p.both(shown[n])) {
			n++
		}
		lines = append(lines, p.style.join(half, p.side(now[0], n-i), p.side(now[1], n-i))...)
		i = n
	}
	if rest := all[len(shown):]; len(rest) > 0 {
		lines = append(lines, text("  and "+units.Count(len(rest), "segment")+" more"))
	}
	return lines
}

func (p picture) both(strips pair) (out [2]*drawn) {
	for i, r := range strips {
		if r != nil {
			d := p.draw(*r)
			out[i] = &d
		}
	}
	return out
}

func same(a, b [2]*drawn) bool {
	for i := range a {
		if (a[i] == nil) != (b[i] == nil) || a[i] != nil && !a[i].equal(*b[i]) {
			return false
		}
	}
	return true
}

func (p picture) side(d *drawn, times int) []line {
	if d == nil {
		return []line{{{"(not reserved)", faint}}}
	}
	return p.form.lines(p.ruler, *d, times)
}

// join puts two columns beside each other.
func (s Style) join(half int, left, right []line) []line {
	var lines []line
	for i := range max(len(left), len(right)) {
		var l, r line
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		both := append(l.padded(half), span{s.between, faint})
		lines = append(lines, append(both, r.cut(half)...))
	}
	return lines
}
