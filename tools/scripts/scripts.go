// Package scripts has commands that the project's test scripts share.
//
// A script is a page of the manual: what somebody types, and what comes back. The
// language is that of testscript; these commands add what a manual of
// command-line programs asks for again and again.
package scripts

import (
	"errors"
	"maps"
	"os/exec"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
)

// Command is a command of a script.
type Command = func(ts *testscript.TestScript, neg bool, args []string)

// With returns these commands, by name, together with others.
func With(others map[string]Command) map[string]Command {
	all := map[string]Command{"oneline": oneLine, "status": status, "narrow": narrow}
	maps.Copy(all, others)
	return all
}

// narrow is the script command that asserts that no line of standard output is
// wider than a page of 80 columns, and that there are no colours.
func narrow(ts *testscript.TestScript, neg bool, args []string) {
	text := ts.ReadFile("stdout")
	if strings.Contains(text, "\x1b") {
		ts.Fatalf("there are escape sequences in %q", text)
	}
	for line := range strings.Lines(text) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
			ts.Fatalf("%d columns: %s", n, line)
		}
	}
}

// oneLine is the script command that asserts that the last command printed one
// line on standard error, and no stack of goroutines.
func oneLine(ts *testscript.TestScript, neg bool, args []string) {
	text := ts.ReadFile("stderr")
	if strings.Count(text, "\n") != 1 || strings.Contains(text, "goroutine ") {
		ts.Fatalf("standard error is not one line:\n%s", text)
	}
}

// status is the script command
//
//	status N COMMAND ARGUMENT…
//
// It runs the command and asserts that it ends with that exit status.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND ARGUMENT…")
	}
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if args[0] != strconv.Itoa(got) {
		ts.Fatalf("%s ends with status %d, want %s", args[1], got, args[0])
	}
}
