package verdicts_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/solutions"
	"github.com/torchmem/workbook/solutions/tasks"
	"github.com/torchmem/workbook/tools/workbook/project"
	"github.com/torchmem/workbook/tools/workbook/project/projecttest"
	"github.com/torchmem/workbook/tools/workbook/verdicts"
)

var task = tasks.Segments.Info

// learner is a project in which a file is edited.
type learner struct {
	t *testing.T
	project.Project
}

func newLearner(t *testing.T) learner {
	t.Helper()
	p, err := projecttest.Copy(t.TempDir())
	require.NoError(t, err)
	return learner{t, p}
}

// write replaces the learner's file.
func (l learner) write(text string) {
	l.t.Helper()
	require.NoError(l.t, os.WriteFile(l.File(task), []byte(text), 0o644))
}

// insert puts statements into the gap of the original.
func (l learner) insert(statements string) {
	l.t.Helper()
	source, err := solutions.Starter(task.Lesson, task.File())
	require.NoError(l.t, err)
	require.Equal(l.t, 1, strings.Count(string(source), "// END"))
	l.write(strings.Replace(string(source), "// END", statements+"\n\t// END", 1))
}

func (l learner) grade(infos ...grade.Info) []verdicts.Result {
	l.t.Helper()
	results, err := verdicts.Grade(l.t.Context(), l.Project, infos)
	require.NoError(l.t, err)
	require.Len(l.t, results, len(infos))
	for n, r := range results {
		require.Equal(l.t, infos[n].Name, r.Info.Name)
		require.Equal(l.t, r.Verdict == nil, r.Problem != "", "a verdict or a problem: %s", r.Problem)
		require.NotContains(l.t, r.Problem, "goroutine ")
		require.NotContains(l.t, r.Problem, l.Root)
	}
	return results
}

func TestStarterFailsAndAnswerPasses(t *testing.T) {
	l := newLearner(t)
	r := l.grade(task)[0]
	require.False(t, r.Passed())
	require.Equal(t, task.Name, r.Verdict.Task)
	require.NotEmpty(t, r.Verdict.Failed())
	require.Empty(t, r.Output)
	require.Contains(t, r.Verdict.String(), "\n  alive     ")
	require.Contains(t, r.Verdict.String(), "held by")
	moment := r.Verdict.Failed()[0].Moment
	require.True(t, strings.HasPrefix(moment.Alive[len(moment.Alive)-1].Made.String(), "exercises/05/segments.go:"))

	answer, err := solutions.Answer(task.Lesson, task.File())
	require.NoError(t, err)
	l.write(string(answer))
	r = l.grade(task)[0]
	require.True(t, r.Passed(), "%v%s", r.Verdict, r.Problem)
	require.Positive(t, r.Took)
}

func TestWhatTheCodePrints(t *testing.T) {
	l := newLearner(t)
	l.insert(`print("one\ntwo") // without an end of line`)
	r := l.grade(task)[0]
	require.NotNil(t, r.Verdict)
	require.True(t, strings.HasPrefix(r.Output, "one\ntwo"), r.Output)
	require.NotContains(t, r.Output, "===")
	require.NotContains(t, r.Output, "checks")
}

func TestNotCompiled(t *testing.T) {
	l := newLearner(t)
	l.insert("x := missing")
	r := l.grade(task)[0]
	require.Regexp(t, `^exercises/05/segments\.go:\d+:\d+: `, r.Problem)
	require.Contains(t, r.Problem, "undefined: missing")
	require.NotContains(t, r.Problem, "#")

	l.write("")
	require.Contains(t, l.grade(task)[0].Problem, "exercises/05/segments.go:1:1: expected 'package'")

	l.write("package other\n")
	require.Equal(t, "exercises/05/segments.go:1:9: package other; the files of a lesson are package exercise", l.grade(task)[0].Problem)
}

// TestFunctionGone has a file that compiles by itself. The test, which the
// learner did not write, does not.
func TestFunctionGone(t *testing.T) {
	l := newLearner(t)
	l.write("package exercise\n")
	require.Contains(t, l.grade(task)[0].Problem, "undefined: Segments")
}

func TestMissingFile(t *testing.T) {
	l := newLearner(t)
	require.NoError(t, os.Remove(l.File(task)))
	require.Equal(t, "exercises/05/segments.go is missing; go run ./tools/workbook reset segments puts it back",
		l.grade(task)[0].Problem)
	require.NoError(t, os.RemoveAll(filepath.Dir(l.File(task))))
	require.Contains(t, l.grade(task)[0].Problem, "exercises/05/segments.go is missing")
}

