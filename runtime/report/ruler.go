package report

import "strings"

// ruler is the scale that all bars of a picture share: a character is as many
// bytes everywhere.
type ruler struct {
	// unit is the bytes of one character.
	unit int64
	// longest is how many characters the longest bar has.
	longest int
}

// newRuler makes the longest bar fit into some columns.
func newRuler(strips []strip, room int) ruler {
	var largest int64
	for _, r := range strips {
		largest = max(largest, r.span)
	}
	room = max(room, 1)
	m := ruler{unit: roundUnit((largest-1)/int64(room) + 1)}
	m.longest = m.cells(largest)
	return m
}

// roundUnit returns the next power of two, so that it reads well.
func roundUnit(n int64) int64 {
	unit := int64(512)
	for unit < n {
		unit *= 2
	}
	return unit
}

// cell returns the character that a byte belongs to.
func (m ruler) cell(offset int64) int { return int(offset / m.unit) }

// cells returns how many characters some bytes have.
func (m ruler) cells(size int64) int { return m.cell(size + m.unit - 1) }

// cell is a character of a bar.
type cell struct {
	state state
	ink   ink
}

// bar draws a strip. A character shows that memory is allocated if any byte in its
// range is, so that nothing that pins a segment is too small to be seen.
func (m ruler) bar(r strip, marks [allocated + 1]string) line {
	cells := make([]cell, m.cells(r.span))
	inks := blockInks()
	for _, b := range r.blocks {
		ink := inks(b.state)
		for i := max(m.cell(b.from), 0); i < min(m.cells(b.from+b.size), len(cells)); i++ {
			if b.state > cells[i].state {
				cells[i] = cell{b.state, ink}
			}
		}
	}
	out := text("[")
	for i := 0; i < len(cells); {
		n := i + 1
		for n < len(cells) && cells[n] == cells[i] {
			n++
		}
		out = append(out, span{strings.Repeat(marks[cells[i].state], n-i), cells[i].ink})
		i = n
	}
	return append(out, span{"]", ordinary})
}

// blockInks returns the colours of a strip's blocks one after the other. Allocated
// ones take turns, so that two that touch can be told apart.
func blockInks() func(state) ink {
	next := odd
	return func(s state) ink {
		switch s {
		case allocated:
			now := next
			next = odd + even - next
			return now
		case waiting:
			return pending
		}
		return faint
	}
}

// hasUnmapped reports whether any bar shows addresses without memory.
func (m ruler) hasUnmapped(strips []strip) bool {
	for _, r := range strips {
		if m.shows(r, unmapped) {
			return true
		}
	}
	return false
}

func (m ruler) shows(r strip, s state) bool {
	mark := [allocated + 1]string{"_", ".", "~", "#"}
	return strings.Contains(m.bar(r, mark).String(), mark[s])
}
