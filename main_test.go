// Package workbook_test checks the workbook as its readers meet it: the
// lessons' commands, the recordings, the documents, and the layout.
package workbook_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// update rewrites the transcripts in testdata/script. The recorded counters
// in testdata/oracle are PyTorch's and are never rewritten.
var update = flag.Bool("update", false, "rewrite the transcripts in testdata/script and the documents, and docs/pictures")

// buildTags are the flags that the commands are built with.
var buildTags []string

// bin is the folder of the commands: lesson01, lesson02, …, workbook, replay.
var bin string

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "workbook")
	if err == nil {
		bin = dir
		err = buildCommands(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// lessons lists the numbers of the lessons: 01, 02, …
func lessons() []string {
	folders, _ := filepath.Glob("lessons/[0-9][0-9]")
	numbers := make([]string, len(folders))
	for i, f := range folders {
		numbers[i] = filepath.Base(f)
	}
	return numbers
}

// buildCommands compiles every lesson and tool once. It looks at the sources itself, so
// that Go does not take an earlier result of a test for the present one.
func buildCommands(dir string) error {
	for _, sources := range []string{"lessons", "runtime", "solutions", "exercises", "tools"} {
		if err := filepath.WalkDir(sources, touch); err != nil {
			return err
		}
	}
	build := exec.Command("go", slices.Concat([]string{"build", "-o", dir}, buildTags,
		[]string{"./lessons/...", "./tools/workbook", "./tools/replay"})...)
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %s", err, out)
	}
	for _, n := range lessons() {
		if err := os.Rename(filepath.Join(dir, n+exe()), command(n)); err != nil {
			return err
		}
	}
	return nil
}

// command returns the path of a lesson's command.
func command(number string) string { return filepath.Join(bin, "lesson"+number+exe()) }

// binary returns the path of the command in a folder: lessons/03 or
// tools/workbook.
func binary(folder string) string {
	if number, ok := strings.CutPrefix(folder, "lessons/"); ok {
		return command(number)
	}
	return filepath.Join(bin, filepath.Base(folder)+exe())
}

// exe is how an executable's name ends on this system.
func exe() string {
	if os.PathSeparator == '\\' {
		return ".exe"
	}
	return ""
}

// touch reads a file.
func touch(path string, d fs.DirEntry, err error) error {
	if err != nil || d.IsDir() {
		return err
	}
	_, err = os.Stat(path)
	return err
}
