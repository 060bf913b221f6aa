package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// Style is how a map looks on some terminal.
type Style struct {
	// width is that of the terminal, in columns. Nothing is wider.
	width int
	marks [allocated + 1]string
	// between stands between two maps that lie side by side.
	between string
	paint   func(ink ink, text string) string
}

// Plain is the style of a file, a pipe, and a terminal without colours: ASCII, as
// far as the names are.
func Plain(width int) Style {
	return Style{
		width: width, marks: [...]string{unmapped: "_", cached: ".", waiting: "~", allocated: "#"}, between: " | ",
		paint: func(_ ink, text string) string { return text },
	}
}

// Colour is Plain in the first colours of the terminal, which its owner can read
// on its background. Blocks that touch differ in colour.
func Colour(width int) Style {
	s := Plain(width)
	s.paint = coloured
	return s
}

// Blocks is Colour with block characters for a terminal that knows Unicode.
func Blocks(width int) Style {
	s := Colour(width)
	s.marks = [...]string{unmapped: "·", cached: "░", waiting: "▒", allocated: "█"}
	s.between = " │ "
	return s
}

// ink says what a text is, and so its colour.
type ink int

const (
	ordinary ink = iota
	strong
	faint
	pending
	odd  // an allocated block and its name
	even // the next one
)

func coloured(i ink, text string) string {
	code := [...]string{strong: "1", faint: "2", pending: "33", odd: "32", even: "36"}[i]
	if code == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// span is a piece of a line in one colour, and line is one line. Colours come
// last, so that widths need no care.
type (
	span struct {
		text string
		ink  ink
	}
	line []span
)

func text(s string) line { return line{{s, ordinary}} }

func blank(n int) line { return text(strings.Repeat(" ", max(n, 0))) }

// width counts columns.
func (l line) width() int {
	n := 0
	for _, s := range l {
		n += displaywidth.String(s.text)
	}
	return n
}

// padded makes a line that wide. A wider one is cut.
func (l line) padded(width int) line {
	l = l.cut(width)
	return append(l, blank(width-l.width())...)
}

func (l line) cut(width int) line {
	var out line
	for _, s := range l {
		s.text = cut(s.text, max(width-out.width(), 0), "")
		out = append(out, s)
	}
	return out
}

// String is the line without colours.
func (l line) String() string {
	var out strings.Builder
	for _, s := range l {
		out.WriteString(s.text)
	}
	return out.String()
}

// write spells lines for the terminal. No line ends in blanks.
func (s Style) write(lines []line) string {
	var out strings.Builder
	for _, l := range lines {
		l = l.cut(s.width)
		visible := len(strings.TrimRight(l.String(), " "))
		for _, piece := range l {
			shown := piece.text[:min(len(piece.text), visible)]
			visible -= len(shown)
			if shown != "" {
				out.WriteString(s.paint(piece.ink, shown))
			}
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// flow puts word groups on as few lines as they fit on. Those after the first are
// indented.
func flow(width, indent int, between string, groups ...line) []line {
	var lines []line
	for i, g := range groups {
		last := len(lines) - 1
		if i > 0 && lines[last].width()+len(between)+g.width() <= width {
			lines[last] = append(append(lines[last], span{between, ordinary}), g...)
			continue
		}
		if i > 0 {
			g = append(blank(indent), g...)
		}
		lines = append(lines, g)
	}
	return lines
}

// longest is how many columns of a name are shown.
const longest = 32

// short is a name that is harmless and not long.
func short(name string) string { return cut(harmless(name), longest, "...") }

// longText is more than any line shows, in bytes.
const longText = 1024

// harmless replaces what is no printable character, so that a terminal finds
// nothing in the text to obey.
func harmless(text string) string {
	if len(text) > longText {
		text = text[:longText] + "..."
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == utf8.RuneError {
			return '?'
		}
		return r
	}, text)
}

// cut shortens a text to some columns, the tail included.
func cut(text string, width int, tail string) string {
	if displaywidth.String(text) <= width {
		return text
	}
	return displaywidth.TruncateString(text, width, tail)
}
