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

// TestProgressOnATerminal looks at what a terminal is sent while a file takes
// long, and that the line is wiped out at the end.
func TestProgressOnATerminal(t *testing.T) {
	t.Setenv("TERM", "xterm")
	screen, terminal, err := pty.Open()
	require.NoError(t, err)
	defer screen.Close()
	a := &app{out: io.Discard, errOut: terminal}
	p := a.progress("reading " + strings.Repeat("long ", 30))
	time.Sleep(patience + frame)
	p.say("mine.json: 5000 of 90000 operations")
	time.Sleep(3 * frame)
	p.end()
	a.progress("too quick to be seen").end()
	require.NoError(t, terminal.Close())
	seen, _ := io.ReadAll(screen) // the error is that nobody writes any more
	text := string(seen)
	require.Contains(t, text, "\r| reading long")
	require.Contains(t, text, " mine.json: 5000 of 90000 operations\x1b[K")
	require.True(t, strings.HasSuffix(text, "\r\x1b[K"), "%q", text)
	require.NotContains(t, text, "too quick")
	for _, line := range strings.Split(text, "\r") {
		require.LessOrEqual(t, len(strings.TrimSuffix(line, "\x1b[K")), width)
	}
}

// TestNoProgressElsewhere keeps pipes and files clean.
func TestNoProgressElsewhere(t *testing.T) {
	var errOut strings.Builder
	a := &app{out: io.Discard, errOut: &errOut}
	p := a.progress("reading")
	time.Sleep(patience + frame)
	p.end()
	require.Empty(t, errOut.String())
}
