package verdicts

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/solutions"
	"github.com/torchmem/workbook/solutions/tasks"
)

// sources are the learner's files of some tasks as they were at one moment, by
// the names of the tasks. Go reads a file when it compiles it and the grader
// reads it once more, so what is graded is one version only if the file is the
// same before and after.
type sources map[string][]byte

// sources reads the files of tasks. One that cannot be read is empty.
func (f folder) sources(infos []grade.Info) sources {
	all := sources{}
	for _, i := range infos {
		all[i.Name], _ = os.ReadFile(f.project.File(i)) // Go says why
	}
	return all
}

// settle looks at the files once more, and completes the results.
func (f folder) settle(before sources, results map[string]Result) {
	for name, r := range results {
		now, _ := os.ReadFile(f.project.File(r.Info))
		if r.Verdict != nil && !bytes.Equal(now, before[name]) {
			r.Verdict, r.Problem = nil, f.project.Short(r.Info)+" was saved while it was graded; grade it once more"
		}
		r.Untouched = untouched(r.Info, now)
		results[name] = r
	}
}

// untouched reports whether a file is the original, whatever its layout and its
// comments are.
func untouched(i grade.Info, file []byte) bool {
	original, err := solutions.Starter(i.Lesson, i.File())
	return err == nil && grade.Same(file, original) == nil
}

// shared returns the files of a folder that are used as they came, by their
// names: the tests, and the names that tasks share if that file is gone.
func (f folder) shared() map[string][]byte {
	all := map[string][]byte{tasks.TestFile: tasks.TestSource(f.lesson)}
	if _, err := os.Stat(filepath.Join(f.path(), tasks.NamesFile)); err == nil {
		return all
	}
	if names, err := solutions.Starter(f.lesson, tasks.NamesFile); err == nil { // not every lesson has some
		all[tasks.NamesFile] = names
	}
	return all
}
