package doctor

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

// width is that of the page, in columns.
const width = 80

// The colours of the states. A writer without colours leaves them away.
var colours = map[State]lipgloss.Style{
	OK:      lipgloss.NewStyle().Foreground(lipgloss.Green),
	Note:    lipgloss.NewStyle().Foreground(lipgloss.Yellow),
	Problem: lipgloss.NewStyle().Foreground(lipgloss.Red),
}

// stateWidth is the column of the states.
const stateWidth = len("problem") + 2

// writeText prints findings for a reader.
func writeText(out io.Writer, findings []Finding) error {
	var page strings.Builder
	for _, f := range findings {
		page.WriteString(colours[f.State].Render(string(f.State)))
		page.WriteString(strings.Repeat(" ", stateWidth-len(f.State)))
		page.WriteString(indented(f.Check + ": " + f.Is)[stateWidth:])
		if f.Do != "" {
			page.WriteString(indented("-> " + f.Do))
		}
		for _, line := range f.Type { // whole, to be copied
			page.WriteString(strings.Repeat(" ", stateWidth) + line + "\n")
		}
	}
	page.WriteString("\n" + summary(problemsIn(findings)) + "\n")
	if _, err := io.WriteString(plainer(out), page.String()); err != nil {
		return fmt.Errorf("write the findings: %w", err)
	}
	return nil
}

// indented breaks a text into lines to the right of the states.
func indented(text string) string {
	var lines strings.Builder
	for line := range strings.Lines(lipgloss.Wrap(text, width-stateWidth, "")) {
		lines.WriteString(strings.Repeat(" ", stateWidth) + strings.TrimRight(line, " \n") + "\n")
	}
	return lines.String()
}

func summary(problems int) string {
	switch problems {
	case 0:
		return "All that the exercises need is there."
	case 1:
		return "One problem stands in the way of the exercises."
	}
	return fmt.Sprintf("%d problems stand in the way of the exercises.", problems)
}

// writeJSON prints findings for a program.
func writeJSON(out io.Writer, findings []Finding) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	err := e.Encode(struct {
		Healthy bool      `json:"healthy"`
		Checks  []Finding `json:"checks"`
	}{isHealthy(findings), findings})
	if err != nil {
		return fmt.Errorf("write the findings: %w", err)
	}
	return nil
}

// plainer returns a writer that shows colours only on a terminal, and only if
// somebody wants them.
func plainer(out io.Writer) io.Writer {
	out = end(out)
	w := colorprofile.NewWriter(out, os.Environ())
	if os.Getenv("NO_COLOR") != "" || !isTerminal(out) {
		w.Profile = colorprofile.NoTTY
	}
	return w
}

// end returns where a writer that drops colours writes to.
func end(out io.Writer) io.Writer {
	if w, ok := out.(*colorprofile.Writer); ok {
		return w.Forward
	}
	return out
}

// oneLine joins the lines of a text.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
