package tasks

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/torchmem/workbook/runtime/grade"
)

// T is the part of *testing.T that grading needs.
type T interface {
	Helper()
	Log(args ...any)
	Error(args ...any)
	Fail()
	Fatal(args ...any)
}

// VerdictsVariable is the environment variable that names a folder for
// verdicts. A test then writes its verdict there, for a program to read, and
// prints none.
const VerdictsVariable = "WORKBOOK_VERDICTS"

// VerdictFile returns where the verdict on a task goes in that folder.
func VerdictFile(folder, name string) string { return filepath.Join(folder, name+".json") }

// ObstacleFile returns where in that folder a test says why no task can be graded.
func ObstacleFile(folder string) string { return filepath.Join(folder, "obstacle.txt") }

// Test grades a learner's function, and the files in the present folder.
func Test[F any](t T, task grade.Task[F], f F) {
	t.Helper()
	folder := os.Getenv(VerdictsVariable)
	if err := grade.Ready(); err != nil {
		if folder != "" {
			_ = os.WriteFile(ObstacleFile(folder), []byte(err.Error()), 0o644) // without it there is no verdict either
		}
		t.Fatal(err)
	}
	if folder != "" {
		save(t, folder, verdict(task, f))
		if err := draw(task, f); err != nil {
			t.Log(err)
		}
		return
	}
	limit, err := TimeLimit()
	if err != nil {
		t.Fatal(err)
	}
	graded := make(chan grade.Verdict, 1)
	go func() { graded <- verdict(task, f) }()
	select {
	case v := <-graded:
		tell(t, v)
	case <-time.After(limit):
		t.Fatal(fmt.Sprintf("%s did not end within %v: does a loop in the gap go on for ever?", task.Func, limit))
	}
}

// verdict grades a function. Its file is read before that, when it is most
// likely still what was compiled, and once more after it.
func verdict[F any](task grade.Task[F], f F) grade.Verdict {
	file, err := os.ReadFile(task.File())
	v := task.Grade(f)
	if err == nil {
		err = changed(".", task.Info, file)
	}
	v.Outside(task.Info, err)
	return v
}

// TimeLimitVariable is the environment variable that sets how long a learner's
// program may run: 10s, 2m.
const TimeLimitVariable = "WORKBOOK_TIME_LIMIT"

// usualTimeLimit is long: the answers take well under a second.
const usualTimeLimit = time.Minute

// TimeLimit returns how long a learner's program may run.
func TimeLimit() (time.Duration, error) {
	text := os.Getenv(TimeLimitVariable)
	if text == "" {
		return usualTimeLimit, nil
	}
	limit, err := time.ParseDuration(text)
	if err != nil || limit <= 0 {
		return 0, fmt.Errorf("%s: %q is no time limit, write 30s or 2m", TimeLimitVariable, text)
	}
	return limit, nil
}

// tell logs the verdict, and fails the test where it is no pass.
func tell(t T, v grade.Verdict) {
	t.Helper()
	if text := fmt.Sprintf("\n%v", v); v.Passed {
		t.Log(text)
	} else {
		t.Error(text)
	}
}

// save puts the verdict into its file, and fails the test where it is no
// pass.
func save(t T, folder string, v grade.Verdict) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(VerdictFile(folder, v.Task), text, 0o644); err != nil {
		t.Fatal(err)
	}
	if !v.Passed {
		t.Fail()
	}
}
