package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/torchmem/workbook/solutions/tasks"
	"github.com/torchmem/workbook/tools/misuse"
	"github.com/torchmem/workbook/tools/workbook/classes"
	"github.com/torchmem/workbook/tools/workbook/files"
	"github.com/torchmem/workbook/tools/workbook/verdicts"
)

// writer writes a report.
type writer func(io.Writer, []verdicts.Result) error

// writers are the formats of a report.
var writers = map[string]writer{
	"text":       writeText,
	"json":       writeJSON,
	"gradescope": classes.Gradescope,
	"junit":      classes.JUnit,
}

func (a *app) grade() *cobra.Command {
	format, output := "text", ""
	c := &cobra.Command{
		Use:   "grade [N...]",
		Short: "Grade all tasks, for classes",
		Long: `grade grades tasks, all if none is named, and writes one report: for people, for
Gradescope (the results.json of an autograder), or as JUnit XML, which most
services for classes and builds read. It does not touch the learner's progress.

A report is complete, whatever the exit status is: that is 1 when some task
fails.

--json prints what run --json prints.`,
		Example: `  go run ./tools/workbook grade --format gradescope --output results.json
  go run ./tools/workbook grade --format junit 05`,
		RunE: func(c *cobra.Command, args []string) error {
			if a.json && c.Flags().Changed("format") {
				return misuse.Newf("--json and --format exclude each other")
			}
			if a.json {
				format = "json"
			}
			write, ok := writers[format]
			if !ok {
				return misuse.Newf("there is no format %q: --format is text, gradescope or junit", format)
			}
			return a.gradeClass(c.Context(), args, write, output)
		},
	}
	c.Flags().StringVar(&format, "format", format, "`FORMAT` of the report: text, gradescope, junit")
	c.Flags().StringVar(&output, "output", "", "write the report to this `FILE`")
	return c
}

// gradeClass grades tasks, all if none is named, and delivers the report.
func (a *app) gradeClass(ctx context.Context, args []string, write writer, file string) error {
	infos, err := findAll(args)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		infos = tasks.All()
	}
	p, err := a.project()
	if err != nil {
		return err
	}
	results, err := a.gradeNow(ctx, p, infos)
	if err != nil {
		return err
	}
	var report bytes.Buffer
	if err := write(&report, results); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	if err := a.deliver(report, file, results); err != nil {
		return err
	}
	return allPassed(results)
}

// deliver prints a report, or puts it into a file as a whole.
func (a *app) deliver(report bytes.Buffer, file string, results []verdicts.Result) error {
	if file == "" {
		return a.print(report.String())
	}
	path, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	if err := files.Replace(path, report.Bytes()); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	if a.json {
		return nil
	}
	return a.print(fmt.Sprintf("%s; the report is in %s\n", sumOf(results), file))
}

// writeText is the report for people: a line for each task, and why it fails.
func writeText(w io.Writer, results []verdicts.Result) error {
	var s strings.Builder
	for _, r := range results {
		state := "fail"
		if r.Passed() {
			state = "pass"
		}
		fmt.Fprintf(&s, "%s  %-5s %s\n", state, tasks.Number(r.Info), r.Info.Name)
		if r.Problem != "" {
			fmt.Fprintln(&s, indent(indent(wrap(r.Problem))))
		}
		if r.Verdict != nil {
			for _, c := range r.Verdict.Failed() {
				said := fmt.Sprintf("%s, %s: got %s, want %s", c.Metric, c.Case, strings.TrimRight(c.Got, "\n"), c.Want)
				fmt.Fprintln(&s, wrap(indent(indent(said))))
			}
		}
	}
	fmt.Fprintf(&s, "\n%s\n", sumOf(results))
	_, err := io.WriteString(w, s.String())
	return err
}

// writeJSON is the report for programs.
func writeJSON(w io.Writer, results []verdicts.Result) error { return encode(w, outcomes(results)) }

// sumOf counts the passes.
func sumOf(results []verdicts.Result) string {
	passed := 0
	for _, r := range results {
		if r.Passed() {
			passed++
		}
	}
	return fmt.Sprintf("%d of %d tasks pass", passed, len(results))
}
