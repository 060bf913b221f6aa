package tasks

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/solutions"
)

// tester is a T that notes what it is told.
type tester struct {
	t      *testing.T
	said   string
	failed bool
}

func (f *tester) Helper()         {}
func (f *tester) Log(args ...any) { f.said += args[0].(string) }
func (f *tester) Fail()           { f.failed = true }

func (f *tester) Error(args ...any) {
	f.Log(args...)
	f.Fail()
}

func (f *tester) Fatal(args ...any) { f.t.Fatal(args...) }

// newFolder goes into a folder that is as the one of a lesson, with some files
// changed.
func newFolder(t *testing.T, lesson string, changed map[string]string) {
	t.Helper()
	t.Setenv(VerdictsVariable, "")
	t.Chdir(t.TempDir())
	names := []string{NamesFile}
	for _, i := range Of(lesson) {
		names = append(names, i.File())
	}
	for _, name := range names {
		source, err := solutions.Starter(lesson, name)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(name, source, 0o644))
	}
	for name, text := range changed {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
}

// tested grades the reference, which passes if the files are all right.
func tested[F any](t *testing.T, task grade.Task[F]) *tester {
	t.Helper()
	f := &tester{t: t}
	Test(f, task, task.Reference)
	return f
}

// few makes a task without limits of another.
func few[F any](task grade.Task[F]) grade.Task[F] {
	task.Cases = slices.Clone(task.Cases[1:])
	for i := range task.Cases {
		task.Cases[i].Limits = nil
	}
	return task
}

func TestFilesAsTheyCame(t *testing.T) {
	newFolder(t, "02", map[string]string{"_notes.go": "package mine", ".#chain.go": "no Go"})
	f := tested(t, few(Chain))
	require.False(t, f.failed, f.said)
}

// What is no gap, and no file of another task, may not change.
func TestChangesOutsideOfTheGap(t *testing.T) {
	chain, err := solutions.Starter("02", "chain.go")
	require.NoError(t, err)
	for name, c := range map[string]struct{ file, text, says string }{
		"a line of the function": {"chain.go", strings.Replace(string(chain), "Mul(2)", "Mul(3)", 1), "the function Chain has changed"},
		"a second function":      {"chain.go", string(chain) + "\nfunc init() {}\n", "the function init is new"},
		"a file of one's own":    {"helper.go", "package exercise\n", "helper.go is no file of the exercises"},
		"a test of one's own":    {"my_test.go", "package exercise\n", "my_test.go is no file of the exercises"},
		"a shared name":          {NamesFile, "package exercise\n\ntype tensor = int\n", "names.go: a declaration (type) has changed"},
		"no Go in a shared file": {NamesFile, "package", "names.go: 1:8: expected 'IDENT'"},
	} {
		t.Run(name, func(t *testing.T) {
			newFolder(t, "02", map[string]string{c.file: c.text})
			f := tested(t, few(Chain))
			require.True(t, f.failed)
			require.Contains(t, f.said, "outside of the gap, chain.go\n  got       "+c.says)
		})
	}
}

// A neighbour is the business of its own task.
func TestNeighboursMayChange(t *testing.T) {
	newFolder(t, "02", map[string]string{"view.go": "package exercise\n"})
	require.False(t, tested(t, few(Chain)).failed)
}

func TestSavedWhileItIsGraded(t *testing.T) {
	newFolder(t, "02", nil)
	task := few(Chain)
	inner := task.Cases[0].Run
	task.Cases[0].Run = func(r *grade.Run, f PrepareBatch) {
		source, err := solutions.Answer("02", "chain.go")
		require.NoError(t, err)
		require.NoError(t, os.WriteFile("chain.go", source, 0o644))
		inner(r, f)
	}
	f := tested(t, task)
	require.True(t, f.failed)
	require.Contains(t, f.said, "the file was saved while it was graded; grade it once more")
}

func TestAMissingFile(t *testing.T) {
	newFolder(t, "02", nil)
	require.NoError(t, os.Remove("chain.go"))
	f := tested(t, few(Chain))
	require.True(t, f.failed)
	require.Contains(t, f.said, "open chain.go: ")
}
