package cli

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWrapHangsBelowTheText(t *testing.T) {
	got := wrap("short\n  want      " + strings.Repeat("word ", 30))
	lines := strings.Split(got, "\n")
	require.Equal(t, "short", lines[0])
	require.True(t, strings.HasPrefix(lines[1], "  want      word"), lines[1])
	require.Len(t, lines, 4)
	for _, line := range lines[2:] {
		require.True(t, strings.HasPrefix(line, "            word"), line)
	}
	for _, line := range lines {
		require.LessOrEqual(t, len(line), width)
	}
}

func TestWrapLosesNothing(t *testing.T) {
	for _, text := range []string{
		"", "\n", "one\n\ntwo\n",
		strings.Repeat("x", 300),
		strings.Repeat("word ", 50),
		strings.Repeat(" ", 60) + strings.Repeat("word ", 20),
		"a label that is longer than half of the page, and then some  " + strings.Repeat("word ", 20),
	} {
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
		require.Equal(t, squeeze(text), squeeze(wrap(text)))
		for line := range strings.Lines(wrap(text)) {
			require.LessOrEqual(t, len(strings.TrimSuffix(line, "\n")), width)
		}
	}
	require.Equal(t, "one\n\ntwo\n", wrap("one\n\ntwo\n"))
}

func TestBar(t *testing.T) {
	require.Equal(t, "["+strings.Repeat(".", 30)+"]", bar(0, 21))
	require.Equal(t, "["+strings.Repeat("#", 10)+strings.Repeat(".", 20)+"]", bar(7, 21))
	require.Equal(t, "["+strings.Repeat("#", 30)+"]", bar(21, 21))
	require.Len(t, bar(0, 0), 32)
}

func TestPrintedIsShort(t *testing.T) {
	require.Empty(t, printed("\n"))
	text := printed(strings.Repeat("line\n", 100))
	require.Contains(t, text, "... and 60 lines more")
	require.Equal(t, printedLines, strings.Count(text, "  line\n"))
}

// TestNothingSpinsInAFile has no terminal, so there is nobody to entertain.
func TestNothingSpinsInAFile(t *testing.T) {
	file, err := os.CreateTemp(t.TempDir(), "")
	require.NoError(t, err)
	a := newApp(strings.NewReader(""), io.Discard, file)
	stop := a.spin("working")
	time.Sleep(patience + 200*time.Millisecond)
	stop()
	text, err := os.ReadFile(file.Name())
	require.NoError(t, err)
	require.Empty(t, text)
}
