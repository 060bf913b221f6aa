package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/charmbracelet/colorprofile"
	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/tools/workbook/project"
)

// machine is what a test shows to the checks. It begins as a machine on which
// all is well; each test spoils something.
type machine struct {
	*surroundings
	t         *testing.T
	goEnv     map[string]string
	variables map[string]string
	// commands holds what commands print, by their name or by their line.
	commands map[string]answer
}

// answer is what a command prints, and its error.
type answer struct {
	text string
	err  error
}

func newMachine(t *testing.T) *machine {
	root := t.TempDir()
	m := &machine{t: t, variables: map[string]string{}, commands: map[string]answer{}}
	m.surroundings = &surroundings{
		project: project.Project{Root: root},
		tasks:   []grade.Info{{Name: "segments", Lesson: "05"}, {Name: "total", Lesson: "06"}},
		system:  "linux", machine: t.TempDir(),
		env:    func(name string) string { return m.variables[name] },
		find:   m.findCommand,
		run:    m.runCommand,
		screen: screen{terminal: true, columns: 100, colours: colorprofile.ANSI256},
	}
	m.goEnv = map[string]string{
		"GOVERSION": "go1.26.8", "GOWORK": filepath.Join(root, "go.work"), "GOCACHE": filepath.Join(t.TempDir(), "cache"),
		"CGO_ENABLED": "1", "CC": "gcc",
	}
	m.commands["go list -deps -test ./exercises/05"] = answer{}
	m.commands["git config --get core.autocrlf"] = answer{err: errors.New("exit status 1")}
	m.commands["gcc"] = answer{text: "/usr/bin/gcc"}
	m.own("go.mod", "module workbook\n\ngo 1.26.0\n")
	m.own("go.work", "go 1.26.8\n")
	m.own("lessons/01/lesson.md", "# Lesson\n")
	for _, i := range m.tasks {
		m.own("exercises/"+i.Lesson+"/"+i.File(), "package exercise\n")
		m.own("exercises/"+i.Lesson+"/exercise_test.go", "package exercise\n")
	}
	return m
}

func (m *machine) findCommand(name string) (string, error) {
	if a, ok := m.commands[name]; ok {
		return a.text, nil
	}
	return "", errors.New("not found")
}

func (m *machine) runCommand(_ context.Context, c call) (string, error) {
	line := strings.Join(append([]string{c.command}, c.args...), " ")
	if strings.HasPrefix(line, "go env -json ") {
		if m.goEnv == nil {
			return "", errors.New("exec: go: not found")
		}
		text, err := json.Marshal(m.goEnv)
		return string(text), err
	}
	if a, ok := m.commands[line]; ok {
		return a.text, a.err
	}
	if c.command == "nvidia-smi" {
		return m.commands["nvidia-smi"].text, m.commands["nvidia-smi"].err
	}
	return "", fmt.Errorf("exec: %s: not found", c.command)
}

// says makes nvidia-smi answer so from now on.
func (m *machine) says(a answer) {
	m.commands["nvidia-smi"] = a
	m.smiOnce = sync.Once{}
}

// goSays makes go env answer so from now on.
func (m *machine) goSays(name, value string) {
	m.goEnv[name] = value
	m.goOnce = sync.Once{}
}

// own writes a file of the project.
func (m *machine) own(name, text string) {
	m.t.Helper()
	m.write(filepath.Join(m.project.Root, name), text)
}

// has writes a file of the machine.
func (m *machine) has(name, text string) {
	m.t.Helper()
	m.write(filepath.Join(m.machine, name), text)
}

func (m *machine) write(path, text string) {
	m.t.Helper()
	require.NoError(m.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(m.t, os.WriteFile(path, []byte(text), 0o644))
}

// lose removes a file of the project.
func (m *machine) lose(name string) {
	m.t.Helper()
	require.NoError(m.t, os.RemoveAll(filepath.Join(m.project.Root, name)))
}

// expect holds a check against what is there to be found.
func (m *machine) expect(look func(context.Context, *surroundings) Finding, want Finding) {
	m.t.Helper()
	got := look(m.t.Context(), m.surroundings)
	got.Do = oneLine(got.Do)
	if want.Do == "" {
		require.Equal(m.t, want.State == OK, got.Do == "", "only what is well needs no advice")
		got.Do = ""
	}
	require.Equal(m.t, want, got)
}
