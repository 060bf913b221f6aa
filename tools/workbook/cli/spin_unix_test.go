//go:build unix

package cli

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
)

// TestSpinOnATerminal looks at what a terminal is sent while work takes long,
// and that the line is wiped out at the end.
func TestSpinOnATerminal(t *testing.T) {
	t.Setenv("TERM", "xterm")
	screen, terminal, err := pty.Open()
	require.NoError(t, err)
	defer screen.Close()
	a := newApp(strings.NewReader(""), io.Discard, terminal)
	stop := a.spin("grading " + strings.Repeat("long ", 30))
	time.Sleep(patience + 300*time.Millisecond)
	stop()
	stop = a.spin("too quick to be seen")
	stop()
	require.NoError(t, terminal.Close())
	seen, _ := io.ReadAll(screen) // the error is that nobody writes any more
	text := string(seen)
	require.Contains(t, text, "\r| grading long")
	require.True(t, strings.HasSuffix(text, "\r\x1b[K"), "%q", text)
	require.NotContains(t, text, "too quick")
	for _, line := range strings.Split(text, "\r") {
		require.LessOrEqual(t, len(line), width)
	}
}
