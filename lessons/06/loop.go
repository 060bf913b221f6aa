package main

import (
	"fmt"

	"github.com/torchmem/workbook/lessons/lesson"
	"github.com/torchmem/workbook/runtime/torch"
)

// loop is the tutorial's leak: a thousand rounds that forget to delete x.
func loop(torch *torch.Torch, show *lesson.Show) {
	model := torch.NN.Linear(1000, 1000).Cuda()
	show.Labelled("model", "model = torch.nn.Linear(1000, 1000).cuda()")

	x, output := torch.Var("x"), torch.Var("output")
	for i := range 1000 {
		shown := i < 5 || i >= 998
		x.Set(torch.Randn(1000, 1000).Cuda())
		if shown {
			show.Labelled(fmt.Sprintf("%d x", i), fmt.Sprintf("x = torch.randn(1000, 1000).cuda()  # %d", i))
		}
		output.Set(model.Call(x))
		if shown {
			show.Labelled(fmt.Sprintf("%d output", i), "output = model(x)")
		}
	}
}
