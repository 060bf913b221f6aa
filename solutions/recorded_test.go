package solutions_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/solutions/tasks"
)

// recording is what PyTorch used for the exercises on a real GPU.
type recording struct {
	// Tasks has what a function used, by task, case and function.
	Tasks  map[string]map[string]map[string]used `json:"tasks"`
	Raised []raised                              `json:"raised"`
}

// used is what a function used.
type used = map[grade.Metric]int64

// raised is an error that ended a function.
type raised struct {
	Task     string `json:"task"`
	Case     string `json:"case"`
	Function string `json:"function"`
	Text     string `json:"text"`
	// Statement is the line that raised it.
	Statement string `json:"statement"`
}

// unrecorded names the tasks of which no function is recorded, with the reason.
var unrecorded = map[string]string{
	"rounded":  "a prediction makes no tensors; what it predicts is compared with the recorded traces in runtime/caching",
	"reserved": "a prediction makes no tensors; what it predicts is compared with the recorded traces in runtime/caching",
	"fits":     "a prediction makes no tensors; TestPredictedPeaksEqualRecordings compares what it predicts",
}

// counted are the metrics that every function is recorded with. PyTorch has no
// counter of memory on the CPU.
var counted = []grade.Metric{
	grade.PeakAllocated, grade.PeakReserved, grade.EndAllocated, grade.EndReserved,
	grade.DriverAllocations, grade.LiveTensors, grade.Made,
}

// measure is what a function used for a case here.
type measure struct {
	caseName, function string
	used               used
	err                error
}

func (p proven[F]) measures() []measure {
	var all []measure
	for _, c := range p.task.Cases {
		for _, f := range []struct {
			name string
			f    F
		}{{"answer", p.answer}, {"starter", p.starter.f}} {
			used, err := c.Measure(f.f)
			all = append(all, measure{c.Name, f.name, used, err})
		}
	}
	return all
}

// TestMeasuresEqualRecordings compares what the answer and the starter of each
// task use with what the same functions use in PyTorch. There is no tolerance,
// so a limit that tells them apart here tells them apart there.
func TestMeasuresEqualRecordings(t *testing.T) {
	recorded := readRecording(t)
	for _, p := range proofs {
		name := p.about().Name
		if unrecorded[name] != "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := p.measures()
			require.Len(t, all, 2*len(recorded.Tasks[name]), "the cases are those of the recording")
			for _, m := range all {
				want := recorded.Tasks[name][m.caseName][m.function]
				require.NotEmpty(t, want, "%s, the %s: not recorded", m.caseName, m.function)
				for metric, n := range want {
					require.Equal(t, n, m.used[metric], "%s, the %s: %s", m.caseName, m.function, metric)
				}
				compareError(t, recorded.errorOf(name, m), m)
			}
			requireLimitsRecorded(t, p.asked(), recorded.Tasks[name])
		})
	}
}

// TestEveryTaskIsRecorded compares the list of the tasks with the recording.
func TestEveryTaskIsRecorded(t *testing.T) {
	recorded := readRecording(t)
	for _, info := range tasks.All() {
		if unrecorded[info.Name] == "" {
			require.NotEmpty(t, recorded.Tasks[info.Name], info.Name)
		}
	}
	for name, cases := range recorded.Tasks {
		require.True(t, slices.ContainsFunc(tasks.All(), func(i grade.Info) bool { return i.Name == name }), "%s is no task", name)
		for c, functions := range cases {
			for f, used := range functions {
				require.Subset(t, slices.Collect(maps.Keys(used)), counted, "%s, %s, %s", name, c, f)
			}
		}
	}
}

// requireLimitsRecorded makes sure that what a limit is put on is recorded.
func requireLimitsRecorded(t *testing.T, asked []grade.Ask, cases map[string]map[string]used) {
	t.Helper()
	for _, a := range asked {
		if a.Want == "" || a.Metric == grade.HostBytes {
			continue // not a limit, or none that PyTorch could be asked about
		}
		for function, used := range cases[a.Case] {
			require.Contains(t, used, a.Metric, "%s, the %s", a.Case, function)
		}
	}
}

// TestPredictedPeaksEqualRecordings asks the reference about the peak that
// PyTorch had, and about one byte less.
func TestPredictedPeaksEqualRecordings(t *testing.T) {
	cases := readRecording(t).Tasks[tasks.Fits.Name]
	require.Len(t, cases, len(tasks.Fits.Cases))
	for _, c := range tasks.Fits.Cases {
		peak := cases[c.Name]["step"][grade.PeakAllocated]
		require.NotZero(t, peak, "%s: not recorded", c.Name)
		n := numbers(c.Name) // "64 layers of 256 x 256 on 4096 x 256"
		layers, batch, width := n[0], n[3], n[4]
		require.True(t, tasks.Fits.Reference(layers, batch, width, peak), c.Name)
		require.False(t, tasks.Fits.Reference(layers, batch, width, peak-1), c.Name)
	}
}

// compareError compares the error that ended a function, if one did: its text,
// and the name that the line was about to set.
func compareError(t *testing.T, want *raised, got measure) {
	t.Helper()
	if want == nil {
		require.NoError(t, got.err, "%s, the %s", got.caseName, got.function)
		return
	}
	require.Error(t, got.err, "%s, the %s", got.caseName, got.function)
	for sentence := range strings.SplitSeq(want.Text, ". ") {
		require.Contains(t, got.err.Error(), sentence)
	}
	require.Equal(t, firstWord(want.Statement), firstWord(lineOf(t, got.err)))
}

// errorOf returns the recorded error of a function, or nil.
func (r recording) errorOf(task string, m measure) *raised {
	for _, e := range r.Raised {
		if e.Task == task && e.Case == m.caseName && e.Function == m.function {
			return &e
		}
	}
	return nil
}

// lineOf reads the line that an error names: (at 03/starter/recover.go:12).
func lineOf(t *testing.T, err error) string {
	t.Helper()
	at := regexp.MustCompile(`\(at (\S+):(\d+)\)$`).FindStringSubmatch(err.Error())
	require.Len(t, at, 3, err.Error())
	source, readErr := os.ReadFile(strings.TrimPrefix(at[1], "solutions/"))
	require.NoError(t, readErr)
	n, _ := strconv.Atoi(at[2])
	return strings.Split(string(source), "\n")[n-1]
}

func firstWord(line string) string { return regexp.MustCompile(`\w+`).FindString(line) }

// numbers returns the numbers of a case's name.
func numbers(name string) []int {
	var all []int
	for _, digits := range regexp.MustCompile(`\d+`).FindAllString(name, -1) {
		n, _ := strconv.Atoi(digits)
		all = append(all, n)
	}
	return all
}

func readRecording(t *testing.T) recording {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "testdata", "oracle", "exercises.json"))
	require.NoError(t, err)
	var r recording
	require.NoError(t, json.Unmarshal(data, &r))
	return r
}
