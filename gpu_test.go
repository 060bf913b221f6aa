//go:build cuda

package workbook_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/lessons/lesson"
	"github.com/torchmem/workbook/runtime/device"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/oracle"
)

// The commands have the real device too.
func init() { buildTags = []string{"-tags", "cuda"} }

// requireGPU skips a test that needs a real GPU of the recorded kind. The other
// tests run on a real GPU as well: those that start lessons take the device from
// the same variable.
//
//	WORKBOOK_DEVICE=cuda go test -tags cuda . -v -run 'GPU|Recordings'
func requireGPU(t *testing.T) {
	t.Helper()
	if device.Chosen() != device.Cuda {
		t.Skip(device.Variable + "=" + device.Cuda + " is not set: there may be no GPU")
	}
	d, err := device.Open(device.Cuda, gpu.Profile{})
	require.NoError(t, err)
	defer device.Close(d)
	if title := d.Profile().Title; title != gpu.DefaultProfile().Title {
		t.Skipf("this is a %s: the lessons are compared on an %s", title, gpu.DefaultProfile().Title)
	}
}

// TestLessonsOnGPUEqualSimulation runs all lessons on both devices and compares
// every row: all counters, the events, the texts. The driver's own figure must
// agree with the counters too: what it counts as used is what is reserved and a
// constant.
func TestLessonsOnGPUEqualSimulation(t *testing.T) {
	requireGPU(t)
	equal := 0
	for _, number := range lessons() {
		t.Run(number, func(t *testing.T) {
			simulated := byProgram(runLesson(t, number, "-device", device.Sim))
			for i, rows := range byProgram(runLesson(t, number, "-device", device.Cuda)) {
				compareDevices(t, simulated[i], rows)
				equal += len(rows)
			}
		})
	}
	t.Logf("%d rows equal", equal)
}

// byProgram cuts rows where a program ends.
func byProgram(rows []lesson.Row) [][]lesson.Row {
	var programs [][]lesson.Row
	for i, r := range rows {
		if i == 0 || r.Program != "" && r.Program != programOf(programs[len(programs)-1]) {
			programs = append(programs, nil)
		}
		programs[len(programs)-1] = append(programs[len(programs)-1], r)
	}
	return programs
}

// programOf is the program of rows. An aside has none.
func programOf(rows []lesson.Row) string {
	for _, r := range rows {
		if r.Program != "" {
			return r.Program
		}
	}
	return ""
}

func compareDevices(t *testing.T, simulated, real []lesson.Row) {
	t.Helper()
	require.Len(t, real, len(simulated))
	said, meant := oracle.NewLog(), oracle.NewLog()
	for i, r := range real {
		require.Equal(t, simulated[i].Statement, r.Statement)
		require.Equal(t, simulated[i].Counters, r.Counters, r.Statement)
		require.Equal(t, meant.Spell(simulated[i].Events), said.Spell(r.Events), r.Statement)
		require.Equal(t, withoutProcess(t, simulated[i].Texts), withoutProcess(t, r.Texts), r.Statement)
		require.NotNil(t, r.DriverUse)
		require.Equal(t, real[0].Beyond, r.Beyond, "%s: the driver counts what is reserved and a constant", r.Statement)
	}
}

// withoutProcess leaves out of texts what other programs on the GPU decide.
func withoutProcess(t *testing.T, texts map[string]string) string {
	t.Helper()
	all, err := json.Marshal(texts)
	require.NoError(t, err)
	return process.ReplaceAllString(string(all), "")
}

// realTranscript is a block of a document that shows a command on a real GPU.
var realTranscript = regexp.MustCompile("(?s)```[a-z]*\n\\$ go run -tags cuda \\./(lessons/\\d\\d)([^\n]*)\n(.*?)```")

// TestTranscriptsOnGPUAreCurrent runs the commands that a document shows on a
// real GPU. With -update it rewrites the document.
func TestTranscriptsOnGPUAreCurrent(t *testing.T) {
	requireGPU(t)
	shown := 0
	for _, page := range pages(t) {
		text := readFile(t, page)
		current := realTranscript.ReplaceAllStringFunc(text, func(block string) string {
			shown++
			parts := realTranscript.FindStringSubmatch(block)
			out, err := exec.Command(binary(parts[1]), strings.Fields(parts[2])...).Output()
			require.NoError(t, err, block)
			return "```\n$ go run -tags cuda ./" + parts[1] + parts[2] + "\n\n" + strings.TrimSpace(string(out)) + "\n```"
		})
		if *update && current != text {
			require.NoError(t, os.WriteFile(page, []byte(current), 0o644))
			continue
		}
		require.Equal(t, current, text, page)
	}
	require.NotZero(t, shown)
}
