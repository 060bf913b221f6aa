package tensor

import "slices"

// Cat joins the tensors along a dimension, in which alone they may differ.
func Cat(tensors []*Tensor, d int) *Tensor {
	if len(tensors) == 0 {
		RaiseValue("torch.cat(): expected a non-empty list of Tensors")
	}
	first := tensors[0]
	var list []parameter
	for _, x := range tensors {
		list = append(list, parameter{"tensors", x})
	}
	sameDeviceIn("cat", list...)
	for i, x := range tensors {
		if len(x.shape) == 0 {
			Raise("zero-dimensional tensor (at position %d) cannot be concatenated", i)
		}
	}
	d = first.Dimension(d)
	shape, t := slices.Clone(first.shape), first.dtype
	shape[d] = 0
	for i, x := range tensors {
		checkJoins(first, x, d, i)
		shape[d] += x.shape[d]
		t = promote(first, x)
	}
	out := Empty(first.Device(), t, shape...)
	at := 0
	for _, x := range tensors {
		part := Narrow(out, d, at, at+x.shape[d])
		mapInto(part, "copy", []*Tensor{x})
		part.Drop()
		at += x.shape[d]
	}
	return out
}

// checkJoins refuses the i-th tensor of a list where it does not fit the first.
func checkJoins(first, x *Tensor, d, i int) {
	if len(x.shape) != len(first.shape) {
		Raise("Tensors must have same number of dimensions: got %d and %d", len(first.shape), len(x.shape))
	}
	for j := range x.shape {
		if j != d && x.shape[j] != first.shape[j] {
			Raise("Sizes of tensors must match except in dimension %d. Expected size %d but got size %d for tensor number %d in the list.",
				d, first.shape[j], x.shape[j], i)
		}
	}
}
