package watch

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/solutions"
	"github.com/torchmem/workbook/solutions/tasks"
	"github.com/torchmem/workbook/tools/workbook/progress"
	"github.com/torchmem/workbook/tools/workbook/project"
)

// The keys of a terminal.
const (
	escape = "\x1b"
	ctrlC  = "\x03"
	end    = "\x1b[F"
)

// saveAnswer writes a task's answer over the learner's file.
func saveAnswer(t *testing.T, p project.Project) (saved time.Time) {
	t.Helper()
	i := tasks.Segments.Info
	answer, err := solutions.Answer(i.Lesson, i.File())
	require.NoError(t, err)
	saved = time.Now()
	require.NoError(t, os.WriteFile(p.File(i), answer, 0o644))
	return saved
}

func progressOf(t *testing.T, p project.Project) *progress.Progress {
	t.Helper()
	kept, err := progress.Open(filepath.Join(p.StateFolder(), "progress.json"))
	require.NoError(t, err)
	return kept
}

func TestALearnerAtATerminal(t *testing.T) {
	p := newProject(t)
	s := open(t, p, "segments")
	s.wait("segments", "exercises/05/segments.go", "✗ fails", "peak allocated", "loss.Backward()", "0 of ")
	require.Contains(t, s.screen.Render(), "\x1b[31m█", "what is over is red")
	s.press(end)
	s.wait("not graded")

	saved := saveAnswer(t, p)
	s.wait("✓ passed: 1")
	took := time.Since(saved)
	t.Logf("from a save to the verdict: %d ms", took.Milliseconds())
	require.Less(t, took, 20*time.Second, "however busy the machine is")
	s.wait("1 of ")
	require.Contains(t, s.screen.Render(), "\x1b[32m█", "what is within is green")

	s.press("l")
	s.wait("› ✓ 05  segments", "passed", "not tried")
	s.press(escape)
	s.wait("✓ passed: 1")
	s.press("h")
	s.wait("hint 1 of 3")
	s.press("s")
	s.wait("one solution: solutions/05/segments.go", "package exercise")
	s.resize(50, 12)
	s.wait("one solution")
	s.press("s")
	s.wait("hint 1 of 3", "Cut a chain of layers")
	s.resize(120, 40)
	s.wait("hint 1 of 3", "segments at the peak, ", "q quit")

	s.press("q")
	s.ended()
	kept := progressOf(t, p)
	require.True(t, kept.Passed("segments"))
	require.Equal(t, 2, kept.Attempts("segments"))
	require.Equal(t, 1, kept.Hints("segments"))
}

func TestALearnerWithoutColours(t *testing.T) {
	p := newProject(t)
	require.NoError(t, os.MkdirAll(p.StateFolder(), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(p.StateFolder(), "progress.json"), []byte("{oh"), 0o644))
	s := open(t, p, "segments", "NO_COLOR=yes")
	s.wait("x fails", "######", "the file made no sense", ".damaged-")

	broken := []byte("package exercise\n\nfunc Segments() { undefinedThing() }\n")
	require.NoError(t, os.WriteFile(p.File(tasks.Segments.Info), broken, 0o644))
	s.wait("x no verdict", "undefined: undefinedThing\n    exercises/05/segments.go:3:19")

	s.press("r")
	s.wait("(y/n)")
	s.press("y")
	s.wait("yours is kept in", ".workbook/saved/segments-", "x fails")
	require.NotRegexp(t, colour, s.written())
	s.press("q")
	s.ended()
}

// endless writes a file that does not end its program, and waits until that
// runs. As long as it does, the file at beats grows.
func endless(t *testing.T, p project.Project) (beats string) {
	t.Helper()
	i := tasks.Segments.Info
	starter, err := solutions.Starter(i.Lesson, i.File())
	require.NoError(t, err)
	beats = filepath.Join(t.TempDir(), "beats")
	loop := fmt.Sprintf(`// TODO
	for beats, _ := theOS.Create(%q); ; theTime.Sleep(theTime.Millisecond) {
		beats.WriteString("x")
	}
	`, beats)
	text := strings.Replace(string(starter), "// TODO", loop+"// TODO", 1)
	text = strings.Replace(text, "import (", "import (\n\ttheOS \"os\"\n\ttheTime \"time\"\n", 1)
	require.NoError(t, os.WriteFile(p.File(i), []byte(text), 0o644))
	require.Eventually(t, func() bool { return size(beats) > 0 }, 30*time.Second, 5*time.Millisecond, "the program runs")
	return beats
}

func size(file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return info.Size()
}

// requireStill fails where a program still runs.
func requireStill(t *testing.T, beats string) {
	t.Helper()
	before := size(beats)
	time.Sleep(100 * time.Millisecond)
	require.Equal(t, before, size(beats), "the program has ended")
}

func TestAProgramWithoutEndIsEnded(t *testing.T) {
	p := newProject(t)
	s := open(t, p, "segments")
	s.wait("✗ fails")
	beats := endless(t, p)
	s.wait("grading")
	saveAnswer(t, p)
	s.wait("✓ passed: 1")
	requireStill(t, beats)

	beats = endless(t, p)
	s.press("q")
	s.ended()
	requireStill(t, beats)
	require.Equal(t, 2, progressOf(t, p).Attempts("segments"), "a run that was given up is no attempt")
}

func TestTwoWatchersAtOnce(t *testing.T) {
	p := newProject(t)
	one, two := open(t, p, "segments"), open(t, p, "segments")
	one.wait("✗ fails")
	two.wait("✗ fails")
	saveAnswer(t, p)
	one.wait("✓ passed: 1", "1 of ")
	two.wait("✓ passed: 1", "1 of ")
	one.press("h")
	one.wait("hint 1 of 3")
	two.press("h")
	two.wait("hint 2 of 3")
	one.press("q")
	one.ended()
	two.press(ctrlC)
	two.ended()
	kept := progressOf(t, p)
	require.Equal(t, 4, kept.Attempts("segments"))
	require.Equal(t, 2, kept.Hints("segments"))
}

func TestItNeedsATerminal(t *testing.T) {
	p := project.Project{Root: t.TempDir()}
	err := Run(t.Context(), p, "segments", strings.NewReader("q"), io.Discard)
	require.EqualError(t, err, "watch needs a terminal; use: go run ./tools/workbook run segments")

	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	require.NoError(t, err)
	defer file.Close()
	err = Run(t.Context(), p, "", file, file)
	require.EqualError(t, err, "watch needs a terminal; use: go run ./tools/workbook run "+tasks.All()[0].Name)

	err = Run(t.Context(), p, "no such task", file, file)
	require.EqualError(t, err, `there is no task "no such task"; see them all: go run ./tools/workbook list`)
}

func TestADumbTerminalIsNone(t *testing.T) {
	s := open(t, newProject(t), "segments", "TERM=dumb")
	s.wait("watch needs a terminal; use: go run ./tools/workbook run segments")
	require.Error(t, s.cmd.Wait())
}

func TestItEndsWithTheContext(t *testing.T) {
	ptmx, tty := pair(t)
	go func() { _, _ = io.Copy(io.Discard, ptmx) }()
	p, temporary := newProject(t), t.TempDir()
	t.Setenv("TMPDIR", temporary)
	ctx, end := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer end()
	require.NoError(t, Run(ctx, p, "segments", tty, tty))
	left, err := filepath.Glob(filepath.Join(temporary, "workbook*"))
	require.NoError(t, err)
	require.Empty(t, left, "it waits for the grading that it ends")
}
