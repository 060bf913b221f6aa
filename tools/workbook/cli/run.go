package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/runtime/output"
	"github.com/torchmem/workbook/solutions/tasks"
	"github.com/torchmem/workbook/tools/misuse"
	"github.com/torchmem/workbook/tools/workbook/progress"
	"github.com/torchmem/workbook/tools/workbook/project"
	"github.com/torchmem/workbook/tools/workbook/verdicts"
)

func (a *app) run() *cobra.Command {
	page := ""
	c := &cobra.Command{
		Use:   "run [N...]",
		Short: "Grade tasks",
		Long: `run compiles your file, runs it on a simulated GPU, and says what it did to
memory. Without N it grades the next task.

A program that runs longer than a minute is ended. The environment variable
WORKBOOK_TIME_LIMIT sets another limit: 10s, 5m.

--json prints an array with one object for each task: name, lesson, passed,
seconds, printed (what your code printed), and either verdict or problem. A
verdict has checks, each with case, metric, ok, got, want, and, where there is a
limit, amount with got and limit as numbers.`,
		Example: `  go run ./tools/workbook run segments     one task
  go run ./tools/workbook run 05 06.1      a lesson, and a task of another
  go run ./tools/workbook run segments --html page.html`,
		RunE: func(c *cobra.Command, args []string) error {
			if page == "" && c.Flags().Changed("html") {
				return misuse.Newf("--html is empty: it wants the name of a file")
			}
			if err := ask(page, args); err != nil {
				return err
			}
			return a.runTasks(c.Context(), args)
		},
	}
	c.Flags().StringVar(&page, "html", "", "also write to this `FILE` a page for the browser: who held how many bytes, and when")
	return c
}

// ask asks the test of a task for a page. It is another process, in another
// folder.
func ask(page string, args []string) error {
	if page == "" {
		return nil
	}
	infos, err := findAll(args)
	if err != nil {
		return err
	}
	if len(infos) > 1 {
		return misuse.Newf("--html shows one task, %d are named", len(infos))
	}
	file, err := filepath.Abs(page)
	if err != nil {
		return err
	}
	// Tell at once if it cannot be written, and leave what is there until then.
	if err := output.Check([]output.File{{Flag: "html", Name: file}}); err != nil {
		return err
	}
	return os.Setenv(tasks.PageVariable, file)
}

// runTasks grades the tasks that are named, or the next one.
func (a *app) runTasks(ctx context.Context, args []string) error {
	p, done, err := a.open()
	if err != nil {
		return err
	}
	infos, err := findAll(args)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		next, ok := firstOpen(done)
		if !ok {
			return a.nothingLeft(outcomes(nil))
		}
		infos = []grade.Info{next}
	}
	results, err := a.gradeNow(ctx, p, infos)
	if err != nil {
		return err
	}
	a.record(done, results)
	if a.json {
		err = a.printJSON(outcomes(results))
	} else {
		err = a.print(verdictsText(p, done, results))
	}
	if err != nil {
		return err
	}
	return allPassed(results)
}

// gradeNow grades, and shows on a terminal that it is at work.
func (a *app) gradeNow(ctx context.Context, p project.Project, infos []grade.Info) ([]verdicts.Result, error) {
	what := names(infos)
	if len(infos) > 3 {
		what = fmt.Sprintf("%d tasks", len(infos))
	}
	defer a.spin("compiling and grading " + what)()
	return verdicts.Grade(ctx, p, infos)
}

// record notes the verdicts. What could not be graded is no attempt.
func (a *app) record(done *progress.Progress, results []verdicts.Result) {
	for _, r := range results {
		if r.Verdict != nil {
			if err := done.Record(r.Info.Name, r.Passed(), time.Now()); err != nil {
				a.warn(err)
				return
			}
		}
	}
}

// allPassed is errFailed where a result is no pass.
func allPassed(results []verdicts.Result) error {
	for _, r := range results {
		if !r.Passed() {
			return errFailed
		}
	}
	return nil
}

// verdictsText is the page for some results.
func verdictsText(p project.Project, done *progress.Progress, results []verdicts.Result) string {
	var s strings.Builder
	passed := 0
	for n, r := range results {
		if n > 0 {
			s.WriteString("\n" + strings.Repeat("-", width) + "\n\n")
		}
		s.WriteString(resultText(r))
		if r.Passed() {
			passed++
		}
	}
	if len(results) > 1 {
		fmt.Fprintf(&s, "\n%d of %d pass\n", passed, len(results))
	}
	if passed == len(results) {
		s.WriteString("\n" + afterPass(p, done, results))
	}
	return s.String()
}
