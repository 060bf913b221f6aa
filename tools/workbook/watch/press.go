package watch

import (
	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"
)

// press takes a key.
func (m *model) press(msg tea.KeyPressMsg) tea.Cmd {
	m.note = ""
	switch {
	case key.Matches(msg, m.keys.quit):
		return m.end()
	case key.Matches(msg, m.keys.suspend):
		return tea.Suspend
	case m.asking:
		m.asking = false
		if key.Matches(msg, m.keys.yes) {
			return m.resetTask()
		}
		m.note = "nothing was changed"
		return nil
	case m.pane == listPane:
		return m.pressInList(msg)
	case m.pane != verdictPane:
		return m.pressInPage(msg)
	}
	return m.pressInVerdict(msg)
}

// end stops what runs.
func (m *model) end() tea.Cmd {
	m.stopRun()
	m.stopWatch()
	return tea.Quit
}

func (m *model) pressInVerdict(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(msg, m.keys.hint):
		return m.showHint()
	case key.Matches(msg, m.keys.next):
		return m.goOn()
	case key.Matches(msg, m.keys.list):
		m.pane = listPane
		m.list.Select(m.at)
	case key.Matches(msg, m.keys.reset):
		m.asking = true
	case key.Matches(msg, m.keys.again):
		return m.gradeTask()
	case key.Matches(msg, m.keys.solution):
		m.openSolution()
	case key.Matches(msg, m.keys.help):
		m.openPage(helpPane)
	case key.Matches(msg, m.keys.back):
		m.hints = 0
	default:
		return m.scroll(&m.body, msg)
	}
	return nil
}

func (m *model) pressInPage(msg tea.KeyPressMsg) tea.Cmd {
	opened := m.keys.help
	if m.pane == solutionPane {
		opened = m.keys.solution
	}
	if key.Matches(msg, m.keys.back, opened) {
		m.pane = verdictPane
		return nil
	}
	return m.scroll(&m.page, msg)
}

func (m *model) pressInList(msg tea.KeyPressMsg) (cmd tea.Cmd) {
	switch {
	case key.Matches(msg, m.keys.back, m.keys.list):
		m.pane = verdictPane
	case key.Matches(msg, m.keys.choose):
		m.pane = verdictPane
		return m.show(m.list.Index())
	default:
		m.list, cmd = m.list.Update(msg)
	}
	return cmd
}

// scroll hands a key to a viewport.
func (m *model) scroll(v *viewport.Model, msg tea.KeyPressMsg) (cmd tea.Cmd) {
	switch {
	case key.Matches(msg, m.keys.top):
		v.GotoTop()
	case key.Matches(msg, m.keys.bottom):
		v.GotoBottom()
	default:
		*v, cmd = v.Update(msg)
	}
	return cmd
}

// goOn shows the next task that is not passed.
func (m *model) goOn() tea.Cmd {
	at := m.next()
	switch {
	case at != m.at:
		return m.show(at)
	case m.isPassed(m.task()):
		m.note = "all tasks are passed; the list shows them (key l)"
	default:
		m.note = "this is the only task that is not passed yet"
	}
	return nil
}

// show shows a task and grades it.
func (m *model) show(at int) tea.Cmd {
	if at == m.at || at < 0 || at >= len(m.tasks) {
		return nil
	}
	m.stopRun()
	m.run++ // what still comes from the last run is too late
	m.at, m.hints, m.took, m.grading = at, 0, 0, true
	m.body.GotoTop()
	m.body.SetXOffset(0)
	return m.watchTask()
}

// openSolution shows the answer, to those who have found one.
func (m *model) openSolution() {
	if !m.isPassed(m.task()) {
		m.note = "the solution is shown when the task is passed; a hint is closer (key h)"
		return
	}
	m.openPage(solutionPane)
}

func (m *model) openPage(p pane) {
	m.pane = p
	m.arrange() // a page that is still empty cannot scroll
	m.page.GotoTop()
	m.page.SetXOffset(0)
}
