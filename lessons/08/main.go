// Lesson 08: reading memory_summary, the table that PyTorch prints of itself.
// It is where to look first when the numbers of a program surprise.
package main

import (
	_ "embed"
	"fmt"

	"github.com/torchmem/workbook/lessons/lesson"
	"github.com/torchmem/workbook/runtime/torch"
)

//go:embed lesson.md
var prose string

func main() {
	lesson.Main(lesson.Lesson{Number: "08", Prose: prose, Programs: []lesson.Program{
		{Name: "summary", Run: summary},
		{Name: "ex1_loop_many", Run: manyTensors},
	}})
}

// summary prints the table after one tensor has gone and one has stayed.
func summary(torch *torch.Torch, show *lesson.Show) {
	cuda := torch.Cuda
	x := torch.Let("x", torch.Randn(1000, 1000).Cuda())
	torch.Let("y", cuda.Empty(100))
	x.Del()
	show.Text("summary", "torch.cuda.memory_summary()", cuda.MemorySummary())
	show.Text("summary_abbr", "torch.cuda.memory_summary(abbreviated=True)", cuda.MemorySummaryAbbreviated())
	show.Labelled("end", "x = randn(1000, 1000).cuda(); y = empty(100); del x")
}

// manyTensors is the tutorial's first exercise.
func manyTensors(torch *torch.Torch, show *lesson.Show) {
	cuda := torch.Cuda
	ts := torch.List("ts")
	for i := range 100 {
		ts.Append(torch.Randn(1000, 1000).Cuda())
		if i%10 == 9 {
			show.Labelled(fmt.Sprintf("%d tensors", i+1), fmt.Sprintf("ts.append(randn(1000, 1000).cuda())  # %d", i+1))
		}
	}
	show.Text("summary_full", "torch.cuda.memory_summary() with 100 tensors", cuda.MemorySummary())

	ts.Clear()
	show.Labelled("clear", "ts.clear()")
	show.Text("summary_cleared", "torch.cuda.memory_summary() after ts.clear()", cuda.MemorySummary())
	cuda.EmptyCache()
	show.Text("summary_empty", "torch.cuda.memory_summary() after empty_cache()", cuda.MemorySummary())
	show.Labelled("empty_cache", "torch.cuda.empty_cache()")
}
