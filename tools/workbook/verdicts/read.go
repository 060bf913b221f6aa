package verdicts

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/solutions/tasks"
)

// result reads what became of a test. The verdict is in a file; that the test
// has passed has to agree with it.
func (f folder) result(i grade.Info, t *test, e *events) Result {
	r := Result{Info: i, Took: t.took, Output: learners(t.output.String(), testOf(i))}
	text, err := os.ReadFile(tasks.VerdictFile(f.verdicts, i.Name))
	if err != nil {
		r.Output, r.Problem = f.fault(i, r.Output, e)
		return r
	}
	var v grade.Verdict
	switch err := json.Unmarshal(text, &v); {
	case err != nil:
		r.Problem = fmt.Sprintf("the verdict cannot be read: %v", err)
	case v.Passed && !t.passed:
		r.Problem = "the test fails although its verdict is a pass"
	default:
		r.Verdict = &v
	}
	return r
}

// learners takes the lines of Go's testing out of a test's output.
func learners(output, test string) string {
	output = strings.ReplaceAll(output, "\x16", "")
	output = strings.Replace(output, "=== RUN   "+test+"\n", "", 1)
	if at := lastLine.FindStringIndex(output); at != nil {
		output = output[:at[0]]
	}
	return output
}

// lastLine is what a test ends with that does not stop.
var lastLine = regexp.MustCompile(`--- (PASS|FAIL): \w+ \([0-9.]+s\)\n$`)

// faultBegins finds where a program's last words begin.
var faultBegins = regexp.MustCompile(`(?m)^(panic: |fatal error: |runtime: goroutine stack exceeds|    [\w.]+\.go:\d+: |--- FAIL: )`)

// fault says why a test has no verdict. It returns what was printed before.
func (f folder) fault(i grade.Info, output string, e *events) (printed, problem string) {
	said := output
	if at := faultBegins.FindStringIndex(output); at != nil {
		printed, said = output[:at[0]], output[at[0]:]
	} else {
		printed, said = output, ""
	}
	place := f.lineIn(i, said)
	switch {
	case strings.HasPrefix(said, "panic: test timed out"):
		if place != "" {
			place = "; it was at " + place
		}
		return printed, fmt.Sprintf("it did not end within %v%s", f.limit, place)
	case said == "" || strings.HasPrefix(said, "--- FAIL"):
		return printed, "the program ended before it was graded" + exit(e)
	}
	if place == "" {
		place = f.project.Short(i)
	}
	return printed, place + ": " + lastWords(said)
}

// lineIn finds the first line of a task's file in the stacks of goroutines.
func (f folder) lineIn(i grade.Info, stacks string) string {
	file := f.project.Short(i)
	line := regexp.MustCompile(regexp.QuoteMeta(file) + `:\d+`)
	return line.FindString(strings.ReplaceAll(stacks, `\`, "/"))
}

// reason finds what a program died of.
var reason = regexp.MustCompile(`(?m)^(?:panic: |fatal error: |    [\w.]+\.go:\d+: )(.*)$`)

// lastWords returns what a program died of, without a stack.
func lastWords(said string) string {
	found := reason.FindStringSubmatch(said)
	if found == nil {
		first, _, _ := strings.Cut(said, "\n")
		return first
	}
	words, _, _ := strings.Cut(found[1], " [recovered")
	return words
}

// exit says how a program ended that said nothing.
func exit(e *events) string {
	for line := range strings.Lines(e.rest.String()) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "exit status") || strings.HasPrefix(line, "signal: ") {
			return ": " + line
		}
	}
	return ""
}
