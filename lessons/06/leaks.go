package main

import (
	"fmt"

	"github.com/torchmem/workbook/lessons/lesson"
	"github.com/torchmem/workbook/runtime/torch"
)

// leakList keeps every output. Each has a graph, and the graph has the input.
func leakList(torch *torch.Torch, show *lesson.Show) {
	model := torch.NN.Linear(1000, 1000).Cuda()
	show.Labelled("model", "model = torch.nn.Linear(1000, 1000).cuda()")

	outs, x := torch.List("outs"), torch.Var("x")
	for i := range 10 {
		x.Set(torch.Randn(1000, 1000).Cuda())
		outs.Append(model.Call(x))
		show.Labelled(fmt.Sprintf("%d append", i), fmt.Sprintf("outs.append(model(x))  # %d", i))
	}

	before := show.Moment("ten outputs, each with its graph")
	// Detaching lets the graphs go, and the inputs with them. The outputs
	// themselves stay until the list lets go.
	outs.Map(detach)
	show.Labelled("detach all", "outs = [o.detach() for o in outs]")
	show.Compare("what the graphs keep", before, show.Moment("ten outputs, detached"))
	outs.Clear()
	show.Labelled("clear", "outs.clear()")
	x.Del()
	show.Statement("del x")
}

// leakLoss adds losses up. The sum is a tensor whose graph reaches every round.
func leakLoss(torch *torch.Torch, show *lesson.Show) {
	model := torch.NN.Linear(1000, 1000).Cuda()
	show.Labelled("model", "model = torch.nn.Linear(1000, 1000).cuda()")

	total, loss, x := torch.Let("total", torch.Scalar(0)), torch.Var("loss"), torch.Var("x")
	for i := range 10 {
		x.Set(torch.Randn(1000, 1000).Cuda())
		loss.Set(model.Call(x).Sum())
		total.Set(total.Add(loss))
		show.Labelled(fmt.Sprintf("%d total = total + loss", i), fmt.Sprintf("total = total + loss  # %d", i))
	}
	total.Del()
	show.Statement("del total")
	loss.Del()
	show.Statement("del loss")
	x.Del()
	show.Statement("del x")
}

// leakHidden carries a state from round to round, with its whole past.
func leakHidden(torch *torch.Torch, show *lesson.Show) {
	cell := torch.NN.Linear(1000, 1000).Cuda()
	show.Labelled("cell", "cell = torch.nn.Linear(1000, 1000).cuda()")
	h := torch.Let("h", torch.Zeros(1000, 1000).Cuda())
	show.Labelled("h = zeros", "h = torch.zeros(1000, 1000).cuda()")
	for i := range 10 {
		h.Set(cell.Call(h).Tanh())
		show.Labelled(fmt.Sprintf("%d h = tanh(cell(h))", i), fmt.Sprintf("h = torch.tanh(cell(h))  # %d", i))
	}

	// One detach, and the past is gone.
	h.Set(h.Detach())
	show.Statement("h = h.detach()")
	h.Del()
	show.Statement("del h")
}

// leakView keeps one row of each matrix, and so each matrix.
func leakView(torch *torch.Torch, show *lesson.Show) {
	rows, x := torch.List("rows"), torch.Var("x")
	for i := range 10 {
		x.Set(torch.Randn(1000, 1000).Cuda())
		rows.Append(x.Index(0))
		show.Labelled(fmt.Sprintf("%d append x[0]", i), fmt.Sprintf("rows.append(x[0])  # %d", i))
	}
	x.Del()
	show.Statement("del x")

	rows.Map(clone)
	show.Labelled("clone all", "rows = [r.clone() for r in rows]")
	torch.Cuda.EmptyCache()
	show.Labelled("empty_cache", "torch.cuda.empty_cache()")
	rows.Clear()
	show.Labelled("clear", "rows.clear()")
}
