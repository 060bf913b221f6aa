package verdicts_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/solutions"
	"github.com/torchmem/workbook/solutions/tasks"
)

// What differs from the original in comments and layout only is untouched.
func TestUntouched(t *testing.T) {
	l := newLearner(t)
	l.insert("// What now?")
	results := l.grade(task, another)
	require.True(t, results[0].Untouched && results[1].Untouched)
	l.insert("segments = 3")
	require.NoError(t, os.Remove(l.File(another)))
	results = l.grade(task, another)
	require.False(t, results[0].Untouched || results[1].Untouched)
}

// TestSavedWhileItIsGraded has a program that writes into its own file. It is
// as if the learner saved it just then.
func TestSavedWhileItIsGraded(t *testing.T) {
	l := newLearner(t)
	source, err := solutions.Starter(task.Lesson, task.File())
	require.NoError(t, err)
	l.write(strings.NewReplacer("import (", "import (\n\t\"os\"\n",
		"// END", "os.WriteFile(\"segments.go\", nil, 0o644)\n\t// END").Replace(string(source)))
	require.Equal(t, "exercises/05/segments.go was saved while it was graded; grade it once more", l.grade(task)[0].Problem)
}

// A file of one's own may lie beside the exercises, but it is compiled with them.
func TestAFileOfOnesOwn(t *testing.T) {
	l := newLearner(t)
	l.insert("segments = help()")
	folder := filepath.Dir(l.File(task))
	helper := []byte("package exercise\n\nfunc help() float64 { return 4 }\n")
	require.NoError(t, os.WriteFile(filepath.Join(folder, "helper.go"), helper, 0o644))
	require.Contains(t, l.grade(task)[0].Verdict.String(), "  got       helper.go is no file of the exercises\n")
	require.NoError(t, os.Remove(filepath.Join(folder, "helper.go")))

	l.insert("segments = sqrt(layers)")
	names, err := os.ReadFile(filepath.Join(folder, tasks.NamesFile))
	require.NoError(t, err)
	names = append(names, "\nfunc sqrt(n float64) float64 { return n / 4 }\n"...)
	require.NoError(t, os.WriteFile(filepath.Join(folder, tasks.NamesFile), names, 0o644))
	require.Contains(t, l.grade(task)[0].Verdict.String(), "  got       names.go: the function sqrt is new\n")
}

// The exercises are a module of their own, which only the workspace knows.
func TestWhereWorkspacesAreTurnedOff(t *testing.T) {
	l := newLearner(t)
	t.Setenv("GOWORK", "off")
	r := l.grade(task)[0]
	require.NotNil(t, r.Verdict, r.Problem)
}
