package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/tools/scripts"
	"github.com/torchmem/workbook/tools/workbook/cli"
	"github.com/torchmem/workbook/tools/workbook/project/projecttest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"workbook": func() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs testdata/script. Each script is a page of the manual: what
// a learner types in a fresh copy of the workbook, and what comes back.
func TestScripts(t *testing.T) {
	shared, err := goFolders()
	require.NoError(t, err)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, shared...)
			// The terminal of whoever runs the tests is none of theirs.
			env.Vars = append(env.Vars, "NO_COLOR=", "CLICOLOR_FORCE=", "TERM=xterm", "WORKBOOK_TIME_LIMIT=")
			_, err := projecttest.Copy(env.WorkDir)
			return err
		},
		Cmds: scripts.With(map[string]scripts.Command{
			"answer": answer,
			"gap":    gap,
			"json":   jsonHas,
			"passed": passed,
		}),
	})
}

// goFolders returns the variables that let a script's go find what was compiled
// and downloaded before.
func goFolders() ([]string, error) {
	names := []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOFLAGS", "GOPROXY", "GOTOOLCHAIN"}
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		return nil, err
	}
	vars := []string{"HOME=" + os.Getenv("HOME")}
	for i, value := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
		vars = append(vars, names[i]+"="+strings.TrimSpace(value))
	}
	return vars, nil
}
