package files_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/tools/workbook/files"
)

func TestReplaceMakesFolders(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a", "b", "c.txt")
	require.NoError(t, files.Replace(file, []byte("old")))
	require.NoError(t, files.Replace(file, []byte("new")))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "new", string(text))
	others, err := os.ReadDir(filepath.Dir(file))
	require.NoError(t, err)
	require.Len(t, others, 1, "a temporary file is left")
}

func TestReplaceKeepsRights(t *testing.T) {
	folder := t.TempDir()
	script, fresh := filepath.Join(folder, "script"), filepath.Join(folder, "fresh")
	require.NoError(t, os.WriteFile(script, nil, 0o700))
	require.NoError(t, files.Replace(script, []byte("x")))
	require.NoError(t, files.Replace(fresh, []byte("x")))
	rights := func(file string) os.FileMode {
		info, err := os.Stat(file)
		require.NoError(t, err)
		return info.Mode().Perm()
	}
	if os.PathSeparator == '/' {
		require.EqualValues(t, 0o700, rights(script))
		require.EqualValues(t, 0o644, rights(fresh))
	}
}

func TestReplaceOfAFolder(t *testing.T) {
	folder := t.TempDir()
	inIt := filepath.Join(folder, "d", "x")
	require.NoError(t, files.Replace(inIt, []byte("x")))
	require.Error(t, files.Replace(filepath.Dir(inIt), []byte("x")))
	require.FileExists(t, inIt)
}
