package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/charmbracelet/colorprofile"

	"github.com/torchmem/workbook/tools/workbook/progress"
	"github.com/torchmem/workbook/tools/workbook/project"
	"github.com/torchmem/workbook/tools/workbook/terminal"
)

// app is what the verbs share.
type app struct {
	in io.Reader
	// out and errOut drop the colours that the other end cannot show.
	out, errOut *colorprofile.Writer
	// json asks for JSON instead of text.
	json bool

	// rawOut is the standard output itself, for those that draw on it.
	rawOut io.Writer
}

func newApp(in io.Reader, out, errOut io.Writer) *app {
	return &app{in: in, out: terminal.Writer(out), errOut: terminal.Writer(errOut), rawOut: out}
}

// open finds the project and the learner's progress. Trouble with the progress
// is only a warning.
func (a *app) open() (project.Project, *progress.Progress, error) {
	p, err := a.project()
	if err != nil {
		return p, nil, err
	}
	done, err := progress.Open(filepath.Join(p.StateFolder(), "progress.json"))
	a.warn(err)
	return p, done, nil
}

func (a *app) project() (project.Project, error) {
	here, err := os.Getwd()
	if err != nil {
		return project.Project{}, fmt.Errorf("where is this? %w", err)
	}
	return project.Find(here)
}

// warn says what went wrong where the work can go on.
func (a *app) warn(err error) {
	if err != nil {
		fmt.Fprintf(a.errOut, "workbook: warning: %v\n", err)
	}
}

// print writes text to the page.
func (a *app) print(text string) error {
	_, err := io.WriteString(a.out, text)
	return err
}

// printJSON writes one JSON value.
func (a *app) printJSON(v any) error { return encode(a.out, v) }

// encode writes a JSON value that people can read, too.
func encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
