package verdicts_test

import (
	"os"
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

func TestNeighbourIsMissing(t *testing.T) {
	l := newLearner(t)
	require.NoError(t, os.Remove(l.File(task)))
	results := l.grade(another, task)
	require.NotNil(t, results[0].Verdict, results[0].Problem)
	require.Contains(t, results[1].Problem, "segments.go is missing")
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
