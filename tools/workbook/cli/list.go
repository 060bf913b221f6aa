package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/solutions/tasks"
	"github.com/torchmem/workbook/tools/workbook/progress"
	"github.com/torchmem/workbook/tools/workbook/project"
	"github.com/torchmem/workbook/tools/workbook/terminal"
)

func (a *app) list() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "All tasks, and how far you are",
		Long: `list shows all tasks by lesson: the number, the name, the file, and whether you
have passed it.

--json prints {"passed": 1, "total": 2, "tasks": [...]}. A task has name,
lesson, number, func, title, file, state ("passed", "tried" or "new"), attempts,
hints_shown, and passed_at if it is passed.`,
		Args: noTask,
		RunE: func(*cobra.Command, []string) error {
			p, done, err := a.open()
			if err != nil {
				return err
			}
			rows := rowsOf(p, done)
			if a.json {
				return a.printJSON(rows)
			}
			return a.print(rows.text())
		},
	}
}

// row is a task with what the learner did.
type row struct {
	Name       string     `json:"name"`
	Lesson     string     `json:"lesson"`
	Number     string     `json:"number"`
	Func       string     `json:"func"`
	Title      string     `json:"title"`
	File       string     `json:"file"`
	State      string     `json:"state"`
	Attempts   int        `json:"attempts"`
	HintsShown int        `json:"hints_shown"`
	PassedAt   *time.Time `json:"passed_at,omitempty"`
}

func rowOf(p project.Project, done *progress.Progress, i grade.Info) row {
	s := done.Of(i.Name)
	r := row{
		Name: i.Name, Lesson: i.Lesson, Number: tasks.Number(i), Func: i.Func, Title: i.Title,
		File: p.Short(i), State: "new", Attempts: s.Attempts, HintsShown: s.Hints,
	}
	switch {
	case !s.Passed.IsZero():
		r.State, r.PassedAt = "passed", &s.Passed
	case s.Attempts > 0:
		r.State = "tried"
	}
	return r
}

// state says it in words.
func (r row) state() string {
	switch r.State {
	case "passed":
		return good.Render("passed")
	case "tried":
		return "tried " + terminal.Times(r.Attempts)
	}
	return faint.Render("not tried")
}

// table is all tasks.
type table struct {
	Passed int   `json:"passed"`
	Total  int   `json:"total"`
	Tasks  []row `json:"tasks"`
}

func rowsOf(p project.Project, done *progress.Progress) table {
	t := table{Tasks: []row{}}
	for _, i := range tasks.All() {
		r := rowOf(p, done, i)
		t.Tasks = append(t.Tasks, r)
		t.Total++
		if r.State == "passed" {
			t.Passed++
		}
	}
	return t
}

// text draws the table.
func (t table) text() string {
	var s strings.Builder
	lesson := ""
	for _, r := range t.Tasks {
		if r.Lesson != lesson {
			lesson = r.Lesson
			fmt.Fprintf(&s, "%s\n", strong.Render("Lesson "+lesson))
		}
		fmt.Fprintf(&s, "  %-6s%-16s %-36s %s\n", r.Number, r.Name, r.File, r.state())
		fmt.Fprintf(&s, "%s\n", wrap("        "+r.Title))
	}
	fmt.Fprintf(&s, "\n%s %s\n", bar(t.Passed, t.Total), t.sum())
	return s.String()
}

// sum says how far the learner is.
func (t table) sum() string {
	if t.Passed == t.Total {
		return fmt.Sprintf("all %d tasks are passed", t.Total)
	}
	return fmt.Sprintf("%d of %d tasks are passed", t.Passed, t.Total)
}
