package workbook_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/torchmem/workbook/tools/scripts"
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
		Condition: func(name string) (bool, error) {
			return name == "cuda" && len(buildTags) > 0, nil // what the commands are built with
		},
		Cmds: scripts.With(map[string]scripts.Command{
			"counters": counters,
		}),
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
