package predict

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/tools/workbook/project"
)

func thisProject(t *testing.T) project.Project {
	t.Helper()
	p, err := project.Find(".")
	require.NoError(t, err)
	return p
}

// TestARealLesson plays the first program of lesson 01.
func TestARealLesson(t *testing.T) {
	t.Setenv("PYTORCH_CUDA_ALLOC_CONF", "")
	var out bytes.Buffer
	answers := strings.NewReader("+4,000,256\n+20 MiB\n3.8 MiB\n0\n=\n0\n")
	require.NoError(t, RunJSON(t.Context(), thisProject(t), "1", "", answers, &out))
	var r Report
	require.NoError(t, json.Unmarshal(out.Bytes(), &r))
	require.Equal(t, "01", r.Lesson)
	require.Equal(t, "s21_del", r.Program)
	require.Equal(t, Score{Asked: 6, Right: 5}, r.Score)
	require.Equal(t, 1, r.ByCounter[peak].Right)
}

func TestAWrongLessonIsMisuse(t *testing.T) {
	var misuse *MisuseError
	for _, name := range []string{"99", "", "../lessons/01", "one", "1/../01"} {
		err := Run(t.Context(), thisProject(t), name, "", strings.NewReader(""), io.Discard)
		require.ErrorAs(t, err, &misuse, name)
		require.ErrorContains(t, err, ": there are 01, 02")
		require.NotContains(t, err.Error(), "\n")
	}
}

// TestALessonThatDoesNotCompile breaks a lesson of a project of its own.
func TestALessonThatDoesNotCompile(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "lessons", "01"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"), []byte("module github.com/torchmem/workbook\n\ngo 1.26\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(root, "lessons", "01", "main.go"), []byte("package main\n\nfunc main() { x }\n"), 0o644))
	t.Setenv("GOWORK", "off")
	err := Run(t.Context(), project.Project{Root: root}, "01", "", strings.NewReader(""), io.Discard)
	var misuse *MisuseError
	require.NotErrorAs(t, err, &misuse)
	require.ErrorContains(t, err, "run lesson 01: ")
	require.ErrorContains(t, err, "main.go:3:15: ")
	require.NotContains(t, err.Error(), "\n")
}

func TestAProjectWithoutLessons(t *testing.T) {
	err := Run(t.Context(), project.Project{Root: t.TempDir()}, "01", "", strings.NewReader(""), io.Discard)
	require.ErrorContains(t, err, "no lessons in ")
}
