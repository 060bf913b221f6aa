package watch

import (
	"fmt"
	"path"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// above draws what stands over the verdict: the task, its state, its title and
// its file, and how far the learner has come.
func (m *model) above() []string {
	name := m.strong.Render(m.task().Name)
	switch {
	case m.height < lowest:
		return nil
	case m.height < low:
		return []string{m.clip(strings.TrimRight(name+"  "+m.state(), " ") + "  " + m.tally())}
	}
	left := name + "  " + m.faint.Render(m.short(m.task()))
	lines := apart(left, m.count()+"  "+m.state(), m.width)
	lines = append(lines, wrap("", m.task().Title, m.width)...)
	return append(lines, m.line())
}

// below draws what stands under the verdict: what was done, how files are
// watched, and the keys.
func (m *model) below() []string {
	if m.height < lowest {
		return nil
	}
	keys := m.clip(m.help.ShortHelpView(m.shortcuts()))
	if m.height < low {
		if said := m.said(); len(said) > 0 {
			return said[:min(len(said), m.height-2)]
		}
		return []string{keys}
	}
	lines := append([]string{m.lineBelow()}, m.said()...)
	lines = append(lines, m.status()...)
	return append(lines, keys)
}

// state says how the present task stands.
func (m *model) state() string {
	r, known := m.result()
	switch {
	case m.grading:
		return m.spinner.View() + " " + m.accent.Render("grading")
	case !known:
		return ""
	case r.Passed():
		return m.good.Bold(true).Render(m.pass + " passed")
	case r.Verdict == nil:
		return m.bad.Bold(true).Render(m.fail + " no verdict")
	}
	return m.bad.Bold(true).Render(m.fail + " fails")
}

// count says how many tasks are passed, with a bar.
func (m *model) count() string {
	const length = 10
	full := part(int64(m.passed()), int64(len(m.tasks)), length)
	return m.good.Render(strings.Repeat(m.full, full)) + m.faint.Render(strings.Repeat(m.empty, length-full)) +
		fmt.Sprintf(" %d of %d passed", m.passed(), len(m.tasks))
}

func (m *model) tally() string { return fmt.Sprintf("%d/%d", m.passed(), len(m.tasks)) }

// said is the question, the last news and the worry, a few lines at most.
func (m *model) said() []string {
	var lines []string
	if m.asking {
		question := "put " + m.short(m.task()) + " back as it came? yours is kept (y/n)"
		lines = append(lines, m.painted(m.accent.Render, wrap("", question, m.width))...)
	}
	if m.note != "" {
		lines = append(lines, m.painted(m.accent.Render, wrap("", m.note, m.width))...)
	}
	if m.worry != "" {
		lines = append(lines, m.painted(m.bad.Render, wrap("", m.worry, m.width))...)
	}
	return lines[:min(len(lines), 4)]
}

// status says how the files are watched and how long the last grading took. In
// the list it spells the title that may be cut there.
func (m *model) status() []string {
	if i, ok := m.list.SelectedItem().(item); ok && m.pane == listPane {
		return m.painted(m.faint.Render, wrap("", i.Title, m.width))
	}
	folder := path.Dir(m.short(m.task()))
	watching := "watching " + folder
	if m.polling != nil {
		watching = fmt.Sprintf("looking at %s every %d ms: %v", folder, pollEvery.Milliseconds(), m.polling)
	}
	took := ""
	if _, known := m.result(); known && m.took > 0 {
		took = fmt.Sprintf("graded in %.2f s", m.took.Seconds())
	}
	return m.painted(m.faint.Render, apart(m.clip(clean(watching)), took, m.width))
}

// line draws a line from side to side.
func (m *model) line() string { return m.faint.Render(strings.Repeat(m.rule, m.width)) }

// lineBelow draws the line under what can be scrolled. It says where there is
// more.
func (m *model) lineBelow() string {
	v := m.body
	switch m.pane {
	case listPane:
		return m.line() // the list says itself which page it is
	case helpPane, solutionPane:
		v = m.page
	}
	more := ""
	switch {
	case !v.AtBottom():
		more = " more below: pgdown "
	case !v.AtTop():
		more = " the end; pgup goes back "
	}
	left := m.width - len(more) - 2
	if more == "" || left < 2 {
		return m.line()
	}
	return m.faint.Render(strings.Repeat(m.rule, left)) + m.accent.Render(more) + m.faint.Render(strings.Repeat(m.rule, 2))
}

// clip cuts a line that is too wide, and shows that it was cut.
func (m *model) clip(line string) string { return ansi.Truncate(line, m.width, m.ellipsis) }

// painted renders lines one by one.
func (m *model) painted(render func(...string) string, lines []string) []string {
	for i := range lines {
		lines[i] = render(lines[i])
	}
	return lines
}
