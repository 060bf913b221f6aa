package doctor

import (
	"errors"
	"path/filepath"
	"testing"
)

func TestGoVersion(t *testing.T) {
	m := newMachine(t)
	m.expect(goVersion, ok("go1.26.8, and go1.26.8 is needed"))

	m = newMachine(t)
	m.goEnv["GOVERSION"] = "go1.26.1"
	m.expect(goVersion, problem("go1.26.1 is too old; the workbook needs go1.26.8",
		"get a newer one from https://go.dev/dl, or let Go fetch it: go env -w GOTOOLCHAIN=auto"))

	m = newMachine(t)
	m.goEnv["GOVERSION"] = "devel go1.27-abcdef"
	m.expect(goVersion, note("devel go1.27-abcdef is no release; the workbook needs go1.26.8", ""))

	m = newMachine(t)
	m.goEnv = nil
	m.expect(goVersion, problem("the go command cannot be asked: exec: go: not found", "install Go from https://go.dev/dl and put it on the PATH"))

	m = newMachine(t)
	m.lose("go.work")
	m.expect(goVersion, ok("go1.26.8, and go1.26.0 is needed"))

	m = newMachine(t)
	m.own("go.mod", "module workbook\n")
	m.expect(goVersion, problem("go.mod does not say which Go it needs", ""))
}

func TestWorkspace(t *testing.T) {
	m := newMachine(t)
	m.expect(workspace, ok("go.work of this project"))

	m = newMachine(t)
	m.goEnv["GOFLAGS"] = "-buildvcs=false -mod=readonly"
	m.expect(workspace, ok("go.work of this project"))

	for _, flag := range []string{"-mod=mod", "--mod=mod", "-mod=vendor", "-modfile=other.mod"} {
		m = newMachine(t)
		m.goEnv["GOFLAGS"] = "-v " + flag
		m.expect(workspace, problem("GOFLAGS has "+flag+", which does not go together with a workspace",
			"take it out of GOFLAGS in the environment, and type: go env -u GOFLAGS"))
	}

	m = newMachine(t)
	m.goEnv["GOWORK"] = "off"
	m.expect(workspace, problem("workspaces are turned off (GOWORK=off), so go test ./exercises/05 finds nothing",
		"take GOWORK out of the environment, and type: go env -u GOWORK"))

	m = newMachine(t)
	m.lose("go.work")
	m.goEnv["GOWORK"] = ""
	m.expect(workspace, problem("the file go.work is missing, so go test ./exercises/05 finds nothing", "put it back: git checkout go.work"))

	m = newMachine(t)
	other := filepath.Join(t.TempDir(), "go.work")
	m.write(other, "go 1.26\n")
	m.goEnv["GOWORK"] = other
	m.expect(workspace, problem("another workspace is in use: "+other, "take GOWORK out of the environment, and type: go env -u GOWORK"))

	m = newMachine(t)
	m.goEnv = nil
	m.expect(workspace, note("not looked at, since the go command cannot be asked", "see Go above"))
}

func TestModules(t *testing.T) {
	const list = "go list -deps -test ./exercises/05"
	m := newMachine(t)
	m.expect(modules, ok("all are here; no network is needed"))

	for said, want := range map[string]Finding{
		"a.go:7:2: m@v1: module lookup disabled by GOPROXY=off": problem(
			"some are not here: a.go:7:2: m@v1: module lookup disabled by GOPROXY=off", "with a network, type: go mod download"),
		"exercises/05/segments.go:1:1: expected 'package', found pckage": note(
			"an exercise cannot be read: exercises/05/segments.go:1:1: expected 'package', found pckage", ""),
		"found packages exercise (a.go) and other (b.go) in /home/me/exercises/05": note(
			"an exercise cannot be read: found packages exercise (a.go) and other (b.go) in /home/me/exercises/05", ""),
		"go: updates to go.mod needed": problem(
			"go list fails: go: updates to go.mod needed", "make this work: "+list),
	} {
		m.commands[list] = answer{err: errors.New(said)}
		m.expect(modules, want)
	}

	m = newMachine(t)
	m.goEnv["GOWORK"] = "off"
	m.expect(modules, note("not looked at, since the workspace is not in order", "see workspace above"))

	m = newMachine(t)
	m.tasks = nil
	m.expect(modules, note("not looked at, since there are no tasks", ""))
}
