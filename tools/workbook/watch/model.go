package watch

import (
	"context"
	"fmt"
	"slices"
	"time"

	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/list"
	"charm.land/bubbles/v2/spinner"
	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/tools/workbook/progress"
	"github.com/torchmem/workbook/tools/workbook/verdicts"
)

// pane is what fills the middle of the screen.
type pane int

const (
	verdictPane pane = iota
	listPane
	helpPane
	solutionPane
)

// model is all that the view knows.
type model struct {
	world
	// life ends with the program.
	life context.Context
	styles
	keys          keys
	width, height int

	// at is the present task, states what is known of all.
	at     int
	states map[string]progress.State
	// results are the last of each task. That of the present one is old
	// while it is being graded.
	results map[string]verdicts.Result
	took    time.Duration
	// hints is how many are on the screen.
	hints int

	run     int
	grading bool
	stopRun context.CancelFunc

	watching  int
	polling   error
	stopWatch context.CancelFunc

	pane pane
	// asking is the question whether to put the file back.
	asking bool
	// note is the last thing that was done, worry what went wrong with the
	// progress.
	note, worry string

	body, page viewport.Model
	list       list.Model
	spinner    spinner.Model
	help       help.Model
}

// newModel starts at a task, or for "" at the first that is not passed.
func newModel(life context.Context, w world, start string) (model, error) {
	m := model{
		world: w, life: life, keys: newKeys(),
		width: 80, height: 24,
		states: w.states(), results: map[string]verdicts.Result{},
		stopRun: func() {}, stopWatch: func() {},
		spinner: spinner.New(), help: help.New(),
		body: newViewport(), page: newViewport(),
	}
	if m.at = firstTask(w.tasks, m.states, start); m.at < 0 {
		return m, fmt.Errorf("there is no task %q; see them all: go run ./tools/workbook list", start)
	}
	m.list = newList(m)
	m.wear(colorprofile.ANSI)
	m.arrange()
	return m, nil
}

// firstTask returns the index of the task to start with, or -1.
func firstTask(all []grade.Info, states map[string]progress.State, start string) int {
	if start == "" && len(all) > 0 {
		return max(0, slices.IndexFunc(all, func(i grade.Info) bool { return states[i.Name].Passed.IsZero() }))
	}
	return slices.IndexFunc(all, func(i grade.Info) bool { return i.Name == start })
}

// Init watches first and grades then, so that no save falls between.
func (m model) Init() tea.Cmd { return func() tea.Msg { return startMsg{} } }

// startMsg begins it all. Init cannot: it has no model to return.
type startMsg struct{}

// wear puts on the styles of a terminal.
func (m *model) wear(p colorprofile.Profile) {
	m.styles = stylesFor(p)
	m.spinner.Spinner = m.styles.spinner
	m.spinner.Style = m.accent
	m.help.Ellipsis = m.ellipsis
	m.help.Styles = help.Styles{
		ShortKey: m.accent, ShortDesc: m.faint, ShortSeparator: m.faint, Ellipsis: m.faint,
	}
	m.list.SetDelegate(row{m.styles})
}

// result returns the last of the present task.
func (m *model) result() (verdicts.Result, bool) {
	r, ok := m.results[m.task().Name]
	return r, ok
}

// passed counts the tasks that were passed.
func (m *model) passed() int {
	n := 0
	for _, i := range m.tasks {
		if m.isPassed(i) {
			n++
		}
	}
	return n
}

func (m *model) isPassed(i grade.Info) bool { return !m.states[i.Name].Passed.IsZero() }

// next returns the index of the next task that is not passed, or the present
// one where there is no other.
func (m *model) next() int {
	for k := 1; k < len(m.tasks); k++ {
		if at := (m.at + k) % len(m.tasks); !m.isPassed(m.tasks[at]) {
			return at
		}
	}
	return m.at
}
