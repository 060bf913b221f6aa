package kernels

import "fmt"

// nllLoss plans the loss of a classifier: a table of logarithms, and the class
// of each row.
func nllLoss(l launch) ([]Step, error) {
	if err := l.apart(); err != nil {
		return nil, err
	}
	out, err := newGroup([]int{1}, l.Out)
	if err != nil {
		return nil, err
	}
	table, err := asTable(l.In[0], l.In[1])
	if err != nil {
		return nil, err
	}
	x, target := table.windows[0], table.windows[1]
	form := group{windows: append(out.windows, table.windows...)}.form()
	words := append(wordsOf(table.size...), form, out.windows[0].first)
	words = append(append(words, x.first), wordsOf(x.stride...)...)
	words = append(words, target.first, uint64(target.stride[0]))
	return steps("nll_loss", 1, 1, columnBlock(1, table.size[0], false), words)
}

// nllLossBackward plans its gradient.
func nllLossBackward(l launch) ([]Step, error) {
	if err := l.apart(); err != nil {
		return nil, err
	}
	slope, err := newGroup([]int{1}, l.In[0])
	if err != nil {
		return nil, err
	}
	table, err := asTable(l.Out, l.In[1])
	if err != nil {
		return nil, err
	}
	out, target := table.windows[0], table.windows[1]
	form := group{windows: []window{out, slope.windows[0], target}}.form()
	words := append(wordsOf(table.size...), form, out.first)
	words = append(append(words, wordsOf(out.stride...)...), slope.windows[0].first)
	words = append(words, target.first, uint64(target.stride[0]))
	return steps("nll_loss_backward", table.count(), threads, [3]int{threads, 1, 1}, words)
}

// asTable shows the first operand with one row for each element of the second.
// The second has the stride of its elements first.
func asTable(x, target operand) (group, error) {
	samples := target.Elements()
	if x.Elements()%max(samples, 1) != 0 {
		return group{}, fmt.Errorf("%d elements are no table of %d rows", x.Elements(), samples)
	}
	table, err := newGroup([]int{samples, x.Elements() / max(samples, 1)}, x)
	if err != nil {
		return table, err
	}
	classes, err := newWindow(target, []int{samples})
	table.windows = append(table.windows, classes)
	return table, err
}
