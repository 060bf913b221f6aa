package output

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func hello(w io.Writer) error {
	_, err := io.WriteString(w, "hello")
	return err
}

func namesIn(t *testing.T, folder string) (names []string) {
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestWriteAllOrNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(file, []byte("before"), 0o600))
	broken := errors.New("broken")
	err := Write(file, func(w io.Writer) error { return errors.Join(hello(w), broken) })
	require.ErrorIs(t, err, broken)
	require.ErrorContains(t, err, "page.html")
	text, _ := os.ReadFile(file)
	require.Equal(t, "before", string(text))
	require.NoError(t, Write(file, func(w io.Writer) error {
		require.NoError(t, hello(w))
		text, _ := os.ReadFile(file)
		require.Equal(t, "before", string(text), "until the new one is complete")
		return nil
	}))
	text, _ = os.ReadFile(file)
	require.Equal(t, "hello", string(text))
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode(), "who may read it")
	require.Equal(t, []string{"page.html"}, namesIn(t, filepath.Dir(file)))
}

func TestALinkStaysALink(t *testing.T) {
	folder := t.TempDir()
	link := filepath.Join(folder, "link")
	require.NoError(t, os.WriteFile(filepath.Join(folder, "file"), nil, 0o666))
	if err := os.Symlink("file", link); err != nil {
		t.Skip("this system has no links")
	}
	require.NoError(t, Write(link, hello))
	text, err := os.ReadFile(filepath.Join(folder, "file"))
	require.NoError(t, err)
	require.Equal(t, "hello", string(text))
	require.ErrorContains(t, Names([]File{{"html", link}, {"svg", filepath.Join(folder, "file")}}), "-html and -svg name the same file")
}

func TestADevice(t *testing.T) {
	require.NoError(t, Check([]File{{"html", os.DevNull}}))
	require.NoError(t, Write(os.DevNull, hello))
}

func TestCheckLeavesNothing(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "page.html")
	require.NoError(t, Check([]File{{"html", file}}))
	require.Empty(t, namesIn(t, folder))
	require.NoError(t, os.WriteFile(file, []byte("before"), 0o666))
	require.NoError(t, Check([]File{{"html", file}}))
	text, _ := os.ReadFile(file)
	require.Equal(t, "before", string(text))
}

func TestWhatCannotBeWritten(t *testing.T) {
	folder := t.TempDir()
	require.ErrorContains(t, Check([]File{{"svg", folder}}), "svg: "+folder+" is a folder")
	require.ErrorContains(t, Check([]File{{"svg", "no/such/folder/x.svg"}}), "svg: open no/such/folder/x.svg: ")
	require.ErrorContains(t, Check([]File{{"svg", "nowhere/"}}), "svg: nowhere/ is no folder")
	require.ErrorContains(t, Write("no/such/folder/x.svg", hello), "open no/such/folder/x.svg: ")
}

func TestNames(t *testing.T) {
	require.NoError(t, Names([]File{{"html", "a"}, {"svg", "b"}}))
	require.EqualError(t, Names([]File{{"html", ""}}), "-html is empty: it wants the name of a file")
	require.EqualError(t, Names([]File{{"html", "a"}, {"svg", "./a"}}), "-html and -svg name the same file, ./a")
}
