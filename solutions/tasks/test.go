package tasks

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/solutions"
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

// Test grades a learner's function, and its file in the present folder.
func Test[F any](t T, task grade.Task[F], f F) {
	t.Helper()
	v := task.Grade(f)
	file, err := os.ReadFile(task.File())
	if err != nil {
		t.Fatal(err)
	}
	original, err := solutions.Starter(task.Lesson, task.File())
	if err != nil {
		t.Fatal(err)
	}
	v.Outside(task.Info, file, original)
	if folder := os.Getenv(VerdictsVariable); folder != "" {
		write(t, folder, v)
	} else {
		tell(t, v)
	}
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

// write puts the verdict into its file, and fails the test where it is no
// pass.
func write(t T, folder string, v grade.Verdict) {
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
