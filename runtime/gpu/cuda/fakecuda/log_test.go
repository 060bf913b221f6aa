package fakecuda

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func read(t *testing.T, text string) (Log, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "log")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	return ReadLog(file)
}

const (
	begin  = "begin used 500 memory 0 host 0 reservations 0 handles 0 pages 0 streams 0 events 0 modules 0 contexts 1\n"
	end    = "end used 11 memory 1 host 2 reservations 3 handles 4 pages 5 streams 6 events 7 modules 8 contexts 0\n"
	launch = "launch fill grid 1 2 3 block 4 5 6 shared 7 stream 8 words 0 0x1 0xffffffffffffffff\n"
)

func TestReadLog(t *testing.T) {
	l, err := read(t, begin+launch+"launch none grid 1 1 1 block 1 1 1 shared 0 stream 0 words\n"+end)
	require.NoError(t, err)
	require.Equal(t, Log{
		Launches: []Launch{
			{"fill", [3]int{1, 2, 3}, [3]int{4, 5, 6}, 7, 8, []uint64{0, 1, 1<<64 - 1}},
			{"none", [3]int{1, 1, 1}, [3]int{1, 1, 1}, 0, 0, nil},
		},
		Contexts: 1,
		Left:     &Alive{11, 1, 2, 3, 4, 5, 6, 7, 8, 0},
	}, l)

	for _, unfinished := range []string{"", begin, begin + end + begin, begin + end + launch} {
		l, err := read(t, unfinished)
		require.NoError(t, err)
		require.Nil(t, l.Left)
	}
}

func TestReadLogRefuses(t *testing.T) {
	for _, wrong := range []string{"\n", "what", "launch fill grid 1 2", "end used", "launch f grid 1 1 1 block 1 1 1 shared 0 stream 0 words x"} {
		_, err := read(t, wrong)
		require.Error(t, err, wrong)
	}
	_, err := ReadLog(filepath.Join(t.TempDir(), "none"))
	require.ErrorContains(t, err, "read the log of launches")
}
