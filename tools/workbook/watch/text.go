package watch

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// clean makes text of a file or a program harmless for a screen: no colours, no
// cursor movements, no tabs.
func clean(text string) string {
	text = strings.ReplaceAll(ansi.Strip(text), "\t", "    ")
	return strings.Map(func(r rune) rune {
		if r != '\n' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, text)
}

// wrap breaks text into lines of at most width columns. The first starts with a
// head, and the others are indented as far. Where that leaves no room, the head
// stands alone.
func wrap(head, text string, width int) []string {
	indent := ansi.StringWidth(head)
	room := width - indent
	if room < min(16, width) {
		if strings.TrimSpace(head) == "" {
			return wrap("", text, width)
		}
		return append(wrap("", strings.TrimRight(head, " "), width), wrap("", text, width)...)
	}
	lines := strings.Split(ansi.Wrap(clean(text), max(room, 1), ""), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(head+lines[i], " ")
		head = strings.Repeat(" ", indent)
	}
	return lines
}

// apart puts two texts at the two ends of a line. Where they do not fit, they
// get a line each.
func apart(left, right string, width int) []string {
	gap := width - ansi.StringWidth(left) - ansi.StringWidth(right)
	switch {
	case right == "":
		return []string{left}
	case gap < 2:
		return []string{left, right}
	}
	return []string{left + strings.Repeat(" ", gap) + right}
}

// verb puts a verb into the form that goes with a number.
func verb(n int, does string) string {
	if n == 1 {
		return does + "s"
	}
	return does
}
