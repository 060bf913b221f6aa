// Lesson 07: each leak has its fix, and none of them is empty_cache. It is the
// lesson to read before a training loop goes into a loop of its own.
package main

import (
	_ "embed"

	"github.com/torchmem/workbook/lessons/lesson"
)

//go:embed lesson.md
var prose string

func main() {
	lesson.Main(lesson.Lesson{Number: "07", Prose: prose, Programs: []lesson.Program{
		{Name: "s42_loop", Run: loop},
		{Name: "s42_loop_del_both", Run: loopDelBoth},
		{Name: "s41_leak_detach", Run: detachOutputs},
		{Name: "s41_leak_cpu", Run: outputsToCPU},
		{Name: "s41_leak_loss_item", Run: lossItem},
		{Name: "s42_hidden_detach", Run: hiddenDetach},
		{Name: "s42_view_clone", Run: viewClone},
		{Name: "s42_hook_norm", Run: hookNumber},
	}})
}
