package workbook_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/lessons/lesson"
	"github.com/torchmem/workbook/runtime/oracle"
)

// unequal names recorded rows that a lesson cannot equal, with the reason, as
// "program: label". The README shows this list.
var unequal = map[string]string{}

// mirrored are the recordings that must have a lesson: those of the
// tutorial's sections and exercises.
var mirrored = []string{"s21_*", "s22_*", "s31_*", "s32_*", "s41_*", "s42_*", "retain_graph", "frag", "summary", "ex1_loop_many", "oom"}

// TestLessonsEqualRecordings compares every row of every program with
// PyTorch's: all counters, the order and sizes of the allocator's events, which
// allocation each free ends, and the texts. There is no tolerance.
func TestLessonsEqualRecordings(t *testing.T) {
	programs := runLessons(t, "")
	compared := 0
	for _, name := range recordings(t, mirrored...) {
		t.Run(name, func(t *testing.T) {
			want := readRecording(t, name)
			require.NotEmpty(t, programs[name], "no lesson runs this program")
			for _, got := range programs[name] {
				compareProgram(t, want, got)
				compareTexts(t, want, got)
			}
			compared += len(want.Rows)
		})
	}
	claim := fmt.Sprintf("%d programs with %d rows", len(recordings(t, mirrored...)), compared)
	require.Contains(t, readFile(t, "README.md"), claim, "the README says how much is compared")
}

// TestLessonsEqualRecordingsWithExpandableSegments does so for the programs that
// were recorded with other settings.
func TestLessonsEqualRecordingsWithExpandableSegments(t *testing.T) {
	const prefix = "expandable_"
	programs := runLessons(t, "expandable_segments:True")
	compared := 0
	for _, name := range recordings(t, prefix+"*") {
		want := readRecording(t, name)
		require.Equal(t, "expandable_segments:True", want.Conf)
		for _, got := range programs[strings.TrimPrefix(name, prefix)] {
			compareProgram(t, want, got)
			compared++
		}
	}
	require.NotZero(t, compared)
}

// compareProgram compares all rows of a program.
func compareProgram(t *testing.T, want *oracle.Program, got []lesson.Row) {
	t.Helper()
	require.Equal(t, labels(want.Rows, func(r oracle.Row) string { return r.Label }),
		labels(got, func(r lesson.Row) string { return r.Label }))
	recorded, ours := oracle.NewLog(), oracle.NewLog()
	for i, row := range want.Rows {
		require.Equal(t, recorded.Spell(row.Events), ours.Spell(got[i].Events), row.Label)
		compareRow(t, want.Name, row, got[i])
	}
}

func compareRow(t *testing.T, program string, want oracle.Row, got lesson.Row) {
	t.Helper()
	id := program + ": " + want.Label
	if reason, ok := unequal[id]; ok {
		require.Contains(t, readFile(t, "README.md"), id+": "+reason, "the README lists rows that are not equal")
		return
	}
	require.Equal(t, want.Counters, got.Counters, id)
}

// process is the part of an out-of-memory message that depends on what else
// runs on the machine.
var process = regexp.MustCompile(`of which .* is free\. (Process \d+ has .*? memory in use\. |Including non-PyTorch memory, this process has .*? memory in use\. )*`)

// unsaid are extras of the recordings that no lesson says. The gradients of the
// dropout model depend on PyTorch's random numbers; that a checkpoint repeats
// them is tested on numbers of our own. The two last messages of the program oom
// are compared with the allocator's.
var unsaid = []string{"plain_g0", "preserve_g0", "nopreserve_g0", "oom_1tib", "oom_1tib_nolimit"}

// compareTexts compares all that a recording has besides its rows with what the
// lesson says.
func compareTexts(t *testing.T, want *oracle.Program, got []lesson.Row) {
	t.Helper()
	said := map[string]string{}
	for _, row := range got {
		for key, text := range row.Texts {
			said[key] += text
		}
	}
	for key, extra := range want.Extra {
		if slices.Contains(unsaid, key) {
			continue
		}
		require.Equal(t, process.ReplaceAllString(spoken(t, extra), ""), process.ReplaceAllString(said[key], ""), key)
	}
}

// spoken returns an extra as a lesson says it: a text as it is, a truth value
// in Python's spelling, the texts of a list one after the other.
func spoken(t *testing.T, extra json.RawMessage) string {
	t.Helper()
	var value any
	require.NoError(t, json.Unmarshal(extra, &value))
	switch v := value.(type) {
	case bool:
		return map[bool]string{true: "True", false: "False"}[v]
	case []any:
		return fmt.Sprint(v...)
	default:
		return fmt.Sprint(v)
	}
}

// recordings lists the recorded programs whose names have one of the patterns.
func recordings(t *testing.T, patterns ...string) []string {
	t.Helper()
	var names []string
	for _, pattern := range patterns {
		files, err := filepath.Glob(filepath.Join("testdata/oracle/programs", pattern+".json"))
		require.NoError(t, err)
		require.NotEmpty(t, files, pattern)
		for _, f := range files {
			names = append(names, strings.TrimSuffix(filepath.Base(f), ".json"))
		}
	}
	return names
}

func readRecording(t *testing.T, name string) *oracle.Program {
	t.Helper()
	p, err := oracle.Read("testdata/oracle/programs/" + name + ".json")
	require.NoError(t, err)
	require.NotEmpty(t, p.Rows)
	return p
}

// runLessons runs all lessons with the settings and returns what they printed
// for each program, once for each lesson that has it.
func runLessons(t *testing.T, settings string) map[string][][]lesson.Row {
	t.Helper()
	programs := map[string][][]lesson.Row{}
	for _, number := range lessons() {
		byProgram := map[string][]lesson.Row{}
		for _, row := range runLesson(t, number, "-alloc-conf", settings) {
			if row.Program != "" {
				byProgram[row.Program] = append(byProgram[row.Program], row)
			}
		}
		for name, rows := range byProgram {
			programs[name] = append(programs[name], rows)
		}
	}
	return programs
}

// runLesson runs a lesson with -json and further flags and returns its rows.
func runLesson(t *testing.T, number string, flags ...string) []lesson.Row {
	t.Helper()
	run := exec.Command(command(number), append(flags, "-json")...)
	run.Env = append(os.Environ(), "PYTORCH_CUDA_ALLOC_CONF=")
	out, err := run.Output()
	require.NoError(t, err, number)
	var rows []lesson.Row
	for lines := json.NewDecoder(bytes.NewReader(out)); lines.More(); {
		var row lesson.Row
		require.NoError(t, lines.Decode(&row))
		require.Equal(t, number, row.Lesson)
		require.NotEmpty(t, row.Statement)
		rows = append(rows, row)
	}
	return rows
}

func labels[R any](rows []R, label func(R) string) []string {
	all := make([]string, len(rows))
	for i, r := range rows {
		all[i] = label(r)
	}
	return all
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(text)
}
