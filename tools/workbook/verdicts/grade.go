package verdicts

import (
	"context"
	"errors"
	"maps"
	"os"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/solutions/tasks"
	"github.com/torchmem/workbook/tools/workbook/project"
)

// Grade grades tasks, and returns their results in the same order. Each
// lesson's folder is compiled once. Where there is no device to grade on, that is an
// error. When the context ends, so do go test and
// the learner's program, and the error is the context's.
func Grade(ctx context.Context, p project.Project, infos []grade.Info) ([]Result, error) {
	limit, err := tasks.TimeLimit()
	if err != nil {
		return nil, err
	}
	lessons := ByLesson(infos, func(i grade.Info) string { return i.Lesson })
	found := make([]map[string]Result, len(lessons))
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(runtime.GOMAXPROCS(0))
	for i, of := range lessons {
		all.Go(func() (err error) {
			found[i], err = gradeLesson(ctx, p, limit, of)
			return err
		})
	}
	if err := all.Wait(); err != nil {
		return nil, err
	}
	results := make([]Result, len(infos))
	for i, info := range infos {
		for _, f := range found {
			if r, ok := f[info.Name]; ok {
				results[i] = r
			}
		}
	}
	return results, nil
}

// ByLesson puts things of the same lesson together, the first lesson first.
func ByLesson[T any](all []T, lesson func(T) string) [][]T {
	var groups [][]T
	index := map[string]int{}
	for _, x := range all {
		at, ok := index[lesson(x)]
		if !ok {
			at = len(groups)
			index[lesson(x)] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], x)
	}
	return groups
}

// gradeLesson returns the results of a lesson's tasks by name.
func gradeLesson(ctx context.Context, p project.Project, limit time.Duration, infos []grade.Info) (map[string]Result, error) {
	temporary, err := os.MkdirTemp("", "workbook")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temporary)
	f := folder{project: p, lesson: infos[0].Lesson, limit: limit, verdicts: temporary}
	before := f.sources(infos)
	results, err := f.grade(ctx, infos)
	if text, unread := os.ReadFile(tasks.ObstacleFile(temporary)); unread == nil {
		return nil, errors.New(string(text))
	}
	f.settle(before, results)
	return results, err
}

// grade runs the tests of a lesson until each task has its result. A file that
// does not compile is then replaced by its original, so that its neighbours can
// be graded; and a program that ends in a fault takes the tests with it that
// would have come after it, which get a run of their own.
func (f folder) grade(ctx context.Context, infos []grade.Info) (map[string]Result, error) {
	results := map[string]Result{}
	broken := f.missing()
	for left := broken.take(results, infos); len(left) > 0; {
		overlay, err := f.originals(broken)
		if err != nil {
			return nil, err
		}
		events, err := f.run(ctx, left, overlay)
		if err != nil {
			return nil, err
		}
		var after []grade.Info
		if found := f.problems(events); len(found) == 0 {
			after = f.read(events, left, results)
		} else if f.replaceable(found, broken) {
			maps.Copy(broken, found)
			left = broken.take(results, left)
			continue
		} else {
			found.into(results, left)
			break
		}
		if len(after) == len(left) {
			f.unreached(events).into(results, after)
			break
		}
		left = after
	}
	return results, nil
}

// read takes the results of the tests that ran, and returns the tasks whose
// test did not.
func (f folder) read(e *events, infos []grade.Info, results map[string]Result) (unreached []grade.Info) {
	for _, i := range infos {
		if test := e.tests[testOf(i)]; test != nil {
			results[i.Name] = f.result(i, test, e)
		} else {
			unreached = append(unreached, i)
		}
	}
	return unreached
}

// testOf returns the name of a task's test.
func testOf(i grade.Info) string { return "Test" + i.Func }

// missing returns a problem for each file that is not there. Without it the
// others do not compile.
func (f folder) missing() problems {
	all := problems{}
	for _, i := range tasks.Of(f.lesson) {
		if _, err := os.Stat(f.project.File(i)); err != nil {
			all[i.File()] = problem{
				what: "is missing",
				text: f.project.Short(i) + " is missing; go run ./tools/workbook reset " + i.Name + " puts it back",
			}
		}
	}
	return all
}
