//go:build unix

package predict

import (
	"os"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
)

// shown returns what a terminal is sent for a right answer.
func shown(t *testing.T) string {
	t.Helper()
	screen, terminal, err := pty.Open()
	require.NoError(t, err)
	defer screen.Close()
	p := newPage(terminal, false)
	p.right(1, 1)
	require.NoError(t, p.err())
	buffer := make([]byte, 100)
	n, err := screen.Read(buffer)
	require.NoError(t, err)
	require.NoError(t, terminal.Close())
	return strings.TrimSpace(string(buffer[:n]))
}

func TestColoursOnATerminal(t *testing.T) {
	t.Setenv("TERM", "xterm-256color")
	os.Unsetenv("NO_COLOR")
	require.Equal(t, "\x1b[32mright\x1b[m", shown(t))
	t.Setenv("NO_COLOR", "please")
	require.Equal(t, "right", shown(t))
}

// TestNoColoursInAFile holds even where colours are asked for.
func TestNoColoursInAFile(t *testing.T) {
	t.Setenv("CLICOLOR_FORCE", "1")
	t.Setenv("TERM", "xterm-256color")
	require.NotContains(t, played(t, three(), "0", "4000256"), "\x1b")
}
