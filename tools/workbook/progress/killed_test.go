package progress_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/tools/workbook/progress"
)

// writerVariable makes the test's own program one that writes, and timesVariable
// one that does not do so without end.
const (
	writerVariable = "WORKBOOK_TEST_WRITES"
	timesVariable  = "WORKBOOK_TEST_TIMES"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(writerVariable); path != "" {
		p, _ := progress.Open(path)
		times, _ := strconv.Atoi(os.Getenv(timesVariable))
		for n := 0; times == 0 || n < times; n++ {
			if err := p.Record("segments", true, noon); err != nil {
				os.Exit(1)
			}
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestProcessesTakeTurns has two processes write at the same time. A lock that
// only one of them knows would lose attempts.
func TestProcessesTakeTurns(t *testing.T) {
	const times = 30
	self, err := os.Executable()
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "progress.json")
	var writers []*exec.Cmd
	for range 2 {
		writer := exec.Command(self)
		writer.Env = append(os.Environ(), writerVariable+"="+path, timesVariable+"="+strconv.Itoa(times))
		require.NoError(t, writer.Start())
		writers = append(writers, writer)
	}
	for _, writer := range writers {
		require.NoError(t, writer.Wait())
	}
	require.Equal(t, 2*times, open(t, path).Attempts("segments"))
}

// TestKilledWriter kills processes while they write. Each time the file must
// be whole, nothing may be lost, and the lock must be free.
func TestKilledWriter(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "progress.json")
	require.NoError(t, open(t, path).Record("first", true, noon))
	attempts := 0
	for n := range 8 {
		writer := exec.Command(self)
		writer.Env = append(os.Environ(), writerVariable+"="+path)
		require.NoError(t, writer.Start())
		require.Eventually(t, func() bool { return open(t, path).Attempts("segments") > attempts+1 },
			10*time.Second, time.Millisecond)
		time.Sleep(time.Duration(n) * 300 * time.Microsecond)
		require.NoError(t, writer.Process.Kill())
		_ = writer.Wait()

		p := open(t, path)
		require.True(t, p.Passed("first"))
		attempts = p.Attempts("segments")
		require.NoError(t, p.Record("segments", true, noon), "the lock is free")
		attempts++
	}
}

// TestHalfWritten leaves the temporary file of a writer that died.
func TestHalfWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "progress.json")
	require.NoError(t, open(t, path).Record("segments", true, noon))
	require.NoError(t, os.WriteFile(path+"123456", []byte(`{"version": 1, "ta`), 0o600))
	require.True(t, open(t, path).Passed("segments"))
	require.NoError(t, open(t, path).Record("segments", true, noon))
	require.Equal(t, 2, open(t, path).Attempts("segments"))
}
