package workbook_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestScripts runs testdata/script. Each script is a page of the manual: what
// somebody types, and what comes back.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", bin+string(os.PathListSeparator)+env.Getenv("PATH"))
			env.Setenv("PYTORCH_CUDA_ALLOC_CONF", "")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"counters": counters,
			"oneline":  oneLine,
			"status":   status,
		},
	})
}

// counters is the script command
//
//	counters PROGRAM LABEL NAME=BYTES…
//
// It reads the JSON lines that the last command printed and compares counters
// of the row with that label. A label that is given twice in a program names
// its first row. With ! in front, some counter must differ.
func counters(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 3 {
		ts.Fatalf("usage: counters PROGRAM LABEL NAME=BYTES…")
	}
	row := findRow(ts, args[0], args[1])
	same := true
	for _, want := range args[2:] {
		name, bytes, _ := strings.Cut(want, "=")
		n, err := strconv.ParseFloat(bytes, 64)
		ts.Check(err)
		got, ok := row[name].(float64)
		if !ok {
			ts.Fatalf("no counter %q in the row %q", name, args[1])
		}
		if got != n {
			same = false
			ts.Logf("%s: %s after %q is %.0f, want %.0f", args[0], name, args[1], got, n)
		}
	}
	if same == neg {
		ts.Fatalf("counters of %q: equal is %v", args[1], same)
	}
}

// findRow returns the first row of a program with the label.
func findRow(ts *testscript.TestScript, program, label string) map[string]any {
	lines := bufio.NewScanner(strings.NewReader(ts.ReadFile("stdout")))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var row map[string]any
		ts.Check(json.Unmarshal(lines.Bytes(), &row))
		if row["program"] == program && row["label"] == label {
			return row
		}
	}
	ts.Check(lines.Err())
	ts.Fatalf("no row %q of the program %s", label, program)
	return nil
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
