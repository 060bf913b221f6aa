package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/torchmem/workbook/tools/workbook/progress"
)

// testFile is the file of an exercise's folder that grades.
const testFile = "exercise_test.go"

// exercises looks whether all files are there.
func exercises(_ context.Context, s *surroundings) Finding {
	for _, i := range s.tasks {
		test := path.Join("exercises", i.Lesson, testFile)
		switch {
		case !isFile(s.project.File(i)):
			return problem(s.project.Short(i)+" is missing", "put it back: go run ./tools/workbook reset "+i.Name)
		case !isFile(filepath.Join(s.project.Root, filepath.FromSlash(test))):
			return problem(test+" is missing", "put it back: git checkout "+test)
		}
	}
	return ok(fmt.Sprintf("the files of %d tasks are there", len(s.tasks)))
}

// writing looks whether a learner's work, progress, and what Go builds can be
// saved.
func writing(ctx context.Context, s *surroundings) Finding {
	for _, i := range s.tasks {
		if err := canChange(s.project.File(i)); err != nil {
			return problem(s.project.Short(i)+" cannot be written: "+why(err), "make the file yours: its owner and its rights are wrong")
		}
	}
	if err := canSave(s.project.StateFolder()); err != nil {
		return problem(".workbook cannot be written: "+why(err), "make the project's folder yours, or copy the project to where you may write")
	}
	cache, err := s.golang(ctx, "GOCACHE")
	if err != nil {
		return note("the build cache was not looked at, since the go command cannot be asked", "see Go above")
	}
	if cache == "off" {
		return problem("the build cache is turned off (GOCACHE=off), and Go needs one", "take GOCACHE out of the environment, and type: go env -u GOCACHE")
	}
	if err := canSave(cache); err != nil {
		return problem(fmt.Sprintf("the build cache %s cannot be written: %s", cache, why(err)), "make the folder yours, or choose another: go env -w GOCACHE=FOLDER")
	}
	return ok("exercises, .workbook and the build cache can be written")
}

// canChange opens a file for writing and leaves it as it is. A missing file is
// the business of another check.
func canChange(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// canSave writes a file into a folder, or above it if it is not there yet, and
// removes the file again.
func canSave(folder string) error {
	for !exists(folder) && filepath.Dir(folder) != folder {
		folder = filepath.Dir(folder)
	}
	f, err := os.CreateTemp(folder, ".workbook-doctor-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString("is there room?")
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

// why returns the cause of a failure without the path, which is said before.
func why(err error) string {
	var failed *fs.PathError
	if errors.As(err, &failed) {
		return failed.Err.Error()
	}
	return err.Error()
}

// progressFile looks whether the learner's progress can be read. Trouble with
// it is no problem: the exercises go on without.
func progressFile(_ context.Context, s *surroundings) Finding {
	text, err := os.ReadFile(filepath.Join(s.project.StateFolder(), "progress.json"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ok("nothing is saved yet")
	case err != nil:
		return note(".workbook/progress.json cannot be read: "+why(err), "make the file yours, or remove it and begin anew")
	}
	var newer *progress.Newer
	switch err := readable(text); {
	case errors.As(err, &newer):
		return note(fmt.Sprintf(".workbook/progress.json was written by a newer workbook (version %d)", newer.Version), "update this workbook: until then nothing is saved, and the file is left as it is")
	case err != nil:
		return note(".workbook/progress.json makes no sense: "+err.Error(), "repair it, or let the next command set it aside and begin anew")
	}
	return ok("it can be read")
}

// readable reads a copy of the progress, because a damaged file is set aside by
// whoever reads it.
func readable(text []byte) error {
	folder, err := os.MkdirTemp("", "workbook-doctor-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	copied := filepath.Join(folder, "progress.json")
	if err := os.WriteFile(copied, text, 0o600); err != nil {
		return err
	}
	_, err = progress.Open(copied)
	var damaged *progress.Damaged
	if errors.As(err, &damaged) {
		return damaged.Cause
	}
	return err
}
