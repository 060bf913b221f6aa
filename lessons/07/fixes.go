package main

import (
	"fmt"

	"github.com/torchmem/workbook/lessons/lesson"
	"github.com/torchmem/workbook/runtime/torch"
)

// detachOutputs keeps outputs without their graphs.
func detachOutputs(torch *torch.Torch, show *lesson.Show) {
	model := torch.NN.Linear(1000, 1000).Cuda()
	show.Labelled("model", "model = torch.nn.Linear(1000, 1000).cuda()")
	outs, x := torch.List("outs"), torch.Var("x")
	for i := range 10 {
		x.Set(torch.Randn(1000, 1000).Cuda())
		outs.Append(model.Call(x).Detach())
		show.Labelled(fmt.Sprintf("%d append detach", i), fmt.Sprintf("outs.append(model(x).detach())  # %d", i))
	}
}

// outputsToCPU keeps them on the CPU, where there is room.
func outputsToCPU(torch *torch.Torch, show *lesson.Show) {
	model := torch.NN.Linear(1000, 1000).Cuda()
	show.Labelled("model", "model = torch.nn.Linear(1000, 1000).cuda()")
	outs, x := torch.List("outs"), torch.Var("x")
	for i := range 10 {
		x.Set(torch.Randn(1000, 1000).Cuda())
		outs.Append(model.Call(x).Detach().CPU())
		show.Labelled(fmt.Sprintf("%d append cpu", i), fmt.Sprintf("outs.append(model(x).detach().cpu())  # %d", i))
	}
}

// lossItem adds numbers up instead of tensors.
func lossItem(torch *torch.Torch, show *lesson.Show) {
	model := torch.NN.Linear(1000, 1000).Cuda()
	show.Labelled("model", "model = torch.nn.Linear(1000, 1000).cuda()")
	total, loss, x := number(0), torch.Var("loss"), torch.Var("x")
	for i := range 10 {
		x.Set(torch.Randn(1000, 1000).Cuda())
		loss.Set(model.Call(x).Sum())
		total = total.Plus(loss.Item())
		show.Labelled(fmt.Sprintf("%d total += loss.item()", i), fmt.Sprintf("total += loss.item()  # %d", i))
	}
}

// hiddenDetach carries the state on without its past.
func hiddenDetach(torch *torch.Torch, show *lesson.Show) {
	cell := torch.NN.Linear(1000, 1000).Cuda()
	show.Labelled("cell", "cell = torch.nn.Linear(1000, 1000).cuda()")
	h := torch.Let("h", torch.Zeros(1000, 1000).Cuda())
	show.Labelled("h = zeros", "h = torch.zeros(1000, 1000).cuda()")
	for i := range 10 {
		h.Set(cell.Call(h).Tanh().Detach())
		show.Labelled(fmt.Sprintf("%d h = tanh(cell(h)).detach()", i), fmt.Sprintf("h = torch.tanh(cell(h)).detach()  # %d", i))
	}
}

// viewClone keeps a row by copying it.
func viewClone(torch *torch.Torch, show *lesson.Show) {
	rows, x := torch.List("rows"), torch.Var("x")
	for i := range 10 {
		x.Set(torch.Randn(1000, 1000).Cuda())
		rows.Append(x.Index(0).Clone())
		show.Labelled(fmt.Sprintf("%d append x[0].clone()", i), fmt.Sprintf("rows.append(x[0].clone())  # %d", i))
	}
	x.Del()
	show.Statement("del x")
}

// hookNumber watches a gradient and keeps one number of it.
func hookNumber(torch *torch.Torch, show *lesson.Show) {
	model := torch.NN.Linear(1000, 1000).Cuda()
	show.Labelled("model", "model = torch.nn.Linear(1000, 1000).cuda()")
	x, output := torch.Var("x"), torch.Var("output")
	var sums numbers
	for i := range 5 {
		x.Set(torch.Randn(1000, 1000).Cuda())
		output.Set(model.Call(x))
		output.RegisterHook(sums.keepSum)
		show.Labelled(fmt.Sprintf("%d output", i), fmt.Sprintf("output.register_hook(keep_sum)  # %d", i))
		output.Relu().Sum().Backward()
		show.Labelled(fmt.Sprintf("%d backward", i), "output.relu().sum().backward()")
		model.ZeroGrad()
		show.Labelled(fmt.Sprintf("%d zero_grad", i), "model.zero_grad()")
	}
}
