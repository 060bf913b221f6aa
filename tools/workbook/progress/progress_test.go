package progress_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/tools/workbook/progress"
)

var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

func open(t *testing.T, path string) *progress.Progress {
	t.Helper()
	p, err := progress.Open(path)
	require.NoError(t, err)
	return p
}

func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "progress.json")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

func TestEmptyAtFirst(t *testing.T) {
	p := open(t, filepath.Join(t.TempDir(), "none", "progress.json"))
	require.False(t, p.Passed("segments"))
	require.Zero(t, p.Attempts("segments"))
	require.Zero(t, p.Hints("segments"))
}

func TestRecordIsSaved(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".workbook", "progress.json")
	p := open(t, path)
	require.NoError(t, p.Record("segments", false, noon))
	require.NoError(t, p.Record("segments", true, noon.Add(time.Hour)))
	require.NoError(t, p.Record("segments", false, noon.Add(2*time.Hour)))
	for _, p := range []*progress.Progress{p, open(t, path)} {
		require.True(t, p.Passed("segments"), "what was passed once stays passed")
		require.Equal(t, noon.Add(time.Hour), p.Of("segments").Passed)
		require.Equal(t, 3, p.Attempts("segments"))
		require.False(t, p.Passed("others"))
	}
}

func TestHintsGoToThree(t *testing.T) {
	path := filepath.Join(t.TempDir(), "progress.json")
	for _, want := range []int{1, 2, 3, 3} {
		depth, err := open(t, path).ShowHint("segments")
		require.NoError(t, err)
		require.Equal(t, want, depth)
	}
	require.Equal(t, 3, open(t, path).Hints("segments"))
}

// TestWhatANewerWorkbookKnowsStays has a task and a field that this workbook
// does not know.
func TestWhatANewerWorkbookKnowsStays(t *testing.T) {
	path := file(t, `{"version": 1, "tasks": {"later": {"attempts": 2, "hints": 1, "stars": 5}}}`)
	p := open(t, path)
	require.NoError(t, p.Record("segments", true, noon))
	require.JSONEq(t, `{"version": 1, "tasks": {
		"later": {"attempts": 2, "hints": 1, "stars": 5},
		"segments": {"passed": "2026-12-01T12:00:00Z", "attempts": 1, "hints": 0}
	}}`, read(t, path))
	require.Equal(t, 2, p.Attempts("later"))
}

// TestTwoWindows has two Progress of one file, each of which was opened before
// the other wrote.
func TestTwoWindows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "progress.json")
	one, two := open(t, path), open(t, path)
	require.NoError(t, one.Record("a", true, noon))
	require.NoError(t, two.Record("b", true, noon))
	require.NoError(t, one.Record("a", false, noon))
	p := open(t, path)
	require.True(t, p.Passed("a") && p.Passed("b"))
	require.Equal(t, 2, p.Attempts("a"))
	require.True(t, one.Passed("b"), "a window sees what the other one wrote")
}

func TestManyAtOnceLoseNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "progress.json")
	var all sync.WaitGroup
	for range 4 {
		p := open(t, path)
		for range 2 {
			all.Go(func() {
				for range 5 {
					if err := p.Record("segments", false, noon); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	all.Wait()
	require.Equal(t, 40, open(t, path).Attempts("segments"))
}

// TestWhereNothingCanBeWritten puts a file where the folder would be: root may
// write into any folder.
func TestWhereNothingCanBeWritten(t *testing.T) {
	folder := filepath.Join(t.TempDir(), ".workbook")
	path := filepath.Join(folder, "progress.json")
	p := open(t, path)
	require.NoError(t, os.WriteFile(folder, nil, 0o644))
	err := p.Record("segments", true, noon)
	require.ErrorContains(t, err, "progress is not saved")
	require.NotContains(t, err.Error(), "\n")
	require.True(t, p.Passed("segments"), "it is known all the same")
	depth, err := p.ShowHint("segments")
	require.Error(t, err)
	require.Equal(t, 1, depth)

	// When it can be written again, nothing is lost.
	require.NoError(t, os.Remove(folder))
	require.NoError(t, p.Record("segments", false, noon))
	again := open(t, path)
	require.True(t, again.Passed("segments"))
	require.Equal(t, 2, again.Attempts("segments"))
	require.Equal(t, 1, again.Hints("segments"))
}

func TestUnreadable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "progress.json")
	require.NoError(t, os.Mkdir(path, 0o755))
	p, err := progress.Open(path)
	require.Error(t, err)
	require.NotContains(t, err.Error(), "\n")
	require.Error(t, p.Record("segments", true, noon))
	require.True(t, p.Passed("segments"))
	require.DirExists(t, path)
}

var damaged = map[string]string{
	"empty":      "",
	"cut":        `{"version": 1, "tasks": {"segm`,
	"no JSON":    "hello",
	"null":       "null",
	"a list":     "[]",
	"no version": `{"tasks": {}}`,
	"types":      `{"version": 1, "tasks": {"segments": {"attempts": "three"}}}`,
	"an entry":   `{"version": 1, "tasks": {"segments": 7}}`,
	"a time":     `{"version": 1, "tasks": {"segments": {"passed": "yesterday"}}}`,
	"numbers":    `{"version": 1, "tasks": {"segments": {"hints": 4}}}`,
	"negative":   `{"version": 1, "tasks": {"segments": {"attempts": -1}}}`,
}

func TestDamageIsKept(t *testing.T) {
	for name, text := range damaged {
		t.Run(name, func(t *testing.T) {
			path := file(t, text)
			p, err := progress.Open(path)
			var damage *progress.Damaged
			require.ErrorAs(t, err, &damage)
			require.Contains(t, err.Error(), damage.Kept)
			require.NotContains(t, err.Error(), "\n")
			require.Regexp(t, `progress\.json\.damaged-\d{8}-\d{6}$`, damage.Kept)
			require.Equal(t, text, read(t, damage.Kept))
			require.NoError(t, p.Record("segments", true, noon))
			require.True(t, open(t, path).Passed("segments"))
		})
	}
}

func TestTwoDamagedFilesAreBothKept(t *testing.T) {
	path := file(t, "one")
	_, err := progress.Open(path)
	require.Error(t, err)
	require.NoError(t, os.WriteFile(path, []byte("two"), 0o644))
	_, err = progress.Open(path)
	require.Error(t, err)
	kept, err := filepath.Glob(path + ".damaged-*")
	require.NoError(t, err)
	require.Len(t, kept, 2)
}

// TestDamageWhileOpen damages the file under a Progress that knows better.
func TestDamageWhileOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "progress.json")
	p := open(t, path)
	require.NoError(t, p.Record("a", true, noon))
	require.NoError(t, os.WriteFile(path, []byte("junk"), 0o644))
	var damage *progress.Damaged
	require.ErrorAs(t, p.Record("b", true, noon), &damage)
	require.Equal(t, "junk", read(t, damage.Kept))
	again := open(t, path)
	require.True(t, again.Passed("a") && again.Passed("b"))
}

// A file of a newer workbook is not this one's to move or to write.
func TestANewerFileIsLeftAlone(t *testing.T) {
	const text = `{"version": 7, "tasks": []}`
	path := file(t, text)
	p, err := progress.Open(path)
	var newer *progress.Newer
	require.ErrorAs(t, err, &newer)
	require.EqualError(t, err, "progress: the file was written by a newer workbook (version 7, this one knows 1) and is left as it is")

	require.ErrorAs(t, p.Record("segments", true, noon), &newer)
	require.True(t, p.Passed("segments"), "it is known all the same")
	require.Equal(t, text, read(t, path))
	others, err := filepath.Glob(path + ".damaged*")
	require.NoError(t, err)
	require.Empty(t, others)
}

func TestFileIsForPeopleToo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "progress.json")
	require.NoError(t, open(t, path).Record("segments", true, noon))
	require.Greater(t, strings.Count(read(t, path), "\n"), 5)
}
