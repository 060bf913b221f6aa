package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/solutions/tasks"
	"github.com/torchmem/workbook/tools/workbook/project"
)

// surroundings are what a check can see.
type surroundings struct {
	project project.Project
	tasks   []grade.Info
	// system is the operating system, as GOOS spells it.
	system string
	env    func(name string) string
	// machine is put before the absolute paths of the machine. It is empty
	// unless a test has a machine of its own in a folder.
	machine string
	// find returns the path of a command.
	find   func(command string) (string, error)
	run    func(ctx context.Context, c call) (string, error)
	screen screen

	goOnce sync.Once
	goEnv  map[string]string
	goErr  error

	smiOnce sync.Once
	smiText string
	smiErr  error
}

// here returns the real surroundings of a project.
func here(p project.Project, out io.Writer) *surroundings {
	return &surroundings{
		project: p, tasks: tasks.All(), system: runtime.GOOS, env: os.Getenv,
		find: exec.LookPath, run: runCall, screen: screenOf(end(out)),
	}
}

// golang returns a variable of go env. It asks the go command once.
func (s *surroundings) golang(ctx context.Context, name string) (string, error) {
	s.goOnce.Do(func() {
		text, err := s.run(ctx, call{folder: s.project.Root, command: "go", args: []string{
			"env", "-json", "GOVERSION", "GOWORK", "GOFLAGS", "GOCACHE", "CGO_ENABLED", "CC", "CGO_CFLAGS", "CGO_CPPFLAGS", "CGO_LDFLAGS",
		}})
		if err == nil {
			err = json.Unmarshal([]byte(text), &s.goEnv)
		}
		s.goErr = err
	})
	return s.goEnv[name], s.goErr
}

// glob lists the files of the machine that fit a pattern.
func (s *surroundings) glob(pattern string) []string {
	found, err := filepath.Glob(s.path(pattern))
	if err != nil {
		return nil // the patterns are constants, but for a learner's folder with odd signs
	}
	for i, f := range found {
		found[i] = s.shown(f)
	}
	return found
}

// path is where a file of the machine is.
func (s *surroundings) path(name string) string {
	if s.machine == "" {
		return name
	}
	return filepath.Join(s.machine, name)
}

// shown is the name of a file of the machine.
func (s *surroundings) shown(path string) string {
	return filepath.ToSlash(strings.TrimPrefix(path, s.machine))
}

// exists reports whether the machine has a file.
func (s *surroundings) exists(name string) bool {
	_, err := os.Stat(s.path(name))
	return err == nil
}

// call is a command to run.
type call struct {
	folder  string
	env     []string // more of it
	command string
	args    []string
}

// runCall runs a command and returns what it prints. An error says what the
// command said. When the context ends, so does the waiting: a driver in trouble
// can hold a command so that nothing ends it.
func runCall(ctx context.Context, c call) (string, error) {
	cmd := exec.CommandContext(ctx, c.command, c.args...)
	cmd.Dir = c.folder
	cmd.Env = append(os.Environ(), c.env...)
	type result struct {
		text []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		text, err := cmd.Output()
		done <- result{text, err}
	}()
	select {
	case r := <-done:
		return string(r.text), said(r.err)
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// said replaces the error of a command, a bare exit status, by what it said.
func said(err error) error {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return err
	}
	if words := oneLine(string(exit.Stderr)); words != "" {
		return errors.New(words)
	}
	return err
}
