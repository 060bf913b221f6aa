// Lesson 01: what memory management is. A GPU has two owners of its memory, and
// every lesson after this one watches both: tensors hold allocated bytes, the
// allocator holds reserved ones.
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
	lesson.Main(lesson.Lesson{Number: "01", Prose: prose, Programs: []lesson.Program{
		{Name: "s21_del", Run: twoOwners},
		{Name: "s22_sizes", Run: sizes},
	}})
}

// twoOwners follows one tensor from birth to death.
func twoOwners(torch *torch.Torch, show *lesson.Show) {
	show.Labelled("start", "import torch")

	// The tensor is made on the CPU and copied. The copy is the first
	// thing that the GPU has to hold.
	x := torch.Let("x", torch.Randn(1000, 1000).Cuda())
	show.Labelled("x = randn(1000,1000).cuda()", "x = torch.randn(1000, 1000).cuda()")

	// The tensor goes. What the allocator reserved for it stays.
	x.Del()
	show.Statement("del x")
}

// sizes asks for ten sizes, one after the other, and gives each back.
func sizes(torch *torch.Torch, show *lesson.Show) {
	cuda := torch.Cuda
	show.Labelled("start", "import torch")

	// Most sizes are the last that a rule applies to, or the first that it
	// does not. An element of a float32 tensor has 4 bytes.
	x := torch.Var("x")
	for _, n := range []int{1, 128, 129, 1000, 262144, 262145, 2621440, 2621441, 5000000, 10000000} {
		x.Set(cuda.Empty(n))
		show.Labelled(fmt.Sprintf("empty(%d) f32", n), fmt.Sprintf(`x = torch.empty(%d, device="cuda")`, n))
		x.Del()
		show.Labelled(fmt.Sprintf("del empty(%d)", n), "del x")
	}

	// Nothing is allocated any more, so everything can go back.
	cuda.EmptyCache()
	show.Labelled("empty_cache", "torch.cuda.empty_cache()")
}
