package classes

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/torchmem/workbook/solutions/tasks"
	"github.com/torchmem/workbook/tools/workbook/verdicts"
)

// submission is Gradescope's results.json. Its format is described at
// https://gradescope-autograders.readthedocs.io/en/latest/specs/.
type submission struct {
	// Score is there only if there are no tests: it would replace their sum.
	Score         *float64 `json:"score,omitempty"`
	ExecutionTime int      `json:"execution_time"` // in seconds
	Output        string   `json:"output"`
	OutputFormat  string   `json:"output_format"`
	Visibility    string   `json:"visibility"`
	// StdoutVisibility is about what the autograder itself prints.
	StdoutVisibility string    `json:"stdout_visibility"`
	Tests            []outcome `json:"tests"`
}

// outcome is a test in it.
type outcome struct {
	Number       string   `json:"number,omitempty"`
	Name         string   `json:"name"`
	Score        float64  `json:"score"`
	MaxScore     float64  `json:"max_score"`
	Status       string   `json:"status"`
	Output       string   `json:"output"`
	OutputFormat string   `json:"output_format"`
	Visibility   string   `json:"visibility"`
	Tags         []string `json:"tags"`
}

// Gradescope writes results in the format of Gradescope's results.json, one test
// for a task.
func Gradescope(w io.Writer, results []verdicts.Result) error {
	s := submission{
		OutputFormat: "text", Visibility: "visible", StdoutVisibility: "hidden",
		Tests: []outcome{},
	}
	var took time.Duration
	passed := 0
	for _, r := range results {
		if r.Passed() {
			passed++
		}
		took += r.Took
		s.Tests = append(s.Tests, outcomeOf(r))
	}
	s.ExecutionTime = int(math.Ceil(took.Seconds()))
	s.Output = fmt.Sprintf("%d of %d tasks pass.", passed, len(results))
	if len(results) == 0 {
		s.Score, s.Output = new(float64), "No task was graded."
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return fmt.Errorf("write the results for Gradescope: %w", err)
	}
	return nil
}

// outcomeOf is the test for one task.
func outcomeOf(r verdicts.Result) outcome {
	status := "failed"
	if r.Passed() {
		status = "passed"
	}
	text := explanation(r)
	if r.Output != "" {
		text += "\nThe program printed:\n" + clip(clean(r.Output))
	}
	return outcome{
		Number: tasks.Number(r.Info), Name: r.Info.Name + ": " + r.Info.Title,
		Score: credit(r), MaxScore: 1, Status: status,
		Output: text, OutputFormat: "text", Visibility: "visible",
		Tags: []string{"lesson " + r.Info.Lesson},
	}
}
