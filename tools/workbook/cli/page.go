package cli

import (
	"regexp"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/torchmem/workbook/tools/workbook/terminal"
)

// width is that of the page, in columns.
const width = terminal.Width

// The styles of the page. Colours only repeat what the words say.
var (
	strong = lipgloss.NewStyle().Bold(true)
	faint  = lipgloss.NewStyle().Faint(true)
	good   = lipgloss.NewStyle().Foreground(lipgloss.Green)
	bad    = lipgloss.NewStyle().Foreground(lipgloss.Red)
)

// label is the part of a line in front of a column: "  want      ".
var label = regexp.MustCompile(`^\s*(\S+ )*\S*\s{2,}`)

// wrap breaks the lines that are wider than the page. What goes over stands
// below the text of its line, not below its label.
func wrap(text string) string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		out = append(out, wrapLine(line)...)
	}
	return strings.Join(out, "\n")
}

func wrapLine(line string) []string {
	if ansi.StringWidth(line) <= width {
		return []string{line}
	}
	hang := len(label.FindString(line))
	if hang > width/2 {
		hang = 2
	}
	first := line[:min(hang, len(line))]
	rest := strings.Split(breakAtSpaces(line[len(first):], width-hang), "\n")
	lines := []string{first + rest[0]}
	for _, more := range rest[1:] {
		lines = append(lines, strings.Repeat(" ", hang)+strings.TrimLeft(more, " "))
	}
	return lines
}

// breakAtSpaces keeps what is to be copied or clicked whole: the library breaks
// at hyphens too.
func breakAtSpaces(text string, width int) string {
	const stand = "\u2011" // a hyphen at which nothing breaks
	return strings.ReplaceAll(ansi.Wrap(strings.ReplaceAll(text, "-", stand), width, ""), stand, "-")
}

// indent moves each line to the right.
func indent(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = "  " + line
		}
	}
	return strings.Join(lines, "\n")
}

// bar draws how much is done.
func bar(n, of int) string {
	const long = 30
	full := 0
	if of > 0 {
		full = n * long / of
	}
	return "[" + strings.Repeat("#", full) + strings.Repeat(".", long-full) + "]"
}
