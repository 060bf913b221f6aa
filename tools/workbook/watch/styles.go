package watch

import (
	"charm.land/bubbles/v2/spinner"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/torchmem/workbook/runtime/report"
)

// styles say how things look. The colours are the first of the terminal's own,
// which its owner can read on its background.
type styles struct {
	plain, strong, faint lipgloss.Style
	good, bad, accent    lipgloss.Style
	// maps is how segments are drawn in some columns.
	maps func(width int) report.Style
	glyphs
}

// glyphs are the characters that are no text.
type glyphs struct {
	full, empty, limit      string
	pass, fail, pointer     string
	rule, between, ellipsis string
	spinner                 spinner.Spinner
}

var (
	drawn = glyphs{
		full: "█", empty: "░", limit: "┃",
		pass: "✓", fail: "✗", pointer: "›",
		rule: "─", between: " · ", ellipsis: "…",
		spinner: spinner.MiniDot,
	}
	ascii = glyphs{
		full: "#", empty: ".", limit: "|",
		pass: "+", fail: "x", pointer: ">",
		rule: "-", between: "  ", ellipsis: "...",
		spinner: spinner.Line,
	}
)

// stylesFor returns those of a terminal. Where there are no colours, all is
// ASCII.
func stylesFor(p colorprofile.Profile) styles {
	s := lipgloss.NewStyle()
	if p <= colorprofile.ASCII {
		return styles{
			plain: s, strong: s.Bold(true), faint: s.Faint(true),
			good: s.Bold(true), bad: s.Bold(true), accent: s.Bold(true),
			maps: report.Plain, glyphs: ascii,
		}
	}
	return styles{
		plain: s, strong: s.Bold(true), faint: s.Faint(true),
		good: s.Foreground(lipgloss.Green), bad: s.Foreground(lipgloss.Red), accent: s.Foreground(lipgloss.Cyan),
		maps: report.Blocks, glyphs: drawn,
	}
}

// mark is that of something which holds or fails.
func (s styles) mark(ok bool) string {
	if ok {
		return s.good.Render(s.pass)
	}
	return s.bad.Render(s.fail)
}
