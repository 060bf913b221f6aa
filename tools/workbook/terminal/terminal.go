// Package terminal knows what is at the other end of a stream, and how a page for
// it is written.
package terminal

import (
	"fmt"
	"io"
	"os"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"
)

// Width is that of a page, in columns.
const Width = 80

// Is reports whether somebody sits at the other end.
func Is(end any) bool {
	f, ok := end.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(f.Fd())
}

// NoColour reports whether its owner wants no colours, whatever NO_COLOR is set
// to.
func NoColour() bool { return os.Getenv("NO_COLOR") != "" }

// Writer shows no more than its other end can. Somebody who wants no colour gets
// no bold letters either.
func Writer(w io.Writer) *colorprofile.Writer {
	p := colorprofile.NewWriter(w, os.Environ())
	if NoColour() {
		p.Profile = colorprofile.NoTTY
	}
	return p
}

// Times spells how often: once, twice, 3 times.
func Times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return fmt.Sprintf("%d times", n)
}
