package cli

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"github.com/spf13/cobra"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/solutions"
	"github.com/torchmem/workbook/solutions/tasks"
	"github.com/torchmem/workbook/tools/workbook/progress"
	"github.com/torchmem/workbook/tools/workbook/project"
)

func (a *app) next() *cobra.Command {
	return &cobra.Command{
		Use:   "next",
		Short: "What to do now: the first task that is not passed",
		Long: `next shows the first task that you have not passed: what is to be done, in which
file, what is graded, and how to grade it.

--json prints {"done": false, "task": {...}}. The task is that of list --json,
with about (the text above the function), graded (an array of case, metric, and
want where there is a limit), and command. When all are passed it prints
{"done": true}.`,
		Args: noTask,
		RunE: func(c *cobra.Command, _ []string) error {
			p, done, err := a.open()
			if err != nil {
				return err
			}
			i, ok := firstOpen(done)
			if !ok {
				return a.nothingLeft(map[string]bool{"done": true})
			}
			t, err := a.assignmentOf(p, done, i)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(map[string]any{"done": false, "task": t})
			}
			return a.print(t.text())
		},
	}
}

// assignment is a task with all that is to be known before one starts.
type assignment struct {
	row
	About   string      `json:"about"`
	Graded  []grade.Ask `json:"graded"`
	Command string      `json:"command"`
}

func (a *app) assignmentOf(p project.Project, done *progress.Progress, i grade.Info) (assignment, error) {
	about, err := aboutOf(i)
	if err != nil {
		return assignment{}, err
	}
	return assignment{
		row: rowOf(p, done, i), About: about, Command: program + " run " + i.Name,
		Graded: tasks.Asked(i.Name),
	}, nil
}

// aboutOf returns the text above a task's function, as it came.
func aboutOf(i grade.Info) (string, error) {
	source, err := solutions.Starter(i.Lesson, i.File())
	if err != nil {
		return "", err
	}
	file, err := parser.ParseFile(token.NewFileSet(), i.File(), source, parser.ParseComments)
	if err != nil {
		return "", fmt.Errorf("read the task: %w", err)
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == i.Func {
			return f.Doc.Text(), nil
		}
	}
	return "", nil
}

// text draws the assignment.
func (t assignment) text() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s\n\n", strong.Render(wrap(t.Number+"  "+t.Title)))
	fmt.Fprintf(&s, "file    %s\n", t.File)
	fmt.Fprintf(&s, "state   %s\n", t.state())
	if t.About != "" {
		fmt.Fprintf(&s, "\n%s", wrap(t.About))
	}
	fmt.Fprintf(&s, "\n%s\n", strong.Render("Graded"))
	s.WriteString(gradedText(t.Graded))
	fmt.Fprintf(&s, "\nFill the gap in the file, then grade it: %s\n", t.Command)
	fmt.Fprintf(&s, "A hint: %s hint %s\n", program, t.Name)
	fmt.Fprintln(&s, "Which line of PyTorch is which line here: docs/pytorch.md")
	return s.String()
}
