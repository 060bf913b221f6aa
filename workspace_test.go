package workbook_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestExercisesStayOut makes sure that unsolved exercises never turn the
// project's own tests red: they are a module of their own, which ./... leaves
// out and the workspace lets a learner name from here.
func TestExercisesStayOut(t *testing.T) {
	for _, p := range packages(t, nil, ".", "./...") {
		require.NotContains(t, p, "/exercises", "go test ./... would grade an exercise")
	}
	folders, err := filepath.Glob("exercises/[0-9][0-9]")
	require.NoError(t, err)
	require.Len(t, folders, len(lessons()), "each lesson has its exercises")
	here, err := filepath.Abs("go.work")
	require.NoError(t, err)
	// Whoever runs the tests may have turned workspaces off.
	require.Len(t, packages(t, []string{"GOWORK=" + here}, ".", "./exercises/..."), len(folders))
	require.Len(t, packages(t, []string{"GOWORK=off"}, "exercises", "./..."), len(folders), "the module works by itself")
}

// packages lists what a pattern means in a folder, also what does not compile.
func packages(t *testing.T, env []string, folder, pattern string) []string {
	t.Helper()
	list := exec.Command("go", "list", "-e", pattern)
	list.Dir, list.Env = folder, append(os.Environ(), env...)
	out, err := list.Output()
	require.NoError(t, err)
	return strings.Fields(string(out))
}
