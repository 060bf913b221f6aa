// Package screen chooses how a map is drawn for the other end of a stream.
//
// A terminal gets colours, and block characters if its locale says that it knows
// Unicode; a file or a pipe gets ASCII. So does a terminal whose owner has set
// NO_COLOR to anything, and one that calls itself dumb.
//
// Go's own library cannot tell a terminal from another device, nor how wide it is;
// charmbracelet/x/term can, on every system, and the learner's helper uses it too.
package screen

import (
	"cmp"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/x/term"

	"github.com/torchmem/workbook/runtime/report"
)

// Width is that of a page which no terminal limits, in columns.
const Width = 80

// Style returns the style that suits a stream.
func Style(w io.Writer) report.Style {
	f, ok := w.(interface{ Fd() uintptr })
	if !ok || !term.IsTerminal(f.Fd()) {
		return report.Plain(Width)
	}
	width, _, err := term.GetSize(f.Fd())
	if err != nil || width <= 0 {
		width = Width
	}
	return Paint(width)
}

// Paint returns the style for a terminal of some width, by what its environment
// says of it.
func Paint(width int) report.Style {
	switch {
	case os.Getenv("NO_COLOR") != "" || !understands():
		return report.Plain(width)
	case !unicode():
		return report.Colour(width)
	}
	return report.Blocks(width)
}

// understands reports whether the terminal obeys commands. Windows Terminal does
// and sets a variable of its own.
func understands() bool {
	kind := os.Getenv("TERM")
	return kind != "" && kind != "dumb" || os.Getenv("WT_SESSION") != ""
}

// unicode reports whether the locale's characters are UTF-8. The first of three
// variables that is set decides.
func unicode() bool {
	locale := cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_CTYPE"), os.Getenv("LANG"))
	locale = strings.ToLower(strings.ReplaceAll(locale, "-", ""))
	return strings.Contains(locale, "utf8") || os.Getenv("WT_SESSION") != ""
}
