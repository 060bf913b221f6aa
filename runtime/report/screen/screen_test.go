package screen_test

import (
	"bytes"
	"errors"
	"os"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/report"
	"github.com/torchmem/workbook/runtime/report/screen"
)

// moment has a block and some cache.
var moment = report.Moment{Segments: []caching.Segment{{
	Address: 1 << 20, TotalSize: 2 << 20, AllocatedSize: 1 << 20, SegmentType: "small",
	Blocks: []caching.BlockRecord{
		{Address: 1 << 20, Size: 1 << 20, State: caching.ActiveAllocated},
		{Address: 2 << 20, Size: 1 << 20, State: caching.Inactive},
	},
}}}

// terminal opens one of some width.
func terminal(t *testing.T, width uint16) *os.File {
	t.Helper()
	ptmx, tty, err := pty.Open()
	if errors.Is(err, pty.ErrUnsupported) {
		t.Skip("this system has no pseudo-terminals")
	}
	require.NoError(t, err)
	t.Cleanup(func() { _, _ = tty.Close(), ptmx.Close() })
	require.NoError(t, pty.Setsize(ptmx, &pty.Winsize{Rows: 24, Cols: width}))
	return tty
}

// environment sets all that a terminal is known by.
func environment(t *testing.T, term, noColour, locale string) {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "WT_SESSION"} {
		t.Setenv(name, "")
	}
	t.Setenv("TERM", term)
	t.Setenv("NO_COLOR", noColour)
	t.Setenv("LANG", locale)
}

func TestATerminalSaysWhatItCan(t *testing.T) {
	for name, c := range map[string]struct {
		term, noColour, locale string
		want                   report.Style
	}{
		"everything":            {"xterm-256color", "", "de_DE.UTF-8", report.Blocks(120)},
		"a locale in lowercase": {"xterm", "", "C.utf8", report.Blocks(120)},
		"no Unicode":            {"xterm", "", "de_DE.ISO-8859-1", report.Colour(120)},
		"no locale":             {"linux", "", "", report.Colour(120)},
		"no colour wanted":      {"xterm", "1", "C.UTF-8", report.Plain(120)},
		"dumb":                  {"dumb", "", "C.UTF-8", report.Plain(120)},
		"no name":               {"", "", "C.UTF-8", report.Plain(120)},
	} {
		t.Run(name, func(t *testing.T) {
			environment(t, c.term, c.noColour, c.locale)
			require.Equal(t, c.want.Map(moment), screen.Style(terminal(t, 120)).Map(moment))
		})
	}
}

func TestTheFirstLocaleThatIsSetDecides(t *testing.T) {
	environment(t, "xterm", "", "C.UTF-8")
	t.Setenv("LC_ALL", "C")
	require.Equal(t, report.Colour(80).Map(moment), screen.Paint(80).Map(moment))
	t.Setenv("LC_ALL", "")
	t.Setenv("LC_CTYPE", "en_GB.UTF-8")
	t.Setenv("LANG", "C")
	require.Equal(t, report.Blocks(80).Map(moment), screen.Paint(80).Map(moment))
}

func TestWindowsTerminal(t *testing.T) {
	environment(t, "", "", "")
	t.Setenv("WT_SESSION", "a-b-c")
	require.Equal(t, report.Blocks(80).Map(moment), screen.Paint(80).Map(moment))
}

func TestWhatIsNoTerminalGetsASCII(t *testing.T) {
	environment(t, "xterm", "", "C.UTF-8")
	file, err := os.CreateTemp(t.TempDir(), "")
	require.NoError(t, err)
	defer file.Close()
	require.Equal(t, report.Plain(80).Map(moment), screen.Style(file).Map(moment))
	require.Equal(t, report.Plain(80).Map(moment), screen.Style(new(bytes.Buffer)).Map(moment))
	require.Equal(t, report.Blocks(80).Map(moment), screen.Style(terminal(t, 0)).Map(moment), "a terminal that does not know its width")
}
