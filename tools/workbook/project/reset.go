package project

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/solutions"
	"github.com/torchmem/workbook/solutions/tasks"
	"github.com/torchmem/workbook/tools/workbook/files"
)

// Reset puts a task's file back as it came to the learner. What the learner
// wrote is saved first, and saved is the path of that copy. A file that is
// missing is simply written, and saved is empty. So is the file with the names
// that the tasks of a lesson share: without it no task compiles.
func (p Project) Reset(i grade.Info, now time.Time) (saved string, err error) {
	starter, err := solutions.Starter(i.Lesson, i.File())
	if err != nil {
		return "", fmt.Errorf("reset %s: %w", i.Name, err)
	}
	written, err := os.ReadFile(p.File(i))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return "", fmt.Errorf("reset %s: %w", i.Name, err)
	default:
		if saved, err = p.save(i, written, now); err != nil {
			return "", fmt.Errorf("reset %s: nothing was changed: %w", i.Name, err)
		}
	}
	if err = files.Replace(p.File(i), starter); err == nil {
		err = p.bringNames(i)
	}
	if err != nil {
		return saved, fmt.Errorf("reset %s: %w", i.Name, err)
	}
	return saved, nil
}

// bringNames writes the file with the names that tasks share, if it is missing
// and the lesson has one.
func (p Project) bringNames(i grade.Info) error {
	names, err := solutions.Starter(i.Lesson, tasks.NamesFile)
	if err != nil {
		return nil // the lesson has none
	}
	file := filepath.Join(filepath.Dir(p.File(i)), tasks.NamesFile)
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return files.Replace(file, names)
}

// save writes a copy under a name that is not taken.
func (p Project) save(i grade.Info, written []byte, now time.Time) (string, error) {
	folder := filepath.Join(p.StateFolder(), "saved")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	base := i.Name + "-" + now.Format("20060102-150405")
	for n := 1; ; n++ {
		name := filepath.Join(folder, base+".go")
		if n > 1 {
			name = filepath.Join(folder, fmt.Sprintf("%s-%d.go", base, n))
		}
		// O_EXCL makes this fail, rather than overwrite, even if
		// another reset runs at the same moment.
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.Write(written)
		return name, errors.Join(err, f.Sync(), f.Close())
	}
}
