package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/solutions"
	"github.com/torchmem/workbook/solutions/tasks"
	"github.com/torchmem/workbook/tools/workbook/progress"
	"github.com/torchmem/workbook/tools/workbook/project"
)

// taskOf returns the task that a script names.
func taskOf(ts *testscript.TestScript, name string) grade.Info {
	all := tasks.All()
	at := slices.IndexFunc(all, func(i grade.Info) bool { return i.Name == name })
	if at < 0 {
		ts.Fatalf("no task %s", name)
	}
	return all[at]
}

// answer is the script command
//
//	answer TASK
//
// It writes the task's answer into the learner's file.
func answer(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: answer TASK")
	}
	i := taskOf(ts, args[0])
	source, err := solutions.Answer(i.Lesson, i.File())
	ts.Check(err)
	ts.Check(os.WriteFile(project.Project{Root: ts.Getenv("WORK")}.File(i), source, 0o644))
}

// gap is the script command
//
//	gap TASK STATEMENTS
//
// It puts statements at the end of the gap of the task's original.
func gap(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: gap TASK STATEMENTS")
	}
	i := taskOf(ts, args[0])
	source, err := solutions.Starter(i.Lesson, i.File())
	ts.Check(err)
	text := strings.Replace(string(source), "// END", args[1]+"\n\t// END", 1)
	ts.Check(os.WriteFile(project.Project{Root: ts.Getenv("WORK")}.File(i), []byte(text), 0o644))
}

// passed is the script command
//
//	passed all
//	passed before TASK
//
// It notes in the learner's progress that tasks are passed.
func passed(ts *testscript.TestScript, neg bool, args []string) {
	last := ""
	switch {
	case !neg && len(args) == 1 && args[0] == "all":
	case !neg && len(args) == 2 && args[0] == "before":
		last = taskOf(ts, args[1]).Name
	default:
		ts.Fatalf("usage: passed all|before TASK")
	}
	done, err := progress.Open(ts.MkAbs(".workbook/progress.json"))
	ts.Check(err)
	for _, i := range tasks.All() {
		if i.Name == last {
			return
		}
		ts.Check(done.Record(i.Name, true, time.Now()))
	}
}

// jsonHas is the script command
//
//	json PATH=VALUE…
//
// The last command must have printed one JSON value, in which a path such as
// tasks.0.name leads to the value. An object in an array is found by its
// number, or by its name. PATH=* asks only that there is one. With !
// in front, no path may lead to a value.
func jsonHas(ts *testscript.TestScript, neg bool, args []string) {
	var whole any
	if err := json.Unmarshal([]byte(ts.ReadFile("stdout")), &whole); err != nil {
		ts.Fatalf("standard output is no JSON: %v", err)
	}
	for _, arg := range args {
		path, want, _ := strings.Cut(arg, "=")
		got, ok := follow(whole, strings.Split(path, "."))
		switch {
		case neg && ok:
			ts.Fatalf("%s is %v", path, got)
		case neg:
		case !ok:
			ts.Fatalf("there is no %s", path)
		case want != "*" && fmt.Sprint(got) != want:
			ts.Fatalf("%s is %v, want %s", path, got, want)
		}
	}
}

// follow walks into a JSON value.
func follow(v any, path []string) (any, bool) {
	if len(path) == 0 {
		return v, true
	}
	switch v := v.(type) {
	case map[string]any:
		inner, ok := v[path[0]]
		if !ok {
			return nil, false
		}
		return follow(inner, path[1:])
	case []any:
		for n, inner := range v {
			if path[0] == strconv.Itoa(n) || path[0] == nameOf(inner) {
				return follow(inner, path[1:])
			}
		}
	}
	return nil, false
}

// nameOf returns what an object has for name.
func nameOf(v any) string {
	object, _ := v.(map[string]any)
	name, _ := object["name"].(string)
	return name
}
