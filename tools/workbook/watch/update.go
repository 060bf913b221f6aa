package watch

import (
	"fmt"

	"charm.land/bubbles/v2/spinner"
	tea "charm.land/bubbletea/v2"

	"github.com/torchmem/workbook/tools/workbook/verdicts"
)

// Update takes a message.
func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if tick, ok := msg.(spinner.TickMsg); ok {
		return m.ticked(tick)
	}
	cmd := m.take(msg)
	m.arrange()
	return m, cmd
}

// ticked turns the spinner while there is something to wait for.
func (m model) ticked(tick spinner.TickMsg) (tea.Model, tea.Cmd) {
	if !m.grading {
		return m, nil
	}
	var cmd tea.Cmd
	m.spinner, cmd = m.spinner.Update(tick)
	return m, cmd
}

func (m *model) take(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.ColorProfileMsg:
		m.wear(msg.Profile)
	case tea.KeyPressMsg:
		return m.press(msg)
	case startMsg:
		return m.watchTask()
	case watchingMsg:
		if msg.watch == m.watching {
			return tea.Batch(nextChange(msg.watch, msg.changes), m.gradeTask())
		}
	case changedMsg:
		return m.changed(msg)
	case gradedMsg:
		return m.graded(msg)
	case recordedMsg:
		m.states = msg.states
		m.worried(msg.err)
	case hintMsg:
		m.hinted(msg)
	case resetMsg:
		m.putBack(msg)
	}
	return nil
}

// changed takes news of the folder.
func (m *model) changed(msg changedMsg) tea.Cmd {
	if msg.watch != m.watching {
		return nil
	}
	if msg.change.polling != nil {
		m.polling = msg.change.polling
	}
	wait := nextChange(msg.watch, msg.changes)
	if !msg.change.saved {
		return wait
	}
	return tea.Batch(wait, m.gradeTask())
}

// graded takes what came of a run. One that did not come to its end is no
// attempt.
func (m *model) graded(msg gradedMsg) tea.Cmd {
	if msg.run != m.run {
		return nil
	}
	m.grading, m.took = false, msg.took
	before, known := m.result()
	r := msg.result
	r.Info = m.task()
	if msg.err != nil {
		r = verdicts.Result{Info: m.task(), Problem: msg.err.Error()}
	}
	m.results[r.Info.Name] = r
	if !known || before.Passed() != r.Passed() || before.Problem != r.Problem {
		m.body.GotoTop()
	}
	if r.Verdict == nil {
		return nil // what could not be graded is no attempt
	}
	return m.recordResult(r)
}

func (m *model) hinted(msg hintMsg) {
	m.states = msg.states
	m.worried(msg.err)
	if msg.task != m.task().Name {
		return
	}
	if m.hints == len(m.task().Hints) {
		m.note = "that was the last hint"
	}
	m.hints = min(max(msg.depth, 1), len(m.task().Hints))
	m.body.GotoTop()
}

func (m *model) putBack(msg resetMsg) {
	switch {
	case msg.err != nil:
		m.note = msg.err.Error()
	case msg.saved == "":
		m.note = m.short(m.task()) + " is as it came"
	default:
		m.note = fmt.Sprintf("%s is as it came; yours is kept in %s", m.short(m.task()), msg.saved)
	}
}

// worried keeps an error of the progress on the screen until a save works.
func (m *model) worried(err error) {
	m.worry = ""
	if err != nil {
		m.worry = err.Error()
	}
}
