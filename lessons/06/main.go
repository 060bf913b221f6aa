// Lesson 06: what leaks, and what only looks like it. A leak is memory that a
// forgotten reference keeps; the counters name the culprit.
package main

import (
	_ "embed"

	"github.com/torchmem/workbook/lessons/lesson"
)

//go:embed lesson.md
var prose string

func main() {
	lesson.Main(lesson.Lesson{Number: "06", Prose: prose, Programs: []lesson.Program{
		{Name: "s41_loop", Run: loop},
		{Name: "s41_leak_list", Run: leakList},
		{Name: "s41_leak_loss", Run: leakLoss},
		{Name: "s41_leak_hidden", Run: leakHidden},
		{Name: "s41_leak_view", Run: leakView},
		{Name: "s41_leak_hook", Run: leakHook},
		{Name: "s41_leak_forward_hook", Run: leakForwardHook},
		{Name: "retain_graph", Run: retainGraph},
	}})
}
