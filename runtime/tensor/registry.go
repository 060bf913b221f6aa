package tensor

// Registry lists the tensors that are alive, oldest first.
type Registry struct {
	first, last *Tensor
	count       int
}

// Count returns the number of live tensors.
func (r *Registry) Count() int { return r.count }

// Tensors returns the live tensors, oldest first.
func (r *Registry) Tensors() []*Tensor {
	all := make([]*Tensor, 0, r.count)
	for x := r.first; x != nil; x = x.next {
		all = append(all, x)
	}
	return all
}

func (r *Registry) add(x *Tensor) {
	x.prev = r.last
	if r.last == nil {
		r.first = x
	} else {
		r.last.next = x
	}
	r.last = x
	r.count++
}

func (r *Registry) remove(x *Tensor) {
	if x.prev == nil {
		r.first = x.next
	} else {
		x.prev.next = x.next
	}
	if x.next == nil {
		r.last = x.prev
	} else {
		x.next.prev = x.prev
	}
	x.prev, x.next = nil, nil
	r.count--
}
