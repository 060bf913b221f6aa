package classes

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/torchmem/workbook/tools/workbook/verdicts"
)

// JUnit writes results as JUnit XML: a suite for each lesson, and in it a case
// for each task. A task that fails has a failure with its verdict. One that
// could not be graded has an error.
func JUnit(w io.Writer, results []verdicts.Result) error {
	report := junit.Testsuites{Name: "GPU memory workbook"}
	var total time.Duration
	for _, of := range verdicts.ByLesson(results, func(r verdicts.Result) string { return r.Info.Lesson }) {
		suite, took := suiteOf(of)
		suite.ID = len(report.Suites)
		report.AddSuite(suite)
		total += took
	}
	report.Time = seconds(total)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return fmt.Errorf("write the results as JUnit XML: %w", err)
	}
	if err := report.WriteXML(w); err != nil {
		return fmt.Errorf("write the results as JUnit XML: %w", err)
	}
	return nil
}

// suiteOf returns the suite of a lesson, and how long it took.
func suiteOf(results []verdicts.Result) (junit.Testsuite, time.Duration) {
	lesson := results[0].Info.Lesson
	suite := junit.Testsuite{Name: "lesson " + lesson, Package: "exercises/" + lesson}
	var took time.Duration
	for _, r := range results {
		took += r.Took
		suite.AddTestcase(caseOf(r))
	}
	suite.Time = seconds(took)
	return suite, took
}

func caseOf(r verdicts.Result) junit.Testcase {
	c := junit.Testcase{Name: r.Info.Name, Classname: "exercises." + r.Info.Lesson, Time: seconds(r.Took)}
	switch text := explanation(r); {
	case r.Verdict == nil:
		c.Error = &junit.Result{Message: firstLine(text), Type: "problem", Data: text}
	case !r.Passed():
		c.Failure = &junit.Result{Message: firstLine(text), Type: "verdict", Data: text}
	}
	if r.Output != "" {
		c.SystemOut = &junit.Output{Data: clip(clean(r.Output))}
	}
	return c
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
