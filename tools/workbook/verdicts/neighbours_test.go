package verdicts_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/solutions/tasks"
)

// another is a task in the same folder.
var another = tasks.Dropout.Info

// A file that does not compile costs its own task the grade, and no other.
func TestNeighbourDoesNotCompile(t *testing.T) {
	l := newLearner(t)
	l.insert("x := missing")
	results := l.grade(another, task)
	require.NotNil(t, results[0].Verdict, results[0].Problem)
	require.Regexp(t, `^exercises/05/segments\.go`, results[1].Problem)
}

func TestTwoFilesDoNotCompile(t *testing.T) {
	l := newLearner(t)
	l.insert("x := missing")
	require.NoError(t, os.WriteFile(l.File(another), []byte("package exercise\n\nfunc Dropout() { return 1 }\n"), 0o644))
	results := l.grade(task, another, tasks.Frozen.Info)
	require.Regexp(t, `^exercises/05/segments\.go`, results[0].Problem)
	require.Regexp(t, `^exercises/05/dropout\.go`, results[1].Problem)
	require.NotNil(t, results[2].Verdict, results[2].Problem)
}

// Go names two files that differ, and the first of them may be the right one.
func TestNeighbourIsInAnotherPackage(t *testing.T) {
	l := newLearner(t)
	l.write("// Mine.\npackage segments\n")
	require.NoError(t, os.WriteFile(l.File(tasks.Frozen.Info), []byte("package frozen\n"), 0o644))
	results := l.grade(another, task, tasks.Frozen.Info)
	require.NotNil(t, results[0].Verdict, results[0].Problem)
	require.Equal(t, "exercises/05/segments.go:2:9: package segments; the files of a lesson are package exercise", results[1].Problem)
	require.Regexp(t, `^exercises/05/frozen\.go:1:9: package frozen;`, results[2].Problem)
}

func TestNeighbourIsMissing(t *testing.T) {
	l := newLearner(t)
	require.NoError(t, os.Remove(l.File(task)))
	results := l.grade(another, task)
	require.NotNil(t, results[0].Verdict, results[0].Problem)
	require.Contains(t, results[1].Problem, "segments.go is missing")
}

// The names that tasks share are no task's. Without them no file compiles.
func TestSharedNamesAreMissing(t *testing.T) {
	l := newLearner(t)
	require.NoError(t, os.Remove(filepath.Join(filepath.Dir(l.File(task)), tasks.NamesFile)))
	for _, r := range l.grade(task, another) {
		require.NotNil(t, r.Verdict, r.Problem)
		require.NotContains(t, r.Verdict.String(), tasks.NamesFile)
	}
}

// TestNeighbourEndsTheProgram has a task before another one that is to be
// graded all the same.
func TestNeighbourEndsTheProgram(t *testing.T) {
	l := newLearner(t)
	l.insert("go func() { panic(\"boo\") }()\n\tselect {}")
	results := l.grade(task, another)
	require.Contains(t, results[0].Problem, "boo")
	require.NotNil(t, results[1].Verdict)
}

func TestSeveralLessons(t *testing.T) {
	l := newLearner(t)
	for _, r := range l.grade(another, tasks.Rounded.Info, task) {
		require.NotNil(t, r.Verdict, r.Problem)
	}
}
