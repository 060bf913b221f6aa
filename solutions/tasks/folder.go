package tasks

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/solutions"
)

// TestFile is the file in each lesson's folder that has the tests.
const TestFile = "exercise_test.go"

// NamesFile is the file in a lesson's folder that has the names which its tasks
// share. Not every lesson has one.
const NamesFile = "names.go"

// Of lists the tasks of a lesson.
func Of(lesson string) []grade.Info {
	return slices.DeleteFunc(All(), func(i grade.Info) bool { return i.Lesson != lesson })
}

// Number spells the place of a task among all: 05.2 is the second of lesson 05.
func Number(of grade.Info) string {
	n := slices.IndexFunc(Of(of.Lesson), func(i grade.Info) bool { return i.Name == of.Name })
	return fmt.Sprintf("%s.%d", of.Lesson, n+1)
}

// TestSource returns the file that grades the tasks of a lesson.
func TestSource(lesson string) []byte {
	var s strings.Builder
	fmt.Fprintf(&s, "package exercise\n\nimport (\n\t\"testing\"\n\n\t\"github.com/torchmem/workbook/solutions/tasks\"\n)\n")
	for _, i := range Of(lesson) {
		fmt.Fprintf(&s, "\nfunc Test%s(t *testing.T) {\n\ttasks.Test(t, tasks.%s, %s)\n}\n", i.Func, i.Func, i.Func)
	}
	return []byte(s.String())
}

// changed says what a learner has changed in a lesson's folder, except for the
// gaps: in the task's own file, in the names that the tasks share, or by a file
// of one's own. The task's own file is the one that was graded.
func changed(folder string, task grade.Info, graded []byte) error {
	file, original, err := both(folder, task, task.File())
	if err != nil {
		return err
	}
	if !bytes.Equal(file, graded) {
		return errors.New("the file was saved while it was graded; grade it once more")
	}
	if err := grade.SameOutside(file, original); err != nil {
		return err
	}
	found, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return err
	}
	for _, path := range found {
		if err := changedFile(folder, task, filepath.Base(path)); err != nil {
			return err
		}
	}
	return nil
}

// changedFile looks at another file of the folder.
func changedFile(folder string, task grade.Info, name string) error {
	isTask := func(i grade.Info) bool { return i.File() == name }
	switch {
	case strings.HasPrefix(name, "."), strings.HasPrefix(name, "_"):
		return nil // Go passes it over: an editor's, or a file server's
	case name == TestFile, slices.ContainsFunc(Of(task.Lesson), isTask):
		return nil
	case name == NamesFile:
		file, original, err := both(folder, task, name)
		if err == nil {
			err = grade.Same(file, original)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
	return fmt.Errorf("%s is no file of the exercises", name)
}

// both reads a file of the folder and its original.
func both(folder string, task grade.Info, name string) (file, original []byte, err error) {
	if file, err = os.ReadFile(filepath.Join(folder, name)); err != nil {
		return nil, nil, err
	}
	original, err = solutions.Starter(task.Lesson, name)
	return file, original, err
}