func TestWithoutEnd(t *testing.T) {
	l := newLearner(t)
	t.Setenv(tasks.TimeLimitVariable, "1s")
	l.insert(`for { println("again") }`)
	r := l.grade(task)[0]
	require.True(t, strings.HasPrefix(r.Problem, "it did not end within 1s"), r.Problem)
	require.Contains(t, r.Output, "again")
	require.Less(t, len(r.Output), 16<<20)
}

func TestEndsTheProgram(t *testing.T) {
	l := newLearner(t)
	l.insert("go func() { panic(\"boo\") }()\n\tselect {}")
	r := l.grade(task)[0]
	require.Regexp(t, `^exercises/05/segments\.go:\d+: boo$`, r.Problem)
}

// Whatever becomes of the tests, the tasks are graded by the originals.
func TestTheTestsAreTheOriginals(t *testing.T) {
	l := newLearner(t)
	file := filepath.Join(l.Root, "exercises", "05", tasks.TestFile)
	require.NoError(t, os.WriteFile(file, []byte("package exercise\n"), 0o644))
	require.NotNil(t, l.grade(task)[0].Verdict)
	require.NoError(t, os.Remove(file))
	require.NotNil(t, l.grade(task)[0].Verdict)
}

// A verdict of one's own is none.
func TestAForgedVerdict(t *testing.T) {
	l := newLearner(t)
	source, err := solutions.Starter(task.Lesson, task.File())
	require.NoError(t, err)
	l.write(strings.NewReplacer("import (", "import (\n\t\"os\"\n\t\"syscall\"\n",
		"// END", "os.WriteFile(os.Getenv(\"WORKBOOK_VERDICTS\")+\"/segments.json\", []byte(`{\"passed\": true}`), 0o644)\n\tsyscall.Exit(0)\n\t// END",
	).Replace(string(source)))
	require.False(t, l.grade(task)[0].Passed())
}

func TestWithoutGo(t *testing.T) {
	l := newLearner(t)
	t.Setenv("PATH", t.TempDir())
	require.Contains(t, l.grade(task)[0].Problem, "go cannot be run")
}

func TestGoItselfFails(t *testing.T) {
	l := newLearner(t)
	require.NoError(t, os.WriteFile(filepath.Join(l.Root, "exercises", "go.mod"), []byte("nonsense"), 0o644))
	require.Contains(t, l.grade(task)[0].Problem, "go.mod:1: unknown directive: nonsense")
}

func TestWrongLimit(t *testing.T) {
	l := newLearner(t)
	t.Setenv(tasks.TimeLimitVariable, "soon")
	_, err := verdicts.Grade(t.Context(), l.Project, []grade.Info{task})
	require.ErrorContains(t, err, `WORKBOOK_TIME_LIMIT: "soon" is no time limit`)
}

// TestCancel waits until the learner's program says that it runs, and sees
// that it ends with the context.
func TestCancel(t *testing.T) {
	l := newLearner(t)
	sign := filepath.Join(t.TempDir(), "runs")
	source, err := solutions.Starter(task.Lesson, task.File())
	require.NoError(t, err)
	l.write(strings.NewReplacer(
		"import (", "import (\n\t\"os\"\n\t\"strconv\"\n\t\"time\"\n",
		"// END", "for { os.WriteFile("+quote(sign)+", []byte(strconv.Itoa(os.Getpid())), 0o644); time.Sleep(10*time.Millisecond) }\n\t// END",
	).Replace(string(source)))

	ctx, cancel := context.WithCancel(t.Context())
	graded := make(chan error)
	go func() {
		_, err := verdicts.Grade(ctx, l.Project, []grade.Info{task})
		graded <- err
	}()
	require.Eventually(t, exists(sign), 30*time.Second, 10*time.Millisecond)
	cancel()
	require.ErrorIs(t, <-graded, context.Canceled)
	require.NoError(t, os.Remove(sign))
	require.Never(t, exists(sign), 300*time.Millisecond, 50*time.Millisecond)
}

func quote(s string) string { return "`" + s + "`" }

func exists(file string) func() bool {
	return func() bool {
		_, err := os.Stat(file)
		return err == nil
	}
}

func TestNothingToGrade(t *testing.T) {
	require.Empty(t, newLearner(t).grade())
}
