package doctor

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExercises(t *testing.T) {
	m := newMachine(t)
	m.expect(exercises, ok("the files of 2 tasks are there"))
	m.lose("exercises/06/exercise_test.go")
	m.expect(exercises, problem("exercises/06/exercise_test.go is missing", "put it back: git checkout exercises/06/exercise_test.go"))
	m.lose("exercises/05/segments.go")
	m.expect(exercises, problem("exercises/05/segments.go is missing", "put it back: go run ./tools/workbook reset segments"))
	require.NoError(t, os.Mkdir(m.project.File(m.tasks[0]), 0o755))
	m.expect(exercises, problem("exercises/05/segments.go is missing", ""))
}

// TestWriting puts files where folders should be and the other way round: that
// cannot be written, whoever runs the test.
func TestWriting(t *testing.T) {
	m := newMachine(t)
	m.expect(writing, ok("exercises, .workbook and the build cache can be written"))
	require.NoDirExists(t, m.project.StateFolder())
	require.NoDirExists(t, m.goEnv["GOCACHE"])

	require.NoError(t, os.Mkdir(m.project.StateFolder(), 0o755))
	m.expect(writing, ok("exercises, .workbook and the build cache can be written"))
	left, err := os.ReadDir(m.project.StateFolder())
	require.NoError(t, err)
	require.Empty(t, left)

	m.lose("exercises/06/total.go")
	m.expect(writing, ok("exercises, .workbook and the build cache can be written"))

	m = newMachine(t)
	m.own(".workbook", "a file")
	m.expect(writing, problem(".workbook cannot be written: not a directory", ""))

	m = newMachine(t)
	m.lose("exercises/05/segments.go")
	require.NoError(t, os.Mkdir(m.project.File(m.tasks[0]), 0o755))
	m.expect(writing, problem("exercises/05/segments.go cannot be written: is a directory", ""))

	m = newMachine(t)
	m.write(m.goEnv["GOCACHE"], "a file")
	m.expect(writing, problem("the build cache "+m.goEnv["GOCACHE"]+" cannot be written: not a directory",
		"make the folder yours, or choose another: go env -w GOCACHE=FOLDER"))

	m = newMachine(t)
	m.goEnv["GOCACHE"] = "off"
	m.expect(writing, problem("the build cache is turned off (GOCACHE=off), and Go needs one", ""))

	m = newMachine(t)
	m.goEnv = nil
	m.expect(writing, note("the build cache was not looked at, since the go command cannot be asked", ""))
}

func TestRightsAreNeeded(t *testing.T) {
	if os.Getuid() <= 0 {
		t.Skip("whoever runs this test may write everywhere, or there are no such rights here")
	}
	m := newMachine(t)
	require.NoError(t, os.Chmod(m.project.File(m.tasks[1]), 0o444))
	m.expect(writing, problem("exercises/06/total.go cannot be written: permission denied", "make the file yours: its owner and its rights are wrong"))
}

func TestTheCauseIsSaidWithoutThePath(t *testing.T) {
	require.Equal(t, "permission denied", why(&fs.PathError{Op: "open", Path: "/x", Err: errors.New("permission denied")}))
	require.Equal(t, "no path", why(errors.New("no path")))
}

func TestProgressFile(t *testing.T) {
	m := newMachine(t)
	m.expect(progressFile, ok("nothing is saved yet"))
	m.own(".workbook/progress.json", `{"version": 1, "tasks": {}}`)
	m.expect(progressFile, ok("it can be read"))

	const damaged = "not JSON"
	m.own(".workbook/progress.json", damaged)
	got := progressFile(t.Context(), m.surroundings)
	require.Equal(t, Note, got.State)
	require.Contains(t, got.Is, ".workbook/progress.json makes no sense: invalid character")
	text, err := os.ReadFile(filepath.Join(m.project.StateFolder(), "progress.json"))
	require.NoError(t, err)
	require.Equal(t, damaged, string(text), "it is only looked at")

	m.own(".workbook/progress.json", `{"version": 2, "tasks": {}}`)
	m.expect(progressFile, note(".workbook/progress.json was written by a newer workbook (version 2)",
		"update this workbook: until then nothing is saved, and the file is left as it is"))

	m = newMachine(t)
	require.NoError(t, os.MkdirAll(filepath.Join(m.project.StateFolder(), "progress.json"), 0o755))
	m.expect(progressFile, note(".workbook/progress.json cannot be read: is a directory", ""))
}

func TestLineEndings(t *testing.T) {
	m := newMachine(t)
	m.expect(lineEndings, ok("all lines end as on Unix"))

	m.commands["git config --get core.autocrlf"] = answer{text: "true\n"}
	m.expect(lineEndings, note("all lines end as on Unix, but Git is set to change that (core.autocrlf=true)", ""))
	m.commands["git config --get core.autocrlf"] = answer{text: "input\n"}
	m.expect(lineEndings, ok("all lines end as on Unix"))

	m.own("exercises/picture.png", "\r\n")
	m.own("exercises/05/segments.go", "package exercise\r\n")
	m.expect(lineEndings, note("exercises/05/segments.go has the line endings of Windows", ""))
	m.own("lessons/01/lesson.md", "# Lesson\r\n")
	m.expect(lineEndings, note("2 files have the line endings of Windows, exercises/05/segments.go is one", ""))

	m.lose("lessons")
	require.Equal(t, Note, lineEndings(t.Context(), m.surroundings).State)
}
