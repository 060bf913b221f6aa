package lesson

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/snapshot"
	"github.com/torchmem/workbook/runtime/torch"
)

func readSnapshot(t *testing.T, file string) *snapshot.Snapshot {
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	s, err := snapshot.Read(f)
	require.NoError(t, err)
	return s
}

// TestSnapshotHasTheLinesOfTheLesson looks at what asked for an allocation.
func TestSnapshotHasTheLinesOfTheLesson(t *testing.T) {
	file := filepath.Join(t.TempDir(), "one.pickle")
	status, _, errs := run(oneTensor, "-snapshot", file, "-alloc-conf", "max_split_size_mb:50")
	require.Zero(t, status, errs)
	s := readSnapshot(t, file)
	require.Equal(t, "max_split_size_mb:50", s.Settings.Conf)
	require.EqualValues(t, 50<<20, s.Settings.MaxSplitSize)
	require.Equal(t, []caching.Action{"segment_alloc", "alloc", "free_requested", "free_completed"}, actionsOf(s))
	alloc := s.Traces[0][1]
	require.EqualValues(t, 4_000_000, alloc.Size)
	require.Equal(t, caching.Frame{Filename: "lessons/lesson/lesson_test.go", Line: 40, Name: "lessons/lesson.oneTensor"}, alloc.Frames[0])
}

func actionsOf(s *snapshot.Snapshot) (actions []caching.Action) {
	for _, e := range s.Traces[0] {
		actions = append(actions, e.Action)
	}
	return actions
}

// TestPicturesOfABrokenLesson has a program that runs out of memory: the pictures
// show how it came to that.
func TestPicturesOfABrokenLesson(t *testing.T) {
	folder := t.TempDir()
	html, svg, pickle := filepath.Join(folder, "x.html"), filepath.Join(folder, "x.svg"), filepath.Join(folder, "x.pickle")
	status, _, errs := run(func(torch *torch.Torch, show *Show) {
		torch.Let("small", torch.Cuda.EmptyUint8(1<<30))
		show.Statement("small = empty(1 GiB)")
		torch.Cuda.EmptyUint8(1 << 40)
	}, "-html", html, "-svg", svg, "-snapshot", pickle)
	require.Equal(t, 1, status)
	require.Contains(t, errs, "CUDA out of memory")
	require.Equal(t, []caching.Action{"segment_alloc", "alloc", "oom"}, actionsOf(readSnapshot(t, pickle)))
	for _, file := range []string{html, svg} {
		page, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Contains(t, string(page), "small")
	}
}

// TestAHistoryOfTheProgram belongs to the program: the rows and the pictures see
// everything.
func TestAHistoryOfTheProgram(t *testing.T) {
	program := func(torch *torch.Torch, show *Show) {
		torch.Cuda.RecordMemoryHistory(torch.Cuda.MaxEntries(1))
		x := torch.Let("x", torch.Randn(1000, 1000).Cuda())
		torch.Cuda.RecordMemoryHistory(torch.Cuda.Enabled("None"))
		show.Statement("x = torch.randn(1000, 1000).cuda()")
		x.Del()
		show.Aside("del x")
	}
	file := filepath.Join(t.TempDir(), "one.pickle")
	_, rows, _ := run(program, "-json", "-snapshot", file)
	_, plain, _ := run(program, "-json")
	require.Equal(t, plain, rows)
	require.Contains(t, rows, `"events":[["segment_alloc",`)
	require.Contains(t, rows, `"events":[["free_requested",`)
	require.Len(t, readSnapshot(t, file).Traces[0], 4)
}

// TestAFileForEachProgram tells how the files of several programs are named.
func TestAFileForEachProgram(t *testing.T) {
	folder := t.TempDir()
	l := Lesson{Number: "99", Prose: testProse + "\n## second: another\n", Programs: []Program{
		{Name: "first", Run: oneTensor}, {Name: "second", Run: oneTensor},
	}}
	var out, errs bytes.Buffer
	require.Zero(t, Run(l, []string{"-snapshot", filepath.Join(folder, "two.pickle")}, &out, &errs), errs.String())
	require.Zero(t, Run(l, []string{"-program", "second", "-snapshot", filepath.Join(folder, "one")}, &out, &errs), errs.String())
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	require.NoError(t, err)
	for i := range files {
		files[i] = filepath.Base(files[i])
	}
	require.Equal(t, []string{"one", "two-first.pickle", "two-second.pickle"}, files)
}
