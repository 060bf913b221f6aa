//go:build cuda && linux

package fakecuda_test

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/gpu/cuda/fakecuda"
)

// build compiles a lesson with the tag cuda.
func build(t *testing.T, lesson string) string {
	t.Helper()
	fakecuda.Need(t)
	program := filepath.Join(t.TempDir(), "lesson")
	command := exec.Command("go", "build", "-tags", "cuda", "-o", program, "./lessons/"+lesson)
	command.Dir = "../../../.."
	said, err := command.CombinedOutput()
	require.NoError(t, err, "%s", said)
	return program
}

// run runs a program and returns what it printed, on both outputs, and its exit
// status.
func run(t *testing.T, env []string, program string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	command := exec.Command(program, args...)
	command.Env = append(os.Environ(), env...)
	var out, wrong strings.Builder
	command.Stdout, command.Stderr = &out, &wrong
	if err := command.Run(); err != nil {
		require.IsType(t, &exec.ExitError{}, err)
	}
	return out.String(), wrong.String(), command.ProcessState.ExitCode()
}

// rows reads what a lesson prints with -json. Addresses are left out, since each
// driver has its own, and so are texts, which tell of other processes too.
func rows(t *testing.T, text string) []map[string]any {
	t.Helper()
	var all []map[string]any
	for line := range strings.Lines(text) {
		var row map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &row))
		delete(row, "texts")
		events, _ := row["events"].([]any)
		for _, e := range events {
			e.([]any)[2] = "address"
		}
		all = append(all, row)
	}
	return all
}

// TestLessons runs lessons on the simulated GPU and through the driver. All
// counters are equal, row by row. Beside them stands what the driver says, which
// is what is reserved and the same number every time. No byte is left.
func TestLessons(t *testing.T) {
	for _, lesson := range []string{"01", "03"} {
		t.Run(lesson, func(t *testing.T) {
			program := build(t, lesson)
			simulated, _, status := run(t, nil, program, "-json")
			require.Zero(t, status)
			log := filepath.Join(t.TempDir(), "log")
			through, stderr, status := run(t, []string{"FAKECUDA_LOG=" + log}, program, "-json", "-device", "cuda")
			require.Zero(t, status, stderr)

			want, got := rows(t, simulated), rows(t, through)
			require.NotEmpty(t, want)
			require.Len(t, got, len(want))
			for i, row := range got {
				require.Equal(t, 552_402_944.0, row["driver_used_beyond_reserved"], row["statement"])
				maps.DeleteFunc(row, func(name string, _ any) bool { return strings.HasPrefix(name, "driver_") })
				require.Equal(t, want[i], row, row["statement"])
			}

			written, err := fakecuda.ReadLog(log)
			require.NoError(t, err)
			require.NotZero(t, written.Contexts)
			require.Equal(t, &fakecuda.Alive{}, written.Left)
		})
	}
}

// TestALessonThatCannotRun says why in one line.
func TestALessonThatCannotRun(t *testing.T) {
	program := build(t, "01")
	for _, c := range []struct{ env, says string }{
		{"FAKECUDA_INIT=100", "the NVIDIA driver finds no GPU"},
		{"FAKECUDA_INIT=804", "the NVIDIA driver does not start: it answers 804, and has no text for that"},
		{"FAKECUDA_INIT=3", "the NVIDIA driver does not start: initialization error (CUDA_ERROR_NOT_INITIALIZED, 3)"},
		{"FAKECUDA_CAPABILITY=61", "its compute capability is 6.1, and the kernels need 7.5"},
		{"FAKECUDA_LIMIT=1000", "out of memory"},
		{"FAKECUDA_LIMIT=560000000", "out of memory"},
	} {
		_, stderr, status := run(t, []string{c.env}, program, "-device", "cuda")
		require.NotZero(t, status, c.env)
		require.Contains(t, stderr, c.says, c.env)
		require.Equal(t, 1, strings.Count(stderr, "\n"), "%s: %s", c.env, stderr)
		require.NotContains(t, stderr, "goroutine ")
	}
}

// TestALessonOnAFaultyGPU ends with one line too.
func TestALessonOnAFaultyGPU(t *testing.T) {
	program := build(t, "02")
	_, stderr, status := run(t, []string{"FAKECUDA_FAULT=1"}, program, "-device", "cuda")
	require.NotZero(t, status)
	require.Contains(t, stderr, "the GPU has faulted")
	require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
}
