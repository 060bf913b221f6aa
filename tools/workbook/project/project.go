package project

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/torchmem/workbook/runtime/grade"
)

// Project is one copy of the workbook.
type Project struct {
	// Root is the absolute path of the folder that has the exercises.
	Root string
}

// ErrOutside says that a folder is not part of a workbook.
var ErrOutside = errors.New("this is not the workbook: no folder here or above has exercises/go.mod")

// Find returns the project that a folder belongs to.
func Find(from string) (Project, error) {
	folder, err := filepath.Abs(from)
	if err != nil {
		return Project{}, fmt.Errorf("find the workbook: %w", err)
	}
	for {
		_, err := os.Stat(filepath.Join(folder, "exercises", "go.mod"))
		if err == nil {
			return Project{Root: folder}, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return Project{}, fmt.Errorf("find the workbook: %w", err)
		}
		above := filepath.Dir(folder)
		if above == folder {
			return Project{}, fmt.Errorf("%w (looked from %s)", ErrOutside, from)
		}
		folder = above
	}
}

// Short returns the path of a task's file as messages spell it:
// exercises/05/segments.go.
func (p Project) Short(i grade.Info) string { return path.Join("exercises", i.Lesson, i.File()) }

// File returns the absolute path of the learner's file for a task.
func (p Project) File(i grade.Info) string {
	return filepath.Join(p.Root, filepath.FromSlash(p.Short(i)))
}

// StateFolder returns the absolute path of the folder that the tools write in.
func (p Project) StateFolder() string { return filepath.Join(p.Root, ".workbook") }
