package kernels

import (
	"fmt"
	"math"
)

// rows plans a kernel that works on all elements along the last dimension and
// writes as many.
func rows(l launch) ([]Step, error) {
	if err := l.apart(); err != nil {
		return nil, err
	}
	shape := l.Out.Shape
	if len(shape) == 0 {
		shape = []int{1}
	}
	g, err := newGroup(shape, append([]operand{l.Out}, l.In...)...)
	if err != nil {
		return nil, err
	}
	if l.Name == "layer_norm_backward" && len(l.In) == 4 { // no weight is a weight of one
		g.windows = append(g.windows, window{math.Float64bits(1), number, make([]int, len(shape))})
	}
	return l.alongRows(g)
}

// moments plans a kernel that writes one number for each row.
func moments(l launch) ([]Step, error) {
	if err := l.apart(); err != nil {
		return nil, err
	}
	shape := l.In[0].Shape
	if len(shape) == 0 {
		shape = []int{1}
	}
	last := len(shape) - 1
	in, err := newWindow(l.In[0], shape)
	if err != nil {
		return nil, err
	}
	out, err := newWindow(l.Out, shape[:last])
	if err != nil {
		return nil, err
	}
	out.stride = append(append([]int{}, out.stride...), 0)
	return l.alongRows(group{shape, []window{out, in}})
}

// alongRows launches one column of threads for each row. The last dimension of
// the group is the row.
func (l launch) alongRows(g group) ([]Step, error) {
	last := len(g.size) - 1
	length, rows := g.size[last], group{size: g.size[:last]}
	for _, w := range g.windows {
		rows.windows = append(rows.windows, window{w.first, w.kind, w.stride[:last]})
	}
	rows = rows.ordered().joined()
	words, err := rows.shapeWords()
	if err != nil {
		return nil, err
	}
	words = append(words, uint64(length))
	for i, w := range g.windows {
		words = append(append(words, rows.operandWords(i)...), uint64(w.stride[last]))
	}
	function := "layer_norm_backward"
	switch len(g.windows) {
	case 2:
		function = "rows1"
		words = append([]uint64{l.number}, append(words, l.scalar())...)
	case 3:
		function = "rows2"
		words = append([]uint64{l.number}, words...)
	}
	sideBySide := rows.windows[1].nearer(g.windows[1].stride[last])
	block := columnBlock(rows.count(), length, sideBySide)
	return steps(function, rows.count(), block[0], block, words)
}

// normWeight plans the gradient of a layer norm's weight: the inputs are tables
// of one row after the other, and the output has an element for each column.
func normWeight(l launch) ([]Step, error) {
	if err := l.apart(); err != nil {
		return nil, err
	}
	columns := l.Out.Elements()
	if l.In[0].Elements()%columns != 0 {
		return nil, fmt.Errorf("%d elements are not rows of %d", l.In[0].Elements(), columns)
	}
	out, err := newGroup([]int{columns}, l.Out)
	if err != nil {
		return nil, err
	}
	in, err := newGroup([]int{l.In[0].Elements() / columns, columns}, l.In...)
	if err != nil {
		return nil, err
	}
	form := group{windows: append(out.windows, in.windows...)}.form()
	words := append(wordsOf(in.size...), form, out.windows[0].first, uint64(out.windows[0].stride[0]))
	for _, w := range in.windows {
		words = append(append(words, w.first), wordsOf(w.stride...)...)
	}
	block := columnBlock(columns, in.size[0], in.windows[0].stride[1] != 0)
	return steps("layer_norm_weight", columns, block[0], block, words)
}
