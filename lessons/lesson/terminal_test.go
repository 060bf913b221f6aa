package lesson

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/torch"
)

// onTerminal runs a program on a terminal of some width and returns what it prints
// there.
func onTerminal(t *testing.T, width uint16, program func(*torch.Torch, *Show)) string {
	t.Helper()
	ptmx, tty, err := pty.Open()
	if errors.Is(err, pty.ErrUnsupported) {
		t.Skip("this system has no pseudo-terminals")
	}
	require.NoError(t, err)
	defer ptmx.Close()
	require.NoError(t, pty.Setsize(ptmx, &pty.Winsize{Rows: 24, Cols: width}))
	page := make(chan string)
	go func() {
		var out bytes.Buffer
		_, _ = io.Copy(&out, ptmx) // it ends with an error when the terminal is closed
		page <- out.String()
	}()
	var errs bytes.Buffer
	l := Lesson{Number: "99", Prose: testProse, Programs: []Program{{Name: "first", Run: program}}}
	require.Zero(t, Run(l, nil, tty, &errs), errs.String())
	require.NoError(t, tty.Close())
	return strings.ReplaceAll(<-page, "\r\n", "\n")
}

// twoMoments shows three tensors and then one.
func twoMoments(torch *torch.Torch, show *Show) {
	x := torch.Let("a\x1b[2Jb", torch.Cuda.Empty(1000, 1000))
	y := torch.Let("猫", torch.Cuda.Empty(1000, 1000))
	before := show.Moment("two tensors")
	x.Del()
	show.Compare("what goes", before, show.Moment("one tensor"))
	y.Del()
}

// beautiful is a terminal that can do everything.
func beautiful(t *testing.T) {
	for name, value := range map[string]string{"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "NO_COLOR": "", "PYTORCH_CUDA_ALLOC_CONF": ""} {
		t.Setenv(name, value)
	}
}

func TestMapsOnATerminal(t *testing.T) {
	beautiful(t)
	page := onTerminal(t, 120, twoMoments)
	require.Contains(t, page, "\x1b[32m█", "colours and blocks")
	require.NotContains(t, page, "\x1b[2J", "a name is no command")
	plain := ansi.Strip(page)
	require.Regexp(t, `(?m)^two tensors: 1 segment, .* │ one tensor: 1 segment, `, plain, "side by side")
	require.Regexp(t, `(?m)^ a\?\[2Jb +猫 +│ +猫$`, plain)
	for _, line := range strings.Split(plain, "\n") {
		require.LessOrEqual(t, ansi.StringWidth(line), 120, line)
	}
}

func TestMapsOnANarrowTerminal(t *testing.T) {
	beautiful(t)
	_, maps, _ := strings.Cut(ansi.Strip(onTerminal(t, 44, twoMoments)), "what goes:")
	require.NotContains(t, maps, "│", "one above the other")
	require.Contains(t, maps, "20 MiB large, 7.6 MiB allocated\n[")
	maps, _, _ = strings.Cut(maps, "What to notice")
	for _, line := range strings.Split(maps, "\n") {
		require.LessOrEqual(t, ansi.StringWidth(line), 44, line)
	}
}

func TestMapsWithoutColour(t *testing.T) {
	beautiful(t)
	t.Setenv("NO_COLOR", "1")
	page := onTerminal(t, 120, twoMoments)
	require.NotContains(t, page, "\x1b")
	require.Regexp(t, `^[\x20-\x7e\n]*$`, strings.ReplaceAll(page, "猫", ""))
	require.Contains(t, page, " | one tensor: 1 segment")
}

// A page that goes to a file is the same whatever the terminal is.
func TestMapsInAFile(t *testing.T) {
	beautiful(t)
	status, page, errs := run(twoMoments)
	require.Zero(t, status, errs)
	require.NotContains(t, page, "\x1b")
	require.Contains(t, page, "\n\none tensor: 1 segment, 20 MiB reserved, 3.8 MiB allocated in 1 block\n", "one above the other")
}

// The picture of the end comes by itself, but not twice.
func TestTheEndIsShownOnce(t *testing.T) {
	_, page, _ := run(func(torch *torch.Torch, show *Show) {
		torch.Let("x", torch.Cuda.Empty(1000, 1000))
		show.Map("now")
	})
	require.Equal(t, 1, strings.Count(page, "segment map:"))
	_, page, _ = run(func(torch *torch.Torch, show *Show) {
		x := torch.Let("x", torch.Cuda.Empty(1000, 1000))
		show.Map("now")
		x.Del()
	})
	require.Equal(t, 2, strings.Count(page, "segment map:"))
}
