package workbook_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/lessons/lesson"
	"github.com/torchmem/workbook/runtime/timeline"
	"github.com/torchmem/workbook/runtime/timeline/svg"
)

// drawing is the picture of a lesson's page, docs/pictures/NN.svg.
type drawing struct {
	lesson, title string
	draw          func(w io.Writer, shots []*timeline.Recording, o svg.Options) error
	shots         []shot
}

// shot is a program as it is in a picture.
type shot struct {
	lesson, program, heading string
	// until is the last statement that is shown, if that is not the last of
	// all.
	until string
}

// drawings has one picture for each lesson. A leak is shown beside its fix, and
// only as far as the loop goes: what the lesson does to end it comes later.
var drawings = []drawing{
	{"01", "One tensor, two owners of its memory", svg.WriteAll, []shot{
		{lesson: "01", program: "s21_del", heading: "The tensor goes, and what was reserved for it stays"},
	}},
	{"02", "Memory goes with the last reference", svg.WriteAll, []shot{
		{lesson: "02", program: "s21_rebind", heading: "Rebinding a name: for a moment there are two tensors"},
		{lesson: "02", program: "s21_views", heading: "One row keeps its whole matrix alive"},
	}},
	{"03", "empty_cache gives back whole segments", svg.WriteAll, []shot{
		{lesson: "03", program: "s22_empty_cache", heading: "Nothing is in use: all that was reserved goes back"},
		{lesson: "03", program: "s22_empty_cache_pinned_by_live", heading: "One tensor of three is alive: nothing goes back"},
	}},
	{"04", "A forward pass of eight layers: what no_grad saves", compared, []shot{
		{lesson: "04", program: "s31_mlp_grad", heading: "Recorded for a backward pass", until: "y = model(x)"},
		{lesson: "04", program: "s31_mlp_no_grad", heading: "With no_grad", until: "with torch.no_grad(): y = model(x)"},
	}},
	{"05", "One training step of sixteen layers: what checkpoint saves", compared, []shot{
		{lesson: "05", program: "s32_deep_plain", heading: "Without a checkpoint"},
		{lesson: "05", program: "s32_deep_nonreentrant_4", heading: "Checkpointed in four segments"},
	}},
	{"06", "Ten rounds that keep their outputs in a list", compared, []shot{
		{lesson: "06", program: "s41_leak_list", heading: "A leak: each output keeps its input", until: "outs.append(model(x))  # 9"},
		{lesson: "07", program: "s41_leak_cpu", heading: "The fix: a copy on the CPU"},
	}},
	{"07", "A state with its past, and without", compared, []shot{
		{lesson: "06", program: "s41_leak_hidden", heading: "A leak: each state keeps the one before", until: "h = torch.tanh(cell(h))  # 9"},
		{lesson: "07", program: "s42_hidden_detach", heading: "The fix: detach in each round"},
	}},
	{"08", "A hundred tensors come and go", svg.WriteAll, []shot{
		{lesson: "08", program: "ex1_loop_many", heading: "Freed by clear, given back by empty_cache"},
	}},
}

func compared(w io.Writer, shots []*timeline.Recording, o svg.Options) error {
	return svg.Compare(w, shots[0], shots[1], o)
}

// TestPictures draws the pictures of the documents again. With -update it rewrites
// them.
func TestPictures(t *testing.T) {
	const folder = "docs/pictures"
	recorded := map[string][]lesson.Recorded{}
	for _, d := range drawings {
		var recordings []*timeline.Recording
		for _, s := range d.shots {
			if recorded[s.lesson] == nil {
				recorded[s.lesson] = record(t, s.lesson)
			}
			recordings = append(recordings, s.of(t, recorded[s.lesson]))
		}
		var picture bytes.Buffer
		require.NoError(t, d.draw(&picture, recordings, svg.Options{Title: d.title}))
		require.Less(t, picture.Len(), 60_000, d.lesson)
		file := filepath.Join(folder, d.lesson+".svg")
		if *update {
			require.NoError(t, os.WriteFile(file, picture.Bytes(), 0o644))
		}
		require.True(t, readFile(t, file) == picture.String(), "%s is not what lesson %s draws now", file, d.lesson)
	}
}

// TestLessonsShowTheirPicture looks for the picture at the head of each lesson's
// page, with a text for those who do not see it.
func TestLessonsShowTheirPicture(t *testing.T) {
	var drawn []string
	for _, d := range drawings {
		drawn = append(drawn, d.lesson)
		head, _, _ := strings.Cut(readFile(t, "lessons/"+d.lesson+"/lesson.md"), "\n## ")
		found := regexp.MustCompile(`\n!\[([^\]]{40,})\]\(\.\./\.\./docs/pictures/` + d.lesson + `\.svg\)\n`).FindStringSubmatch(head)
		require.NotNil(t, found, "lesson %s shows no picture", d.lesson)
		picture := readFile(t, "docs/pictures/"+d.lesson+".svg")
		for _, bytes := range regexp.MustCompile(`[\d.]+ [KMG]iB`).FindAllString(found[1], -1) {
			require.Contains(t, picture, bytes, "the text of picture %s", d.lesson)
		}
	}
	require.Equal(t, lessons(), drawn)
	files, err := filepath.Glob("docs/pictures/*")
	require.NoError(t, err)
	require.Len(t, files, len(drawn), "a picture that nobody draws")
}

// record runs a lesson and returns what its pictures are drawn from.
func record(t *testing.T, number string) (all []lesson.Recorded) {
	t.Helper()
	file := filepath.Join(t.TempDir(), number)
	out, err := exec.Command(command(number), "-device", "sim", "-recording", file).CombinedOutput()
	require.NoError(t, err, string(out))
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	for lines := json.NewDecoder(bufio.NewReader(f)); lines.More(); {
		var r lesson.Recorded
		require.NoError(t, lines.Decode(&r))
		all = append(all, r)
	}
	return all
}

// of finds the program of the shot, and cuts it where the shot ends.
func (s shot) of(t *testing.T, recorded []lesson.Recorded) *timeline.Recording {
	t.Helper()
	i := slices.IndexFunc(recorded, func(r lesson.Recorded) bool { return r.Program == s.program })
	require.GreaterOrEqual(t, i, 0, "lesson %s has no program %s", s.lesson, s.program)
	r := *recorded[i].Recording
	r.Title = s.heading
	if s.until != "" {
		last := slices.IndexFunc(r.Statements, func(x timeline.Statement) bool { return x.Text == s.until })
		require.GreaterOrEqual(t, last, 0, "%s has no statement %s", s.program, s.until)
		r.Statements = r.Statements[:last+1]
		r.Events = r.Events[:r.Statements[last].End]
	}
	return &r
}
