package kernels

import "fmt"

// reduce plans a kernel that folds the elements which fall on one element of the
// output. A dimension that the output shows once is folded.
func reduce(l launch) ([]Step, error) {
	in := l.In[0]
	if len(in.Shape) != len(l.Out.Shape) {
		return nil, fmt.Errorf("the input has %d dimensions, and the output %d", len(in.Shape), len(l.Out.Shape))
	}
	if err := l.apart(); err != nil {
		return nil, err
	}
	var kept, folded []int
	for d, n := range in.Shape {
		switch l.Out.Shape[d] {
		case n:
			kept = append(kept, d)
		case 1:
			folded = append(folded, d)
		default:
			return nil, fmt.Errorf("%v does not fold to %v", in.Shape, l.Out.Shape)
		}
	}
	if in.Elements() == 0 && (l.Name == "max" || l.Name == "min") {
		return nil, fmt.Errorf("no element is the largest or the smallest of none")
	}
	source, err := newWindow(in, in.Shape)
	if err != nil {
		return nil, err
	}
	results := group{in.Shape, []window{{addressOf(l.Out), uint64(l.Out.Type), l.Out.Stride}, source}}
	line := group{in.Shape, []window{source}}
	return l.folded(results.picked(kept).ordered().joined(), line.picked(folded).ordered().joined())
}

// folded launches the reduction: one column of threads for each result, and all
// elements of the line for each.
func (l launch) folded(results, line group) ([]Step, error) {
	words, err := results.words()
	if err != nil {
		return nil, err
	}
	more, err := line.words()
	if err != nil {
		return nil, err
	}
	words = append([]uint64{l.number}, append(append(words, more...), l.scalar())...)
	sideBySide := len(line.size) > 0 && results.windows[1].nearer(line.windows[0].stride[0])
	block := columnBlock(results.count(), line.count(), sideBySide)
	return steps("reduce", results.count(), block[0], block, words)
}
