package main

import (
	"fmt"

	"github.com/torchmem/workbook/lessons/lesson"
	"github.com/torchmem/workbook/runtime/torch"
)

// loop is the tutorial's fix: del and empty_cache in each of a thousand rounds.
func loop(torch *torch.Torch, show *lesson.Show) {
	model := torch.NN.Linear(1000, 1000).Cuda()
	show.Labelled("model", "model = torch.nn.Linear(1000, 1000).cuda()")

	x, output := torch.Var("x"), torch.Var("output")
	before := show.Moment("")
	for i := range 1000 {
		shown := func(label, statement string) {
			if i < 5 || i >= 998 {
				show.Labelled(fmt.Sprintf("%d %s", i, label), statement)
			}
		}
		x.Set(torch.Randn(1000, 1000).Cuda())
		shown("x", fmt.Sprintf("x = torch.randn(1000, 1000).cuda()  # %d", i))
		output.Set(model.Call(x))
		shown("output", "output = model(x)")
		before = show.Moment("before del x")
		x.Del()
		shown("del x", "del x")
		torch.Cuda.EmptyCache()
		shown("empty_cache", "torch.cuda.empty_cache()")
	}
	show.Compare("who holds the input in the last round", before, show.Moment("after del x and empty_cache"))
}

// loopDelBoth deletes the output too. Now the graph goes, and the input with
// it.
func loopDelBoth(torch *torch.Torch, show *lesson.Show) {
	model := torch.NN.Linear(1000, 1000).Cuda()
	show.Labelled("model", "model = torch.nn.Linear(1000, 1000).cuda()")

	x, output := torch.Var("x"), torch.Var("output")
	before := show.Moment("")
	for i := range 5 {
		x.Set(torch.Randn(1000, 1000).Cuda())
		show.Labelled(fmt.Sprintf("%d x", i), fmt.Sprintf("x = torch.randn(1000, 1000).cuda()  # %d", i))
		output.Set(model.Call(x))
		show.Labelled(fmt.Sprintf("%d output", i), "output = model(x)")
		before = show.Moment("before del x, output")
		torch.Del(x, output)
		show.Labelled(fmt.Sprintf("%d del x output", i), "del x, output")
		torch.Cuda.EmptyCache()
		show.Labelled(fmt.Sprintf("%d empty_cache", i), "torch.cuda.empty_cache()")
	}
	show.Compare("what goes in the last round", before, show.Moment("after del x, output"))
}
