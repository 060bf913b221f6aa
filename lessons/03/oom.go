package main

import (
	"github.com/torchmem/workbook/lessons/lesson"
	"github.com/torchmem/workbook/runtime/torch"
)

// outOfMemory runs into a limit of 1 GiB.
func outOfMemory(torch *torch.Torch, show *lesson.Show) {
	cuda := torch.Cuda
	fraction := float64(1<<30) / float64(cuda.TotalMemory())
	if err := cuda.SetPerProcessMemoryFraction(fraction); err != nil {
		panic(err)
	}
	show.Labelled("limit 1GiB", "set_per_process_memory_fraction(1 GiB)")
	a := torch.Let("a", cuda.EmptyUint8(600<<20))
	show.Labelled("600MiB", "a = empty(600 MiB)")

	// There is no room for a second one. Before the allocator says so it
	// empties its cache by itself, and finds nothing.
	b := torch.Var("b")
	err := torch.Try(func() { b.Set(cuda.EmptyUint8(600 << 20)) })
	show.Text("oom", "OutOfMemoryError", err.Error())
	show.Labelled("oom", "b = empty(600 MiB)  # raises")

	// Now the cache holds 600 MiB that do not fit a request of 700. Nobody
	// calls empty_cache, and the request succeeds all the same.
	a.Del()
	show.Statement("del a")
	b.Set(cuda.EmptyUint8(700 << 20))
	show.Labelled("700MiB after retry", "b = empty(700 MiB)")
	b.Del()
	cuda.EmptyCache()
	show.Labelled("end", "del b; torch.cuda.empty_cache()")
}
