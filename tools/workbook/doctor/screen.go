package doctor

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
)

// screen is where the output goes.
type screen struct {
	terminal bool
	columns  int // 0 if nobody knows
	colours  colorprofile.Profile
}

func screenOf(out io.Writer) screen {
	s := screen{terminal: isTerminal(out)}
	if !s.terminal {
		return s
	}
	s.colours = colorprofile.Detect(out, os.Environ())
	if columns, _, err := term.GetSize(out.(term.File).Fd()); err == nil {
		s.columns = columns
	}
	return s
}

// isTerminal reports whether somebody sits at the other end.
func isTerminal(out io.Writer) bool {
	file, ok := out.(term.File)
	return ok && term.IsTerminal(file.Fd())
}

// terminal looks at where the output goes.
func terminal(_ context.Context, s *surroundings) Finding {
	switch {
	case !s.screen.terminal:
		return note("the output does not go to a terminal, so it has no colours", "nothing has to be done; only watch needs a terminal")
	case s.screen.columns > 0 && s.screen.columns < width:
		return note(fmt.Sprintf("%d columns, and the pages are made for %d", s.screen.columns, width), "make the window wider")
	}
	return ok(s.size() + ", " + s.colours())
}

func (s *surroundings) size() string {
	if s.screen.columns == 0 {
		return "a terminal of unknown size"
	}
	return fmt.Sprintf("%d columns", s.screen.columns)
}

func (s *surroundings) colours() string {
	if s.env("NO_COLOR") != "" {
		return "no colours, as NO_COLOR says"
	}
	switch s.screen.colours {
	case colorprofile.TrueColor:
		return "all colours"
	case colorprofile.ANSI256:
		return "256 colours"
	case colorprofile.ANSI:
		return "16 colours"
	}
	return "no colours"
}
