package web

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/timeline"
)

// TestEveryScriptIsInThePage makes sure that no file of the folder is forgotten.
func TestEveryScriptIsInThePage(t *testing.T) {
	names, err := fs.Glob(files, "page/*.js")
	require.NoError(t, err)
	require.Len(t, names, len(scripts))
	for _, name := range names {
		require.Contains(t, scripts, strings.TrimPrefix(name, "page/"))
	}
}

// full is a disk without room.
type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestWriteTellsWhatWentWrong(t *testing.T) {
	err := Write(full{}, "title", []*timeline.Recording{{Title: "a recording"}})
	require.ErrorIs(t, err, errFull)
	require.EqualError(t, err, "the page: no space left")
}
