package project_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/solutions"
	"github.com/torchmem/workbook/solutions/tasks"
	"github.com/torchmem/workbook/tools/workbook/project"
)

var (
	task = tasks.Segments.Info
	noon = time.Date(2026, 12, 1, 11, 30, 0, 0, time.UTC)
)

// newProject makes a folder that looks like a workbook.
func newProject(t *testing.T) project.Project {
	t.Helper()
	root := t.TempDir()
	write(t, filepath.Join(root, "exercises", "go.mod"), "module exercises\n")
	p, err := project.Find(root)
	require.NoError(t, err)
	return p
}

func write(t *testing.T, file, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(text)
}

func starter(t *testing.T, i grade.Info) string {
	t.Helper()
	text, err := solutions.Starter(i.Lesson, i.File())
	require.NoError(t, err)
	return string(text)
}

func TestFindFromAnyFolder(t *testing.T) {
	p := newProject(t)
	deep := filepath.Join(p.Root, "exercises", "05", "deeper")
	require.NoError(t, os.MkdirAll(deep, 0o755))
	for _, from := range []string{p.Root, filepath.Join(p.Root, "exercises"), deep} {
		found, err := project.Find(from)
		require.NoError(t, err)
		require.Equal(t, p, found)
	}
}

func TestFindOutside(t *testing.T) {
	folder := t.TempDir()
	_, err := project.Find(folder)
	require.ErrorIs(t, err, project.ErrOutside)
	require.ErrorContains(t, err, folder)
}

func TestFindIsRelativeToHere(t *testing.T) {
	p := newProject(t)
	t.Chdir(filepath.Join(p.Root, "exercises"))
	found, err := project.Find(".")
	require.NoError(t, err)
	require.True(t, filepath.IsAbs(found.Root))
	require.FileExists(t, filepath.Join(found.Root, "exercises", "go.mod"))
}

func TestPaths(t *testing.T) {
	p := newProject(t)
	require.Equal(t, "exercises/05/segments.go", p.Short(task))
	require.Equal(t, filepath.Join(p.Root, "exercises", "05", "segments.go"), p.File(task))
	require.Equal(t, filepath.Join(p.Root, ".workbook"), p.StateFolder())
}

func TestResetSavesFirst(t *testing.T) {
	p := newProject(t)
	write(t, p.File(task), "mine")
	saved, err := p.Reset(task, noon)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(p.StateFolder(), "saved", "segments-20261201-113000.go"), saved)
	require.Equal(t, "mine", read(t, saved))
	require.Equal(t, starter(t, task), read(t, p.File(task)))
}

func TestResetNeverOverwritesACopy(t *testing.T) {
	p := newProject(t)
	seen := map[string]string{}
	for _, text := range []string{"first", "second", "third"} {
		write(t, p.File(task), text)
		saved, err := p.Reset(task, noon)
		require.NoError(t, err)
		seen[saved] = text
	}
	require.Len(t, seen, 3)
	for file, text := range seen {
		require.Equal(t, text, read(t, file))
	}
}

func TestResetOfAMissingFile(t *testing.T) {
	p := newProject(t)
	saved, err := p.Reset(task, noon)
	require.NoError(t, err)
	require.Empty(t, saved)
	require.Equal(t, starter(t, task), read(t, p.File(task)))
	require.NoDirExists(t, p.StateFolder())
}

// The names that tasks share come back too. What the learner made of them is
// not touched.
func TestResetBringsSharedNames(t *testing.T) {
	p := newProject(t)
	names := filepath.Join(filepath.Dir(p.File(task)), tasks.NamesFile)
	_, err := p.Reset(task, noon)
	require.NoError(t, err)
	original, err := solutions.Starter(task.Lesson, tasks.NamesFile)
	require.NoError(t, err)
	require.Equal(t, string(original), read(t, names))

	write(t, names, "mine")
	_, err = p.Reset(task, noon)
	require.NoError(t, err)
	require.Equal(t, "mine", read(t, names))

	_, err = p.Reset(tasks.Rounded.Info, noon)
	require.NoError(t, err, "lesson 01 shares no names")
}

// TestResetThatCannotSave puts a file where the copies would go. Then what the
// learner wrote must stay.
func TestResetThatCannotSave(t *testing.T) {
	p := newProject(t)
	write(t, p.File(task), "mine")
	write(t, p.StateFolder(), "in the way")
	_, err := p.Reset(task, noon)
	require.ErrorContains(t, err, "nothing was changed")
	require.Equal(t, "mine", read(t, p.File(task)))
}

func TestResetOfAnUnknownTask(t *testing.T) {
	p := newProject(t)
	_, err := p.Reset(grade.Info{Name: "nonsense", Lesson: "05"}, noon)
	require.ErrorContains(t, err, "reset nonsense")
	require.NoFileExists(t, filepath.Join(p.Root, "exercises", "05", "nonsense.go"))
}
