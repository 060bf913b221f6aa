package workbook_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/lessons/lesson"
	"github.com/torchmem/workbook/tools/workbook/project/projecttest"
)

// transcript is a block of a document that shows a command and what it prints.
var transcript = regexp.MustCompile("(?s)```[a-z]*\n\\$ go run \\./(lessons/\\d\\d|tools/\\w+)([^\n]*)\n(.*?)```")

// TestTranscriptsAreCurrent runs every command that a document shows, as somebody
// does who has just begun, and compares the output. With -update it rewrites the
// document.
func TestTranscriptsAreCurrent(t *testing.T) {
	shown := 0
	for _, page := range pages(t) {
		text := readFile(t, page)
		current := transcript.ReplaceAllStringFunc(text, func(block string) string {
			shown++
			return rerun(t, transcript.FindStringSubmatch(block))
		})
		if *update && current != text {
			require.NoError(t, os.WriteFile(page, []byte(current), 0o644))
			continue
		}
		require.Equal(t, current, text, page)
	}
	require.NotZero(t, shown)
}

// rerun returns a block with what its command prints now.
func rerun(t *testing.T, block []string) string {
	t.Helper()
	cmd := exec.Command(binary(block[1]), strings.Fields(block[2])...)
	if block[1] == "tools/workbook" {
		learner, err := projecttest.Copy(t.TempDir())
		require.NoError(t, err)
		cmd.Dir = learner.Root
	}
	out, err := cmd.Output()
	var failed *exec.ExitError // an exercise that is not solved yet
	if err != nil && !errors.As(err, &failed) {
		require.NoError(t, err, block[0])
	}
	require.NotEmpty(t, out, block[0])
	return "```\n$ go run ./" + block[1] + block[2] + "\n\n" + strings.TrimSpace(string(out)) + "\n```"
}

// bytesInText is a number of bytes as the prose spells it: 4,000,256.
var bytesInText = regexp.MustCompile(`\d{1,3}(,\d{3})+`)

// TestNumbersInProse takes each number of bytes in a lesson's prose and looks it
// up: it must be a counter of a row, the size of an event, or how much one
// counter changes between two rows of the section's program.
func TestNumbersInProse(t *testing.T) {
	for _, number := range lessons() {
		rows := runLesson(t, number)
		for _, section := range strings.Split(readFile(t, "lessons/"+number+"/lesson.md"), "\n## ") {
			program, _, _ := strings.Cut(section, ":")
			known := knownNumbers(rows, program)
			for _, spelled := range bytesInText.FindAllString(section, -1) {
				n, err := strconv.ParseInt(strings.ReplaceAll(spelled, ",", ""), 10, 64)
				require.NoError(t, err)
				require.Contains(t, known, n, "lesson %s, %s, says %s", number, program, spelled)
			}
		}
	}
}

func knownNumbers(rows []lesson.Row, program string) map[int64]bool {
	known := map[int64]bool{}
	columns := map[int][]int64{}
	for _, r := range rows {
		for i, n := range []int64{
			r.AllocatedBytes, r.ReservedBytes, r.ActiveBytes, r.InactiveSplitBytes, r.RequestedBytes, r.AllocatedPeak, r.ReservedPeak,
		} {
			known[n] = true
			if r.Program == program {
				columns[i] = append(columns[i], n)
			}
		}
		for _, e := range r.Events {
			known[e.Size] = true
		}
	}
	for _, column := range columns {
		for _, a := range column {
			for _, b := range column {
				known[a-b] = true
			}
		}
	}
	return known
}

// link is a link from one file of the project to another.
var link = regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)

// TestLinks follows every link between documents.
func TestLinks(t *testing.T) {
	for _, page := range pages(t) {
		for _, l := range link.FindAllStringSubmatch(readFile(t, page), -1) {
			require.FileExistsf(t, filepath.Join(filepath.Dir(page), l[1]), "%s links to %s", page, l[1])
		}
	}
}

// pages lists the project's documents.
func pages(t *testing.T) []string {
	t.Helper()
	var all []string
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != "." {
			return filepath.SkipDir
		}
		if strings.HasSuffix(path, ".md") {
			all = append(all, path)
		}
		return err
	}))
	return all
}
