package verdicts

import (
	"time"

	"github.com/torchmem/workbook/runtime/grade"
)

// Result is what came of grading one task.
type Result struct {
	Info grade.Info
	// Verdict is the grader's. It is nil if, and only if, there is a
	// problem.
	Verdict *grade.Verdict
	// Problem says why there is no verdict. The compiler's or the program's
	// own words come first.
	Problem string
	// Output is what the learner's code printed.
	Output string
	// Untouched says that the file is as it came to the learner.
	Untouched bool
	// Took is how long the test ran.
	Took time.Duration
}

// Passed reports whether the task is done.
func (r Result) Passed() bool { return r.Verdict != nil && r.Verdict.Passed }
