// Lesson 03: empty_cache gives memory back to the driver, for other processes.
// It matters when a second program shares the GPU, and hardly ever otherwise.
package main

import (
	_ "embed"

	"github.com/torchmem/workbook/lessons/lesson"
	"github.com/torchmem/workbook/runtime/torch"
)

//go:embed lesson.md
var prose string

func main() {
	lesson.Main(lesson.Lesson{Number: "03", Prose: prose, Programs: []lesson.Program{
		{Name: "s22_empty_cache", Run: emptyCache},
		{Name: "s22_empty_cache_pinned_by_live", Run: pinned},
		{Name: "frag", Run: fragmented},
		{Name: "oom", Run: outOfMemory},
	}})
}

// emptyCache is the tutorial's program.
func emptyCache(torch *torch.Torch, show *lesson.Show) {
	show.Labelled("start", "import torch")
	x := torch.Let("x", torch.Randn(1000, 1000).Cuda())
	show.Labelled("x", "x = torch.randn(1000, 1000).cuda()")
	x.Del()
	show.Statement("del x")
	torch.Cuda.EmptyCache()
	show.Labelled("empty_cache", "torch.cuda.empty_cache()")
}

// pinned leaves one tensor of three alive.
func pinned(torch *torch.Torch, show *lesson.Show) {
	cuda := torch.Cuda
	a := torch.Let("a", cuda.Empty(1000, 1000))
	b := torch.Let("b", cuda.Empty(1000, 1000))
	c := torch.Let("c", cuda.Empty(1000, 1000))
	show.Labelled("abc", `a, b, c = (torch.empty(1000, 1000, device="cuda") for _ in "abc")`)
	before := show.Moment("with a, b and c")

	// All three lie in one segment. One of them is enough to pin it.
	torch.Del(a, c)
	show.Labelled("del a c", "del a, c")
	cuda.EmptyCache()
	show.Labelled("empty_cache", "torch.cuda.empty_cache()")
	show.Compare("what one tensor keeps", before, show.Moment("with b alone, and the cache emptied"))

	b.Del()
	cuda.EmptyCache()
	show.Labelled("del b empty_cache", "del b; torch.cuda.empty_cache()")
}

// fragmented frees every other tensor of many.
func fragmented(torch *torch.Torch, show *lesson.Show) {
	cuda := torch.Cuda
	t := torch.List("t")
	for range 64 {
		t.Append(cuda.EmptyUint8(3 << 20))
	}
	show.Labelled("64 x 3MiB", "t = [empty(3 MiB) for _ in range(64)]")
	before := show.Moment("with 64 tensors")

	// Half of the bytes are free now, and every segment still holds a
	// tensor: not one can go back.
	for i := 0; i < t.Len(); i += 2 {
		t.None(i)
	}
	show.Labelled("free every other", "t[::2] = [None] * 32")
	cuda.EmptyCache()
	show.Labelled("empty_cache", "torch.cuda.empty_cache()")
	show.Compare("half of the tensors, all of the segments", before, show.Moment("with 32, and the cache emptied"))

	// The freed pieces are 3 MiB each. Neither request fits into one; the
	// smaller finds the unused end of a segment.
	torch.Let("b", cuda.EmptyUint8(64<<20))
	show.Labelled("64 MiB", "b = empty(64 MiB)")
	torch.Let("c", cuda.EmptyUint8(6<<20))
	show.Labelled("6 MiB", "c = empty(6 MiB)")
}
