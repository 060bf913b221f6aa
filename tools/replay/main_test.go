package main

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/tools/replay/cli"
	"github.com/torchmem/workbook/tools/scripts"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"replay": func() { os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs testdata/script. Each script is a page of the manual: what
// somebody types, and what comes back.
func TestScripts(t *testing.T) {
	oracle, err := filepath.Abs("../../testdata/oracle")
	require.NoError(t, err)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("ORACLE", oracle)
			return nil
		},
		Cmds: scripts.With(map[string]scripts.Command{"forge": forge}),
	})
}

// forge is the script command
//
//	forge TRACE FILE OLD NEW
//
// It writes a copy of a recorded trace, unpacked, in which the first OLD is NEW.
func forge(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: forge TRACE FILE OLD NEW")
	}
	f, err := os.Open(args[0])
	ts.Check(err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	ts.Check(err)
	text, err := io.ReadAll(z)
	ts.Check(err)
	if !strings.Contains(string(text), args[2]) {
		ts.Fatalf("%s has no %q", args[0], args[2])
	}
	forged := strings.Replace(string(text), args[2], args[3], 1)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(forged), 0o600))
}
