package watch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/torchmem/workbook/tools/workbook/progress"
	"github.com/torchmem/workbook/tools/workbook/project"
	"github.com/torchmem/workbook/tools/workbook/terminal"
)

// Run shows a task until the learner quits or the context ends; neither is an
// error. For "" it starts at the first task that is not passed.
func Run(ctx context.Context, p project.Project, start string, in io.Reader, out io.Writer) error {
	kept, damaged := progress.Open(filepath.Join(p.StateFolder(), "progress.json"))
	var work sync.RWMutex
	life, end := context.WithCancel(ctx)
	// A grading that is under way is ended, not left behind.
	defer work.Lock()
	defer end()

	m, err := newModel(life, worldOf(p, kept, &work), start)
	if err != nil {
		return err
	}
	if !terminal.Is(in) || !terminal.Is(out) || os.Getenv("TERM") == "dumb" {
		return errors.New("watch needs a terminal; use: go run ./tools/workbook run " + m.task().Name)
	}
	if damaged != nil {
		m.note = damaged.Error()
	}
	_, err = tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out),
		tea.WithColorProfile(profileOf(out))).Run()
	if err != nil && ctx.Err() == nil && !errors.Is(err, tea.ErrInterrupted) {
		return fmt.Errorf("watch: %w", err)
	}
	return nil
}

// profileOf returns the colours that the terminal has. NO_COLOR takes them away
// whatever its value is.
func profileOf(out io.Writer) colorprofile.Profile {
	p := colorprofile.Detect(out, os.Environ())
	if terminal.NoColour() {
		return min(p, colorprofile.ASCII)
	}
	return p
}
