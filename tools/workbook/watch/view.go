package watch

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

const (
	// low is the height below which a screen has one line above and one
	// below, so that the verdict keeps some room.
	low = 15
	// narrow is the width below which the keys stand closer together.
	narrow = 70
	// lowest is the height below which nothing but the verdict has room.
	lowest = 4
)

// View draws the model. All was arranged by Update.
func (m model) View() tea.View {
	v := tea.NewView(strings.Join(m.screen(), "\n"))
	v.AltScreen = true
	return v
}

// screen returns the lines of the screen: no more than fit, and none wider.
func (m *model) screen() []string {
	lines := append(m.above(), strings.Split(m.middle(), "\n")...)
	below := m.below()
	room := max(0, m.height-len(below))
	for len(lines) < room {
		lines = append(lines, "")
	}
	lines = append(lines[:room], below...)
	lines = lines[:min(len(lines), m.height)]
	for i := range lines {
		lines[i] = ansi.Truncate(lines[i], m.width, "")
	}
	return lines
}

// middle draws what can be scrolled.
func (m *model) middle() string {
	switch m.pane {
	case listPane:
		return m.list.View()
	case verdictPane:
		return m.body.View()
	}
	return m.page.View()
}

// arrange gives each part its place, and fills those that scroll.
func (m *model) arrange() {
	height := max(0, m.height-len(m.above())-len(m.below()))
	m.body.SetWidth(m.width)
	m.body.SetHeight(height)
	m.page.SetWidth(m.width)
	m.page.SetHeight(height)
	m.list.SetSize(m.width, height)
	m.help.SetWidth(m.width)
	m.help.ShortSeparator = m.between
	if m.width < narrow {
		m.help.ShortSeparator = "  "
	}
	m.body.SetContentLines(m.verdictLines())
	switch m.pane {
	case listPane:
		m.list.SetItems(m.items())
	case helpPane:
		m.page.SetContentLines(m.helpLines())
	case solutionPane:
		m.page.SetContentLines(m.solutionLines())
	}
}
