package classes

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/jstemmer/go-junit-report/v2/junit"
	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/solutions/tasks"
	"github.com/torchmem/workbook/tools/workbook/verdicts"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// check makes a check that holds, or that does not.
func check(m grade.Metric, ok bool) grade.Check {
	return grade.Check{Case: "9 layers", Metric: m, OK: ok, Got: "17 bytes", Want: "at most 16 bytes"}
}

// graded makes the result of a task that was graded.
func graded(lesson, name string, checks ...grade.Check) verdicts.Result {
	v := grade.Verdict{Task: name, Lesson: lesson, Cases: 1, Passed: true, Checks: checks}
	for _, c := range checks {
		v.Passed = v.Passed && c.OK
		v.Graded = append(v.Graded, c.Metric)
	}
	return verdicts.Result{
		Info:    grade.Info{Name: name, Lesson: lesson, Title: "Do " + name},
		Verdict: &v, Took: 250 * time.Millisecond,
	}
}

// several has a pass, a failure, and a program that does not compile.
func several() []verdicts.Result {
	failed := graded("05", "segments",
		check(grade.PeakAllocated, false), check(grade.Recomputed, true), check(grade.Gradients, true), check(grade.HostBytes, true), check(grade.Outside, true))
	failed.Output = "s = 3\n"
	broken := verdicts.Result{
		Info:    grade.Info{Name: "total", Lesson: "06", Title: "Do total"},
		Problem: "exercises/06/total.go:12:3: undefined: losss\nexercises/06/total.go:13:3: undefined: y",
		Took:    1500 * time.Millisecond,
	}
	return []verdicts.Result{
		graded("05", "dropout", check(grade.PeakAllocated, true), check(grade.Outside, true)), broken, failed,
	}
}

// TestGoldenFiles shows what both formats look like.
func TestGoldenFiles(t *testing.T) {
	for file, write := range map[string]func(io.Writer, []verdicts.Result) error{
		"testdata/results.json": Gradescope,
		"testdata/results.xml":  JUnit,
		"testdata/none.json":    func(w io.Writer, _ []verdicts.Result) error { return Gradescope(w, nil) },
		"testdata/none.xml":     func(w io.Writer, _ []verdicts.Result) error { return JUnit(w, nil) },
	} {
		var got bytes.Buffer
		require.NoError(t, write(&got, several()))
		if *update {
			require.NoError(t, os.WriteFile(file, got.Bytes(), 0o644))
		}
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, string(want), got.String(), file)
	}
}

// The number of a task does not depend on which others are graded.
func TestNumbersAreThoseOfAllTasks(t *testing.T) {
	second := tasks.Of("05")[1]
	var out bytes.Buffer
	require.NoError(t, Gradescope(&out, []verdicts.Result{graded(second.Lesson, second.Name, check(grade.Values, true))}))
	require.Equal(t, "05.2", readGradescope(t, out.Bytes()).Tests[0].Number)
}

func TestCredit(t *testing.T) {
	const memory, time = grade.PeakAllocated, grade.Recomputed
	untouched := graded("05", "a", check(memory, false), check(time, true))
	untouched.Untouched = true
	for what, c := range map[string]struct {
		result verdicts.Result
		want   float64
	}{
		"an untouched file":    {untouched, 0},
		"a pass":               {graded("05", "a", check(memory, true), check(grade.Outside, true)), 1},
		"one of two limits":    {graded("05", "a", check(memory, false), check(time, true), check(grade.Gradients, true)), 0.5},
		"two of three limits":  {graded("05", "a", check(memory, false), check(time, true), check(grade.Made, true)), 0.66},
		"in one case of three": {graded("05", "a", check(memory, true), check(memory, false), check(memory, true), check(time, true)), 0.5},
		"only right numbers":   {graded("05", "a", check(memory, false), check(grade.Gradients, true), check(grade.Values, true)), 0},
		"wrong gradients":      {graded("05", "a", check(memory, true), check(grade.Gradients, false)), 0},
		"wrong values":         {graded("05", "a", check(memory, true), check(grade.Values, false)), 0},
		"a changed file":       {graded("05", "a", check(memory, true), check(grade.Outside, false)), 0},
		"work on the CPU":      {graded("05", "a", check(grade.HostBytes, false), check(memory, true)), 0},
		"a program that ends":  {graded("05", "a", check(memory, true), check(grade.Finished, false)), 0},
		"no verdict":           {verdicts.Result{Problem: "does not compile"}, 0},
		"nothing graded":       {verdicts.Result{Verdict: &grade.Verdict{}}, 0},
	} {
		require.Equal(t, c.want, credit(c.result), what)
	}
}

