package terminal_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/tools/workbook/terminal"
)

func TestWhatIsNoTerminal(t *testing.T) {
	file, err := os.CreateTemp(t.TempDir(), "")
	require.NoError(t, err)
	defer file.Close()
	require.False(t, terminal.Is(file))
	require.False(t, terminal.Is(new(bytes.Buffer)))
	require.False(t, terminal.Is(nil))
}

func TestColoursAreForbiddenOrForced(t *testing.T) {
	t.Setenv("TERM", "xterm-256color")
	t.Setenv("CLICOLOR_FORCE", "1")
	t.Setenv("NO_COLOR", "")
	require.Greater(t, terminal.Writer(new(bytes.Buffer)).Profile, colorprofile.ASCII)
	t.Setenv("NO_COLOR", "please")
	require.Equal(t, colorprofile.NoTTY, terminal.Writer(new(bytes.Buffer)).Profile)
}

func TestTimes(t *testing.T) {
	require.Equal(t, "once, twice, 3 times", terminal.Times(1)+", "+terminal.Times(2)+", "+terminal.Times(3))
}
