// Package projecttest makes projects that tests may spoil.
//
// A copy has the exercises as they come to a learner, in a folder of its own,
// and compiles against the workbook that the test belongs to.
package projecttest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/torchmem/workbook/tools/workbook/project"
)

// Copy makes a project in a folder. It is called from a folder of the
// workbook.
func Copy(to string) (project.Project, error) {
	here, err := os.Getwd()
	if err != nil {
		return project.Project{}, err
	}
	workbook, err := project.Find(here)
	if err != nil {
		return project.Project{}, err
	}
	copied := project.Project{Root: to}
	if err := files(workbook, copied); err != nil {
		return copied, fmt.Errorf("copy the project: %w", err)
	}
	return copied, module(workbook, copied)
}

// sources are the files that are copied, and what of a file's path is left out.
// The exercises are copied from their originals: what a learner has made of them
// in the workbook itself does not matter.
var sources = []struct{ pattern, from, to string }{
	{pattern: "go.mod"},
	{pattern: "lessons/[0-9][0-9]/*"},
	{pattern: "exercises/[0-9][0-9]/exercise_test.go"},
	{"solutions/[0-9][0-9]/starter/*.go", "solutions", "exercises"},
}

func files(from, to project.Project) error {
	for _, s := range sources {
		found, err := fs.Glob(os.DirFS(from.Root), s.pattern)
		if err != nil {
			return err
		}
		for _, name := range found {
			text, err := os.ReadFile(filepath.Join(from.Root, name))
			if err != nil {
				return err
			}
			name = strings.Replace(strings.Replace(name, s.from, s.to, 1), "/starter", "", 1)
			if err := write(filepath.Join(to.Root, name), string(text)); err != nil {
				return err
			}
		}
	}
	return nil
}

// module writes go.mod, go.sum and go.work, which lead back to the workbook.
func module(from, to project.Project) error {
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(from.Root, "exercises", name))
		if err != nil {
			return err
		}
		led := strings.Replace(string(text), "=> ../", "=> "+strconv.Quote(filepath.ToSlash(from.Root)), 1)
		if err := write(filepath.Join(to.Root, "exercises", name), led); err != nil {
			return err
		}
	}
	work, err := os.ReadFile(filepath.Join(from.Root, "go.work"))
	if err != nil {
		return err
	}
	led := strings.Replace(string(work), "\t.\n", "\t"+strconv.Quote(filepath.ToSlash(from.Root))+"\n", 1)
	return write(filepath.Join(to.Root, "go.work"), led)
}

func write(file, text string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o644)
}
