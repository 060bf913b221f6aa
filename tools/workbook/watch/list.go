package watch

import (
	"fmt"
	"io"
	"strings"

	"charm.land/bubbles/v2/list"
	"charm.land/bubbles/v2/paginator"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/runtime/units"
	"github.com/torchmem/workbook/tools/workbook/progress"
)

// item is a task in the list.
type item struct {
	grade.Info
	state progress.State
	// name is as wide as the widest of all.
	name string
}

// FilterValue makes an item one of a list. The list is not filtered.
func (i item) FilterValue() string { return i.Name }

// items are all tasks as they stand.
func (m *model) items() []list.Item {
	wide := 0
	for _, i := range m.tasks {
		wide = max(wide, ansi.StringWidth(i.Name))
	}
	var all []list.Item
	for _, i := range m.tasks {
		all = append(all, item{i, m.states[i.Name], pad(i.Name, wide)})
	}
	return all
}

func newList(m model) list.Model {
	l := list.New(m.items(), row{}, 80, 20)
	l.SetShowTitle(false)
	l.SetShowStatusBar(false)
	l.SetShowHelp(false)
	l.SetFilteringEnabled(false)
	l.DisableQuitKeybindings()
	l.Paginator.Type = paginator.Arabic
	return l
}

// row draws an item as one line.
type row struct{ styles }

// Height and the other methods make row the list's delegate.
func (row) Height() int { return 1 }

// Spacing is the number of lines between two items.
func (row) Spacing() int { return 0 }

// Update takes no messages.
func (row) Update(tea.Msg, *list.Model) tea.Cmd { return nil }

// Render draws an item: its state, its lesson and name, and its title.
func (r row) Render(w io.Writer, l list.Model, index int, shown list.Item) {
	i, ok := shown.(item)
	if !ok {
		return
	}
	state := r.faint.Render(pad(stateOf(i.state), 10))
	mark := " "
	if !i.state.Passed.IsZero() {
		mark = r.good.Render(r.pass)
		state = r.good.Render(pad("passed", 10))
	}
	pointer, name := " ", i.name
	if index == l.Index() {
		pointer, name = r.accent.Render(r.pointer), r.accent.Bold(true).Render(name)
	}
	line := fmt.Sprintf("%s %s %s  %s  %s  %s", pointer, mark, i.Lesson, name, state, clean(i.Title))
	fmt.Fprint(w, ansi.Truncate(line, l.Width(), r.ellipsis))
}

// stateOf says how a task stands that is not passed.
func stateOf(s progress.State) string {
	if s.Attempts == 0 {
		return "not tried"
	}
	return strings.Replace(units.Count(s.Attempts, "try"), "trys", "tries", 1)
}
