package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"github.com/torchmem/workbook/tools/workbook/progress"
	"github.com/torchmem/workbook/tools/workbook/project"
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
	return &app{in: in, out: plainer(out), errOut: plainer(errOut), rawOut: out}
}

// plainer returns a writer that shows no more than its other end can. Somebody
// who wants no colour gets no bold letters either.
func plainer(w io.Writer) *colorprofile.Writer {
	p := colorprofile.NewWriter(w, os.Environ())
	if os.Getenv("NO_COLOR") != "" {
		p.Profile = colorprofile.NoTTY
	}
	return p
}

// isTerminal reports whether somebody sits at the other end.
func isTerminal(end any) bool {
	f, ok := end.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(f.Fd())
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
