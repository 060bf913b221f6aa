package caching_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/torchmem/workbook/runtime/replay"
)

// Further recordings are replayed with
//
//	go test ./runtime/caching -v -run TestTraces -traces FOLDER
var (
	tracesFolder   = flag.String("traces", "testdata/oracle/traces", "replay the traces in this `FOLDER`")
	programsFolder = flag.String("programs", "testdata/oracle/programs", "replay the programs in this `FOLDER`")
)

// filesOf lists what lies in a folder that a flag names. Tests run in the
// folder of their package, people name folders from the root of the project.
func filesOf(t *testing.T, folder, pattern string) []string {
	t.Helper()
	if _, err := os.Stat(folder); err != nil && !filepath.IsAbs(folder) {
		folder = filepath.Join("../..", folder)
	}
	files, err := filepath.Glob(filepath.Join(folder, pattern))
	require.NoError(t, err)
	require.NotEmpty(t, files, "no recordings in %s", folder)
	return files
}

// TestTraces repeats every recording with the recorded addresses. Every counter
// after every operation, the log, and the final state have to be equal.
func TestTraces(t *testing.T) {
	n, of := replayAll(t, replay.Recorded)
	fmt.Printf("%d of %d traces are equal\n", n, of)
}

// TestTracesOnTheSimulatedDriver repeats every recording with the addresses of
// the simulated driver. Everything has to be equal too, addresses by their
// distances, because a real process draws the place of its memory at random.
func TestTracesOnTheSimulatedDriver(t *testing.T) {
	n, of := replayAll(t, replay.Modelled)
	fmt.Printf("%d of %d traces are equal on the simulated driver, addresses too\n", n, of)
}

// replayAll repeats all recordings and counts those that are equal.
func replayAll(t *testing.T, run func(context.Context, *replay.Trace, replay.Progress) (replay.Result, error)) (equal int64, of int) {
	files := filesOf(t, *tracesFolder, "*.json.gz")
	var count atomic.Int64
	t.Run("each", func(t *testing.T) {
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) {
				t.Parallel()
				trace, err := replay.Read(file)
				require.NoError(t, err)
				result, err := run(t.Context(), trace, nil)
				require.NoError(t, err)
				if result.First != nil {
					t.Fatal(result)
				}
				require.Equal(t, len(trace.Ops), result.Equal)
				count.Add(1)
			})
		}
	})
	return count.Load(), len(files)
}
