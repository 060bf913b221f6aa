package cli

import (
	"fmt"
	"strings"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/tools/workbook/progress"
	"github.com/torchmem/workbook/tools/workbook/project"
	"github.com/torchmem/workbook/tools/workbook/verdicts"
)

// resultText says what came of grading a task.
func resultText(r verdicts.Result) string {
	if r.Verdict == nil {
		return wrap(r.Problem) + "\n\n" + bad.Render(r.Info.Name+": not graded") + "\n" + printed(r.Output)
	}
	style := bad
	if r.Passed() {
		style = good
	}
	headline, rest, _ := strings.Cut(wrap(strings.TrimRight(r.Verdict.String(), "\n")+"\n"), "\n")
	return style.Render(headline) + "\n" + rest + printed(r.Output)
}

// printedLines is how many lines of a program's own output are shown.
const printedLines = 40

// printed shows what the learner's code printed.
func printed(output string) string {
	output = strings.TrimRight(output, "\n")
	if output == "" {
		return ""
	}
	lines := strings.Split(output, "\n")
	if more := len(lines) - printedLines; more > 0 {
		lines = append(lines[:printedLines], fmt.Sprintf("... and %d lines more", more))
	}
	return "\nyour code printed\n" + indent(strings.Join(lines, "\n")) + "\n"
}

// afterPass says well done, and what comes next.
func afterPass(p project.Project, done *progress.Progress, results []verdicts.Result) string {
	var s strings.Builder
	fmt.Fprintln(&s, good.Render("Well done."))
	for _, r := range results {
		fmt.Fprintf(&s, "An answer to compare with: %s solution %s\n", program, r.Info.Name)
	}
	if next, ok := firstOpen(done); ok {
		fmt.Fprintf(&s, "Next: %s, %s (%s next)\n", next.Name, p.Short(next), program)
	} else {
		fmt.Fprintln(&s, "All tasks are passed.")
	}
	return s.String()
}

// nothingLeft says that all is done.
func (a *app) nothingLeft(v any) error {
	if a.json {
		return a.printJSON(v)
	}
	return a.print("All tasks are passed. " + program + " list shows them.\n")
}

// outcome is a result as JSON.
type outcome struct {
	Name    string         `json:"name"`
	Lesson  string         `json:"lesson"`
	Passed  bool           `json:"passed"`
	Seconds float64        `json:"seconds"`
	Printed string         `json:"printed"`
	Verdict *grade.Verdict `json:"verdict,omitempty"`
	Problem string         `json:"problem,omitempty"`
}

func outcomes(results []verdicts.Result) []outcome {
	all := []outcome{}
	for _, r := range results {
		all = append(all, outcome{
			Name: r.Info.Name, Lesson: r.Info.Lesson, Passed: r.Passed(), Seconds: r.Took.Seconds(),
			Printed: r.Output, Verdict: r.Verdict, Problem: r.Problem,
		})
	}
	return all
}
