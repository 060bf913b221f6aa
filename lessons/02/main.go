// Lesson 02: memory is released by itself, when the last reference to it goes.
// It matters whenever a program should have room again and has not: something
// still refers to the tensor.
package main

import (
	_ "embed"

	"github.com/torchmem/workbook/lessons/lesson"
	"github.com/torchmem/workbook/runtime/torch"
)

//go:embed lesson.md
var prose string

func main() {
	lesson.Main(lesson.Lesson{Number: "02", Prose: prose, Programs: []lesson.Program{
		{Name: "s21_del", Run: del},
		{Name: "s21_two_refs", Run: twoReferences},
		{Name: "s21_rebind", Run: rebind},
		{Name: "s21_views", Run: views},
		{Name: "s21_rebind_loop", Run: rebindInLoop},
	}})
}

// del is the tutorial's program.
func del(torch *torch.Torch, show *lesson.Show) {
	show.Labelled("start", "import torch")
	x := torch.Let("x", torch.Randn(1000, 1000).Cuda())
	show.Labelled("x = randn(1000,1000).cuda()", "x = torch.randn(1000, 1000).cuda()")
	x.Del()
	show.Statement("del x")
}

// twoReferences deletes one name of a tensor that has two.
func twoReferences(torch *torch.Torch, show *lesson.Show) {
	x := torch.Let("x", torch.Randn(1000, 1000).Cuda())
	y := torch.Let("y", x)
	show.Labelled("y = x", "x = torch.randn(1000, 1000).cuda(); y = x")

	// The tensor has lost a name, not its last one.
	x.Del()
	show.Statement("del x")
	y.Del()
	show.Statement("del y")
}

// rebind gives one name a new tensor, again and again.
func rebind(torch *torch.Torch, show *lesson.Show) {
	x := torch.Let("x", torch.Randn(1000, 1000).Cuda())
	show.Labelled("x", "x = torch.randn(1000, 1000).cuda()")

	// The right side is there before the name lets the old tensor go: for
	// a moment there are two. The peak shows it.
	x.Set(torch.Randn(1000, 1000).Cuda())
	show.Labelled("x rebound", "x = torch.randn(1000, 1000).cuda()")
	x.Set(x.Add(1))
	show.Statement("x = x + 1")

	// This one changes the tensor where it lies.
	x.Add_(1)
	show.Statement("x += 1")
	x.None()
	show.Statement("x = None")
}

// views keeps one row of a matrix.
func views(torch *torch.Torch, show *lesson.Show) {
	x := torch.Let("x", torch.Randn(1000, 1000).Cuda())
	v := torch.Let("v", x.Index(0))
	show.Statement("v = x[0]")

	// The row is a view: it keeps all of the matrix.
	x.Del()
	show.Statement("del x")

	// A clone has memory of its own, so the matrix can go.
	w := torch.Let("w", v.Clone())
	show.Statement("w = v.clone()")
	show.Map("while v and w are alive")
	v.Del()
	show.Statement("del v")
	w.Del()
	show.Statement("del w")
}
