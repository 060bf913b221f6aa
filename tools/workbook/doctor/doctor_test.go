package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/tools/workbook/project/projecttest"
)

func TestTerminal(t *testing.T) {
	m := newMachine(t)
	m.expect(terminal, ok("100 columns, 256 colours"))
	m.screen.columns = 79
	m.expect(terminal, note("79 columns, and the pages are made for 80", "make the window wider"))
	m.screen.columns = 0
	m.expect(terminal, ok("a terminal of unknown size, 256 colours"))
	for profile, want := range map[colorprofile.Profile]string{
		colorprofile.TrueColor: "all colours", colorprofile.ANSI: "16 colours", colorprofile.ASCII: "no colours",
	} {
		m.screen = screen{terminal: true, columns: 80, colours: profile}
		m.expect(terminal, ok("80 columns, "+want))
	}
	m.variables["NO_COLOR"] = "1"
	m.expect(terminal, ok("80 columns, no colours, as NO_COLOR says"))
	m.screen = screenOf(io.Discard)
	m.expect(terminal, note("the output does not go to a terminal, so it has no colours", ""))
}

// TestAMachineWithoutAGPUIsHealthy has nothing but Go and the project.
func TestAMachineWithoutAGPUIsHealthy(t *testing.T) {
	m := newMachine(t)
	m.screen, m.goEnv["CGO_ENABLED"] = screen{}, "0"
	findings, err := examine(t.Context(), m.surroundings)
	require.NoError(t, err)
	require.Len(t, findings, len(checks))
	require.True(t, isHealthy(findings))
	notes := 0
	for _, f := range findings {
		if f.State == Note {
			notes++
		}
	}
	require.Equal(t, 6, notes, "terminal, GPU, driver, headers, cgo, lessons on a GPU")
}

func TestAProblemIsUnhealthy(t *testing.T) {
	m := newMachine(t)
	m.lose("exercises/05/segments.go")
	findings, err := examine(t.Context(), m.surroundings)
	require.NoError(t, err)
	require.False(t, isHealthy(findings))
}

func TestAnInterruptIsNoFinding(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	_, err := examine(ctx, newMachine(t).surroundings)
	require.ErrorIs(t, err, context.Canceled)
}

func TestThePage(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, writeText(&out, []Finding{
		{Check: "Go", State: OK, Is: "go1.26.8, and go1.26.8 is needed"},
		{Check: "workspace", State: Problem, Is: "workspaces are turned off (GOWORK=off), so go test ./exercises/05 finds nothing", Do: "type: go env -u GOWORK"},
		{Check: "GPU", State: Note, Is: "no GPU of NVIDIA", Do: needless},
		{Check: "lessons on a GPU", State: OK, Is: "type:", Type: []string{`export CGO_CFLAGS="` + strings.Repeat("long ", 20) + `"`, "go run"}},
	}))
	require.Equal(t, `ok       Go: go1.26.8, and go1.26.8 is needed
problem  workspace: workspaces are turned off (GOWORK=off), so go test
         ./exercises/05 finds nothing
         -> type: go env -u GOWORK
note     GPU: no GPU of NVIDIA
         -> nothing has to be done: the simulated GPU needs none
ok       lessons on a GPU: type:
         export CGO_CFLAGS="long long long long long long long long long long long long long long long long long long long long "
         go run

One problem stands in the way of the exercises.
`, out.String())
	require.Equal(t, "All that the exercises need is there.", summary(0))
	require.Equal(t, "2 problems stand in the way of the exercises.", summary(2))

	full := errors.New("the disk is full")
	require.ErrorIs(t, writeText(faulty{full}, nil), full)
	require.ErrorIs(t, writeJSON(faulty{full}, nil), full)
}

type faulty struct{ err error }

func (f faulty) Write([]byte) (int, error) { return 0, f.err }

// TestThisMachine looks at the real machine. Whoever can run this test can do
// the exercises, unless workspaces are turned off.
func TestThisMachine(t *testing.T) {
	t.Setenv("GOWORK", "")
	p, err := projecttest.Copy(t.TempDir())
	require.NoError(t, err)
	var out bytes.Buffer
	healthy, err := Run(t.Context(), p, true, &out)
	require.NoError(t, err)
	require.True(t, healthy, out.String())
	var report struct {
		Healthy bool
		Checks  []Finding
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &report))
	require.True(t, report.Healthy)
	require.Len(t, report.Checks, len(checks))

	out.Reset()
	_, err = Run(t.Context(), p, false, &out)
	require.NoError(t, err)
	for line := range strings.Lines(out.String()) {
		require.NotContains(t, line, "\x1b")
	}
}

// TestACommandThatHangs is given up after its time. The command is this test.
func TestACommandThatHangs(t *testing.T) {
	const variable = "WORKBOOK_TEST_HANGS"
	if os.Getenv(variable) != "" {
		time.Sleep(time.Minute)
	}
	hurry, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	began := time.Now()
	_, err := runCall(hurry, call{env: []string{variable + "=1"}, command: os.Args[0], args: []string{"-test.run=^TestACommandThatHangs$"}})
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Less(t, time.Since(began), 30*time.Second)
}

func TestACommandThatFailsSaysWhy(t *testing.T) {
	text, err := runCall(t.Context(), call{command: "go", args: []string{"version"}})
	require.NoError(t, err)
	require.Contains(t, text, "go version go")
	_, err = runCall(t.Context(), call{command: "go", args: []string{"no-such-verb"}})
	require.ErrorContains(t, err, "unknown command")
	require.NotContains(t, err.Error(), "\n")
}
