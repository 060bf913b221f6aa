package watch

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"time"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/solutions"
	"github.com/torchmem/workbook/solutions/tasks"
	"github.com/torchmem/workbook/tools/workbook/progress"
	"github.com/torchmem/workbook/tools/workbook/project"
	"github.com/torchmem/workbook/tools/workbook/verdicts"
)

// world is what a model reaches outside of itself. Tests make their own.
type world struct {
	tasks []grade.Info
	// short and folder say where a task's file is: as messages spell it, and
	// the absolute path of its folder.
	short, folder func(grade.Info) string
	// answer returns the source of a task's answer.
	answer func(grade.Info) ([]byte, error)
	now    func() time.Time

	// The others take time, and are called by commands only.
	grade  func(context.Context, grade.Info) (verdicts.Result, error)
	watch  func(context.Context, string) <-chan change
	reset  func(grade.Info) (saved string, err error)
	record func(name string, passed bool) error
	hint   func(name string) (depth int, err error)
	states func() map[string]progress.State
}

// worldOf is the world of a learner. Who holds work keeps it
// from grading.
func worldOf(p project.Project, kept *progress.Progress, work *sync.RWMutex) world {
	w := world{
		tasks:  tasks.All(),
		short:  p.Short,
		folder: func(i grade.Info) string { return filepath.Dir(p.File(i)) },
		answer: func(i grade.Info) ([]byte, error) { return solutions.Answer(i.Lesson, i.File()) },
		now:    time.Now,
		watch:  watchFolder,
		hint:   kept.ShowHint,
	}
	w.grade = func(ctx context.Context, i grade.Info) (verdicts.Result, error) {
		work.RLock()
		defer work.RUnlock()
		results, err := verdicts.Grade(ctx, p, []grade.Info{i})
		if err != nil {
			return verdicts.Result{}, err
		}
		if len(results) != 1 {
			return verdicts.Result{}, errors.New("the grader has not answered")
		}
		return results[0], nil
	}
	w.record = func(name string, passed bool) error { return kept.Record(name, passed, time.Now()) }
	w.reset = func(i grade.Info) (string, error) {
		saved, err := p.Reset(i, time.Now())
		if short, failed := filepath.Rel(p.Root, saved); saved != "" && failed == nil {
			saved = filepath.ToSlash(short)
		}
		return saved, err
	}
	w.states = func() map[string]progress.State {
		all := map[string]progress.State{}
		for _, i := range w.tasks {
			all[i.Name] = kept.Of(i.Name)
		}
		return all
	}
	return w
}
