package verdicts

import (
	"maps"
	"slices"
	"strings"

	"github.com/torchmem/workbook/runtime/grade"
)

// problem is why a file keeps its folder from being graded.
type problem struct {
	// what says it in a few words: does not compile.
	what string
	// text says all, the compiler's words first.
	text string
}

// problems holds them by the name of the file. The empty name stands for a
// problem that is no file's.
type problems map[string]problem

// into gives each task its problem: its own, or that of a neighbour.
func (p problems) into(results map[string]Result, infos []grade.Info) {
	for _, i := range infos {
		results[i.Name] = Result{Info: i, Problem: p.of(i)}
	}
}

// take gives the tasks whose own file has a problem their result, and returns
// the others.
func (p problems) take(results map[string]Result, infos []grade.Info) (others []grade.Info) {
	for _, i := range infos {
		if own, ok := p[i.File()]; ok {
			results[i.Name] = Result{Info: i, Problem: own.text}
		} else {
			others = append(others, i)
		}
	}
	return others
}

// of returns the problem of a task.
func (p problems) of(i grade.Info) string {
	if own, ok := p[i.File()]; ok {
		return own.text
	}
	file := slices.Sorted(maps.Keys(p))[0]
	other := p[file]
	if file == "" {
		return other.text
	}
	first, _, _ := strings.Cut(other.text, "\n")
	return file + " in the same folder " + other.what + ": " + first
}
