package doctor

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// lineEndings looks for the line endings of Windows. Go and the grader read
// them, so they are no problem; but Git shows whole files as changed.
func lineEndings(ctx context.Context, s *surroundings) Finding {
	files, err := s.withReturns()
	if err != nil {
		return note("the files cannot all be read: "+err.Error(), "make the project's folder yours")
	}
	const keep = "nothing has to be done; to have them all alike: git config core.autocrlf input, then git add --renormalize ."
	switch {
	case len(files) == 1:
		return note(files[0]+" has the line endings of Windows", keep)
	case len(files) > 1:
		return note(fmt.Sprintf("%d files have the line endings of Windows, %s is one", len(files), files[0]), keep)
	}
	setting, err := s.run(ctx, call{folder: s.project.Root, command: "git", args: []string{"config", "--get", "core.autocrlf"}})
	if err == nil && strings.TrimSpace(setting) == "true" {
		return note("all lines end as on Unix, but Git is set to change that (core.autocrlf=true)", "nothing has to be done here: .gitattributes says otherwise for this project")
	}
	return ok("all lines end as on Unix")
}

// withReturns lists the files of exercises and lessons in which a line ends with
// a carriage return.
func (s *surroundings) withReturns() ([]string, error) {
	var found []string
	for _, folder := range []string{"exercises", "lessons"} {
		err := filepath.WalkDir(filepath.Join(s.project.Root, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !isText(path) {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if bytes.Contains(text, []byte("\r\n")) {
				found = append(found, s.short(path))
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

func isText(path string) bool {
	end := filepath.Ext(path)
	return end == ".go" || end == ".md"
}

// short is the path of a file in the project.
func (s *surroundings) short(path string) string {
	short, err := filepath.Rel(s.project.Root, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(short)
}
