package watch

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/dustin/go-humanize"

	"github.com/torchmem/workbook/tools/workbook/verdicts"
)

// verdictLines draws the middle of the screen: the hints that were asked for,
// and the last result. A result that is being replaced is dimmed.
func (m *model) verdictLines() []string {
	lines := append(m.titleLines(), m.hintLines()...)
	r, known := m.result()
	if !known {
		return append(lines, wrap("", "The first verdict may take a minute, since Go compiles the workbook once. Later ones take about a second.", m.width)...)
	}
	shown := m.resultLines(r)
	if m.grading {
		for i := range shown {
			shown[i] = m.faint.Render(ansi.Strip(shown[i]))
		}
	}
	return append(lines, shown...)
}

// titleLines are for a low screen, which has no room for the title above.
func (m *model) titleLines() []string {
	if m.height >= low {
		return nil
	}
	lines := m.painted(m.strong.Render, wrap("", m.task().Title, m.width))
	return append(lines, m.painted(m.faint.Render, wrap("", m.short(m.task()), m.width))...)
}

// hintLines draws the hints, the last one strongest.
func (m *model) hintLines() []string {
	var lines []string
	hints := m.task().Hints
	for i, hint := range hints[:m.hints] {
		render := m.faint.Render
		if i == m.hints-1 {
			render = m.plain.Render
		}
		head := fmt.Sprintf("hint %d of %d  ", i+1, len(hints))
		lines = append(lines, m.painted(render, wrap(head, hint, m.width))...)
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	return lines
}

func (m *model) resultLines(r verdicts.Result) []string {
	var lines []string
	if r.Verdict == nil {
		lines = m.problemLines(r.Problem)
	} else {
		lines = m.verdict(r.Verdict)
	}
	return append(lines, m.outputLines(r.Output)...)
}

// longOutput is how much of what a program printed is shown, in bytes.
const longOutput = 8 << 10

// outputLines shows what the learner's program printed, or the end of it.
func (m *model) outputLines(output string) []string {
	title := "printed by the program"
	if cut := len(output) - longOutput; cut > 0 {
		output = strings.ToValidUTF8(output[cut:], "")
		title += fmt.Sprintf(" (without the first %s bytes)", humanize.Comma(int64(cut)))
	}
	if output = strings.TrimSpace(clean(output)); output == "" {
		return nil
	}
	lines := append([]string{""}, m.painted(m.strong.Render, wrap("", title, m.width))...)
	return append(lines, wrap("  ", output, m.width)...)
}

// located is a message that begins with its place.
var located = regexp.MustCompile(`^(\S+\.go:\d+(?::\d+)?): (.+)$`)

// problemLines shows why there is no verdict, each message before its place.
func (m *model) problemLines(problem string) []string {
	var lines []string
	for _, line := range strings.Split(strings.TrimSpace(clean(problem)), "\n") {
		found := located.FindStringSubmatch(line)
		switch {
		case found != nil:
			lines = append(lines, m.painted(m.bad.Bold(true).Render, wrap("", found[2], m.width))...)
			lines = append(lines, m.painted(m.accent.Render, wrap("    ", found[1], m.width))...)
		case len(lines) == 0:
			lines = append(lines, m.painted(m.bad.Bold(true).Render, wrap("", line, m.width))...)
		default:
			lines = append(lines, wrap("", line, m.width)...)
		}
	}
	return lines
}
