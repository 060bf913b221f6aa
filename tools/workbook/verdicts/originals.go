package verdicts

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/torchmem/workbook/solutions"
)

// replaceable reports whether the problems are all of files that have an
// original and are not replaced by it yet.
func (f folder) replaceable(found, replaced problems) bool {
	for file := range found {
		_, already := replaced[file]
		if _, err := solutions.Starter(f.lesson, file); already || err != nil {
			return false
		}
	}
	return true
}

// originals returns the argument of go test that puts originals in the place of
// the learner's files: of those that are used as they came, and of each file
// with a problem.
func (f folder) originals(broken problems) (string, error) {
	sources := f.shared()
	for file := range broken {
		source, err := solutions.Starter(f.lesson, file)
		if err != nil {
			return "", err
		}
		sources[file] = source
	}
	replace := map[string]string{}
	for file, source := range sources {
		copied := filepath.Join(f.verdicts, file)
		if err := os.WriteFile(copied, source, 0o644); err != nil {
			return "", err
		}
		replace[filepath.Join(f.path(), file)] = copied
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", fmt.Errorf("verdicts: %w", err)
	}
	overlay := filepath.Join(f.verdicts, "overlay.json")
	return "-overlay=" + overlay, os.WriteFile(overlay, text, 0o644)
}