func readGradescope(t *testing.T, text []byte) submission {
	t.Helper()
	require.True(t, utf8.Valid(text))
	var s submission
	require.NoError(t, json.Unmarshal(text, &s))
	return s
}

func readJUnit(t *testing.T, text []byte) junit.Testsuites {
	t.Helper()
	var s junit.Testsuites
	require.NoError(t, xml.Unmarshal(text, &s))
	return s
}

func TestTotals(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, JUnit(&out, several()))
	s := readJUnit(t, out.Bytes())
	require.Equal(t, [3]int{3, 1, 1}, [3]int{s.Tests, s.Failures, s.Errors})
	require.Equal(t, []string{"lesson 05", "lesson 06"}, []string{s.Suites[0].Name, s.Suites[1].Name})
	require.Equal(t, []string{"dropout", "segments"}, []string{s.Suites[0].Testcases[0].Name, s.Suites[0].Testcases[1].Name})

	out.Reset()
	require.NoError(t, Gradescope(&out, several()))
	g := readGradescope(t, out.Bytes())
	require.Equal(t, 2, g.ExecutionTime)
	require.Nil(t, g.Score, "a score would replace the sum of the tests")
}

// odd is what a program may print.
const odd = "\x1b[31mred\x1b[0m \x00\x07\x0b\x7f\u0085 \xff\xfe \ufffe\uffff ]]> <b> & \"'\r\nend\r\ttab"

func TestOddCharacters(t *testing.T) {
	printed := graded("05", "segments", check(grade.Values, false))
	printed.Output, printed.Verdict.Checks[0].Got = odd, odd
	results := []verdicts.Result{printed, {Info: grade.Info{Name: "total", Lesson: "06"}, Problem: odd}}
	const kept = "red \ufffd\ufffd\ufffd\ufffd\ufffd \ufffd \ufffd\ufffd ]]> <b> & \"'\nend\ufffd\ttab"

	var out bytes.Buffer
	require.NoError(t, Gradescope(&out, results))
	g := readGradescope(t, out.Bytes())
	require.Contains(t, g.Tests[0].Output, "\nThe program printed:\n"+kept)
	got := "  got       " + strings.ReplaceAll(kept, "\n", "\n            ")
	require.Contains(t, g.Tests[0].Output, got)
	require.Equal(t, kept+"\n", g.Tests[1].Output)

	out.Reset()
	require.NoError(t, JUnit(&out, results))
	s := readJUnit(t, out.Bytes())
	require.Equal(t, kept, s.Suites[0].Testcases[0].SystemOut.Data)
	require.Contains(t, s.Suites[0].Testcases[0].Failure.Data, got)
	require.Equal(t, kept+"\n", s.Suites[1].Testcases[0].Error.Data)
	require.Equal(t, strings.Split(kept, "\n")[0], s.Suites[1].Testcases[0].Error.Message)
}

func TestALongOutputIsClipped(t *testing.T) {
	require.Equal(t, strings.Repeat("x", most), clip(strings.Repeat("x", most)))
	long := "begin" + strings.Repeat("é", most) + "end"
	clipped := clip(long)
	require.True(t, utf8.ValidString(clipped))
	require.Less(t, len(clipped), most+100)
	require.True(t, strings.HasPrefix(clipped, "begin") && strings.HasSuffix(clipped, "end"))
	require.Regexp(t, `é\n\.\.\. 16\d\d\d bytes are left out \.\.\.\né`, clipped)
}

func TestFaultsOfWriting(t *testing.T) {
	full := errors.New("the disk is full")
	require.ErrorIs(t, Gradescope(faulty{full}, several()), full)
	require.ErrorIs(t, JUnit(faulty{full}, several()), full)
}

type faulty struct{ err error }

func (f faulty) Write([]byte) (int, error) { return 0, f.err }
