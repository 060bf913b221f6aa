package watch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/tools/workbook/project"
	"github.com/torchmem/workbook/tools/workbook/project/projecttest"
)

// childVariable makes the test binary a watcher: it names the project.
const childVariable = "WORKBOOK_WATCH_CHILD"

func TestMain(m *testing.M) {
	root := os.Getenv(childVariable)
	if root == "" {
		os.Exit(m.Run())
	}
	start := strings.Join(os.Args[1:], "")
	if err := Run(context.Background(), project.Project{Root: root}, start, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// newProject makes a workbook as it comes to a learner.
func newProject(t *testing.T) project.Project {
	t.Helper()
	p, err := projecttest.Copy(t.TempDir())
	require.NoError(t, err)
	return p
}

// watcher is a watch in a terminal of its own.
type watcher struct {
	t      *testing.T
	cmd    *exec.Cmd
	pty    *os.File
	screen *vt.SafeEmulator

	mutex sync.Mutex
	raw   bytes.Buffer
}

// open starts a watcher.
func open(t *testing.T, p project.Project, start string, environment ...string) *watcher {
	t.Helper()
	const width, height = 80, 24
	s := &watcher{t: t, screen: vt.NewSafeEmulator(width, height)}
	s.cmd = exec.Command(os.Args[0], start)
	s.cmd.Env = append(os.Environ(), childVariable+"="+p.Root, "TERM=xterm-256color", "NO_COLOR=")
	s.cmd.Env = append(s.cmd.Env, environment...)
	var err error
	s.pty, err = pty.StartWithSize(s.cmd, &pty.Winsize{Rows: height, Cols: width})
	if errors.Is(err, pty.ErrUnsupported) {
		t.Skip("this system has no pseudo-terminals")
	}
	require.NoError(t, err)
	go s.listen()
	go func() { _, _ = io.Copy(s.pty, s.screen) }() // what the terminal answers
	t.Cleanup(s.close)
	return s
}

// pair is a terminal that nobody has used.
func pair(t *testing.T) (ptmx, tty *os.File) {
	t.Helper()
	ptmx, tty, err := pty.Open()
	if errors.Is(err, pty.ErrUnsupported) {
		t.Skip("this system has no pseudo-terminals")
	}
	require.NoError(t, err)
	t.Cleanup(func() { _, _ = tty.Close(), ptmx.Close() })
	return ptmx, tty
}

// fresh is the state of such a terminal.
func fresh(t *testing.T) *term.State {
	t.Helper()
	_, tty := pair(t)
	state, err := term.GetState(tty.Fd())
	require.NoError(t, err)
	return state
}

// resize makes the terminal's window larger or smaller.
func (s *watcher) resize(width, height int) {
	s.t.Helper()
	s.screen.Resize(width, height)
	require.NoError(s.t, pty.Setsize(s.pty, &pty.Winsize{Rows: uint16(height), Cols: uint16(width)}))
}

// listen draws what the watcher writes.
func (s *watcher) listen() {
	buffer := make([]byte, 32<<10)
	for {
		n, err := s.pty.Read(buffer)
		if err != nil {
			return
		}
		s.mutex.Lock()
		s.raw.Write(buffer[:n])
		s.mutex.Unlock()
		_, _ = s.screen.Write(buffer[:n])
	}
}

func (s *watcher) close() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
	_ = s.screen.InputPipe().(io.Closer).Close()
	_ = s.pty.Close()
}

// text is what is on the screen, without the space at the ends of lines.
func (s *watcher) text() string {
	lines := strings.Split(ansi.Strip(s.screen.Render()), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \r")
	}
	return strings.Join(lines, "\n")
}

// written is everything that the watcher has written.
func (s *watcher) written() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.raw.String()
}

func (s *watcher) press(keys string) {
	s.t.Helper()
	_, err := s.pty.WriteString(keys)
	require.NoError(s.t, err)
}

// wait returns when all of the texts are on the screen.
func (s *watcher) wait(texts ...string) {
	s.t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		screen, missing := s.text(), false
		for _, text := range texts {
			missing = missing || !strings.Contains(screen, text)
		}
		if !missing {
			return
		}
	}
	require.FailNow(s.t, "not on the screen", "%q\n%s", texts, s.text())
}

// ended waits for the watcher to end well, and looks at what it leaves behind.
func (s *watcher) ended() {
	s.t.Helper()
	done := make(chan error, 1)
	go func() { done <- s.cmd.Wait() }()
	select {
	case err := <-done:
		require.NoError(s.t, err, s.text())
	case <-time.After(10 * time.Second):
		require.FailNow(s.t, "the watcher does not end", s.text())
	}
	after, err := term.GetState(s.pty.Fd())
	require.NoError(s.t, err)
	require.Equal(s.t, fresh(s.t), after, "the terminal is as it was before")
	require.Eventually(s.t, func() bool {
		return !s.screen.IsAltScreen() && !s.screen.CursorHidden()
	}, 5*time.Second, 5*time.Millisecond, "the screen is as it was before")
}
