package main

import (
	"fmt"

	"github.com/torchmem/workbook/lessons/lesson"
	"github.com/torchmem/workbook/runtime/torch"
)

// rebindInLoop makes a larger tensor in each round, first without del at the
// end of the round, then with it.
func rebindInLoop(torch *torch.Torch, show *lesson.Show) {
	x := torch.Var("x")
	for i := range 10 {
		x.Set(torch.Ones(1000, 1000, i+1).Cuda())
		show.Labelled(fmt.Sprintf("%d x", i), fmt.Sprintf("x = torch.ones(1000, 1000, %d).cuda()", i+1))
	}
	x.Del()
	show.Statement("del x")

	torch.Cuda.EmptyCache()
	torch.Cuda.ResetPeakMemoryStats()
	show.Labelled("empty_cache reset_peak", "empty_cache(); reset_peak_memory_stats()")

	for i := range 10 {
		x.Set(torch.Ones(1000, 1000, i+1).Cuda())
		show.Labelled(fmt.Sprintf("%d x again", i), fmt.Sprintf("x = torch.ones(1000, 1000, %d).cuda()", i+1))
		x.Del()
		show.Labelled(fmt.Sprintf("%d del x", i), "del x")
	}
}
