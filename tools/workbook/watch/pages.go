package watch

import (
	"strings"

	"charm.land/bubbles/v2/key"
)

// helpLines lists all keys, and says what the view does by itself.
func (m *model) helpLines() []string {
	k := m.keys
	entries := []struct {
		key  key.Binding
		does string
	}{
		{k.hint, "show a hint; each press goes deeper, and there are three"},
		{k.next, "go to the next task that is not passed"},
		{k.list, "list all tasks and choose one"},
		{k.reset, "put the file back as it came; yours is kept"},
		{k.again, "grade again (so does enter)"},
		{k.solution, "show the solution of a task that you have passed"},
		{k.scroll, "scroll; pgup, pgdown, home and end go further"},
		{k.sideways, "scroll sideways where a segment map is wider than the screen"},
		{k.back, "hide the hints; go back from a list or a page"},
		{k.suspend, "go to the shell; fg comes back"},
		{k.quit, "quit (so does ctrl+c)"},
	}
	text := "Write in your editor and save. The task is graded at once, and a save while it is being graded starts anew."
	lines := append(wrap("", text, m.width), "")
	for _, e := range entries {
		lines = append(lines, wrap(pad(e.key.Help().Key, 12), e.does, m.width)...)
	}
	bars := "A bar is what was used. Its end is the limit; where it is over, " + m.limit + " marks the limit."
	return append(append(lines, ""), wrap("", bars, m.width)...)
}

// solutionLines shows the source of the answer.
func (m *model) solutionLines() []string {
	i := m.task()
	source, err := m.answer(i)
	if err != nil {
		return wrap("", err.Error(), m.width)
	}
	title := m.strong.Render("one solution: solutions/" + i.Lesson + "/" + i.File())
	return append([]string{m.clip(title), ""}, strings.Split(strings.TrimSpace(clean(string(source))), "\n")...)
}
