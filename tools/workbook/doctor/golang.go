package doctor

import (
	"context"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// goVersion holds the version of Go against what go.mod and go.work ask for.
func goVersion(ctx context.Context, s *surroundings) Finding {
	have, err := s.golang(ctx, "GOVERSION")
	if err != nil {
		return problem("the go command cannot be asked: "+err.Error(), "install Go from https://go.dev/dl and put it on the PATH")
	}
	want, err := s.wantedGo()
	if err != nil {
		return problem(err.Error(), "put the file back: git checkout go.mod go.work")
	}
	switch {
	case !version.IsValid(have):
		return note(fmt.Sprintf("%s is no release; the workbook needs %s", have, want), "if something does not compile, take a release from https://go.dev/dl")
	case version.Compare(have, want) < 0:
		return problem(fmt.Sprintf("%s is too old; the workbook needs %s", have, want), "get a newer one from https://go.dev/dl, or let Go fetch it: go env -w GOTOOLCHAIN=auto")
	}
	return ok(fmt.Sprintf("%s, and %s is needed", have, want))
}

var goLine = regexp.MustCompile(`(?m)^go\s+(\S+)`)

// wantedGo returns the highest version that go.mod and go.work ask for. A
// go.work that is missing is the business of another check.
func (s *surroundings) wantedGo() (string, error) {
	want := ""
	for _, name := range []string{"go.mod", "go.work"} {
		text, err := os.ReadFile(filepath.Join(s.project.Root, name))
		if err != nil && name == "go.work" {
			continue
		}
		if err != nil {
			return "", err
		}
		line := goLine.FindSubmatch(text)
		if line == nil {
			return "", fmt.Errorf("%s does not say which Go it needs", name)
		}
		if v := "go" + string(line[1]); version.Compare(v, want) > 0 {
			want = v
		}
	}
	return want, nil
}

// workspace looks whether the exercises are reached: they are a module of their
// own, and the workbook's go.work puts both together.
func workspace(ctx context.Context, s *surroundings) Finding {
	file, err := s.golang(ctx, "GOWORK")
	if err != nil {
		return note("not looked at, since the go command cannot be asked", "see Go above")
	}
	own := filepath.Join(s.project.Root, "go.work")
	switch {
	case file == "off":
		return problem("workspaces are turned off (GOWORK=off), so go test ./exercises/05 finds nothing", "take GOWORK out of the environment, and type: go env -u GOWORK")
	case !isFile(own):
		return problem("the file go.work is missing, so go test ./exercises/05 finds nothing", "put it back: git checkout go.work")
	case !sameFile(file, own):
		return problem("another workspace is in use: "+file, "take GOWORK out of the environment, and type: go env -u GOWORK")
	}
	flags, _ := s.golang(ctx, "GOFLAGS")
	for _, f := range strings.Fields(flags) {
		if wrongFlag(f) {
			return problem("GOFLAGS has "+f+", which does not go together with a workspace", "take it out of GOFLAGS in the environment, and type: go env -u GOFLAGS")
		}
	}
	return ok("go.work of this project")
}

// wrongFlag reports whether go refuses a flag in this workspace, which has no
// vendor folder.
func wrongFlag(flag string) bool {
	name, value, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
	return name == "modfile" || name == "mod" && value != "readonly"
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// patience is how long go list may take. It is far more than it needs.
const patience = time.Minute

// modules looks whether an exercise compiles without a network.
func modules(ctx context.Context, s *surroundings) Finding {
	if f := workspace(ctx, s); f.State != OK {
		return note("not looked at, since the workspace is not in order", "see workspace above")
	}
	if len(s.tasks) == 0 {
		return note("not looked at, since there are no tasks", "nothing to do")
	}
	folder := "./exercises/" + s.tasks[0].Lesson
	hurry, stop := context.WithTimeout(ctx, patience)
	defer stop()
	_, err := s.run(hurry, call{
		folder: s.project.Root, env: []string{"GOPROXY=off"},
		command: "go", args: []string{"list", "-deps", "-test", folder},
	})
	switch {
	case err == nil:
		return ok("all are here; no network is needed")
	case strings.Contains(err.Error(), "GOPROXY=off"):
		return problem("some are not here: "+err.Error(), "with a network, type: go mod download")
	case brokenExercise.MatchString(err.Error()):
		return note("an exercise cannot be read: "+err.Error(), "repair the file, or put it back with go run ./tools/workbook reset")
	}
	return problem("go list fails: "+err.Error(), "make this work: go list -deps -test "+folder)
}

// brokenExercise finds a place in an exercise, or a complaint about its folder.
var brokenExercise = regexp.MustCompile(`exercises[/\\]\d\d([/\\]\w+\.go:\d|$|\s)`)
