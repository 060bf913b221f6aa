package watch

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/tools/workbook/progress"
	"github.com/torchmem/workbook/tools/workbook/verdicts"
)

// The messages that commands end in. A number tells which watch or which run
// it was: what comes from one that was given up is passed over.
type (
	watchingMsg struct {
		watch   int
		changes <-chan change
	}
	changedMsg struct {
		watch   int
		changes <-chan change
		change  change
	}
	gradedMsg struct {
		run    int
		result verdicts.Result
		took   time.Duration
		err    error
	}
	recordedMsg struct {
		states map[string]progress.State
		err    error
	}
	hintMsg struct {
		task   string
		depth  int
		states map[string]progress.State
		err    error
	}
	resetMsg struct {
		saved string
		err   error
	}
)

// watchTask watches the folder of the present task, and gives up the last one.
func (m *model) watchTask() tea.Cmd {
	m.stopWatch()
	ctx, stop := context.WithCancel(m.life)
	m.stopWatch = stop
	m.watching++
	m.polling = nil
	watch, folder, number := m.watch, m.folder(m.task()), m.watching
	return func() tea.Msg { return watchingMsg{number, watch(ctx, folder)} }
}

// nextChange waits for news of the folder.
func nextChange(watch int, changes <-chan change) tea.Cmd {
	return func() tea.Msg {
		c, open := <-changes
		if !open {
			return nil
		}
		return changedMsg{watch, changes, c}
	}
}

// gradeTask grades the present task, and gives up the last run.
func (m *model) gradeTask() tea.Cmd {
	m.stopRun()
	ctx, stop := context.WithCancel(m.life)
	m.stopRun = stop
	m.run++
	m.grading = true
	w, task, run := m.world, m.task(), m.run
	return tea.Batch(m.spinner.Tick, func() tea.Msg {
		begun := w.now()
		result, err := w.grade(ctx, task)
		return gradedMsg{run, result, w.now().Sub(begun), err}
	})
}

// recordResult saves what came of a run.
func (m *model) recordResult(r verdicts.Result) tea.Cmd {
	w := m.world
	return func() tea.Msg {
		err := w.record(r.Info.Name, r.Passed())
		return recordedMsg{w.states(), err}
	}
}

// showHint asks for one hint more.
func (m *model) showHint() tea.Cmd {
	w, name := m.world, m.task().Name
	return func() tea.Msg {
		depth, err := w.hint(name)
		return hintMsg{name, depth, w.states(), err}
	}
}

// resetTask puts the present task's file back.
func (m *model) resetTask() tea.Cmd {
	reset, task := m.reset, m.task()
	return func() tea.Msg {
		saved, err := reset(task)
		return resetMsg{saved, err}
	}
}

// task is the present one.
func (m *model) task() grade.Info { return m.tasks[m.at] }
