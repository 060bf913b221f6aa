package autograd

import (
	"container/heap"
	"slices"

	"github.com/torchmem/workbook/runtime/tensor"
)

// inFlight holds a gradient on its way between two nodes.
const inFlight = tensor.Role("the backward pass")

// Backward computes the gradients of all leaves that t was made from and adds
// them to their Grad. t must have one element. What the graph saved is
// released on the way; a second Backward then panics with PyTorch's text.
func (t *Tensor) Backward() { t.backward(nil, false) }

// BackwardRetainGraph is Backward with retain_graph=True: the graph keeps what
// it saved.
func (t *Tensor) BackwardRetainGraph() { t.backward(nil, true) }

// BackwardWith is Backward with the gradient of t given, for a t of any shape.
func (t *Tensor) BackwardWith(grad Value) { t.backward(ValueOf(grad), false) }

func (t *Tensor) backward(grad *Tensor, retain bool) {
	t.check()
	borrowed := []Value{t}
	if grad != nil {
		borrowed = append(borrowed, grad)
	}
	t.ctx.Borrow(func() *Tensor {
		if !t.RequiresGrad() {
			tensor.Raise("element 0 of tensors does not require grad and does not have a grad_fn")
		}
		root := t.rootGrad(grad)
		defer root.Drop()
		run := &backwardRun{ctx: t.ctx, retain: retain}
		run.execute(t, root)
		return nil
	}, borrowed...)
}

// rootGrad returns where backward starts: the gradient given, or one.
func (t *Tensor) rootGrad(grad *Tensor) *tensor.Tensor {
	switch {
	case grad == nil && t.raw.Elements() != 1:
		tensor.Raise("grad can be implicitly created only for scalar outputs")
	case grad == nil:
		return tensor.FullLike(t.raw, 1)
	case !slices.Equal(grad.Shape(), t.raw.Shape()):
		tensor.Raise("Mismatch in shape: grad_output[0] has a shape of torch.Size(%s) and output[0] has a shape of torch.Size(%s).",
			tensor.Sizes(grad.Shape()), tensor.Sizes(t.raw.Shape()))
	}
	converted := tensor.Convert(grad.raw, t.raw.DType())
	defer converted.Drop()
	return moved(converted, 0, t.raw.Device())
}

// backwardRun is one pass through the graph. Of the nodes that are ready, the
// one that was recorded last goes first, accumulators before all others, as in
// PyTorch's engine; that order decides which gradients are alive together.
type backwardRun struct {
	ctx     *Context
	retain  bool
	ready   tasks
	pushed  int
	waiting map[*Node]int            // gradients that have yet to come
	partial map[*Node]*tensor.Tensor // what has come so far
	// arrivals are the nodes of partial, in the order of the first gradient.
	arrivals []*Node
}

// task is a node whose gradient is complete. A gradient of nil is none.
type task struct {
	node  *Node
	grad  *tensor.Tensor
	order int
}

func (r *backwardRun) execute(t *Tensor, root *tensor.Tensor) {
	outer, grad, packers := r.ctx.running, r.ctx.gradMode, r.ctx.packers
	r.ctx.running, r.ctx.gradMode, r.ctx.packers = r, false, nil
	defer func() { r.ctx.running, r.ctx.gradMode, r.ctx.packers = outer, grad, packers }()
	defer r.abandon()

	start := t.edge()
	defer start.release()
	r.count(start)
	r.push(start, root.Retain(inFlight))
	for len(r.ready) > 0 {
		r.step(heap.Pop(&r.ready).(task))
	}
}

// count notes how many gradients each node has to wait for.
func (r *backwardRun) count(start *Node) {
	r.waiting = make(map[*Node]int)
	r.partial = make(map[*Node]*tensor.Tensor)
	seen := map[*Node]bool{start: true}
	for todo := []*Node{start}; len(todo) > 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, next := range n.next {
			if next == nil {
				continue
			}
			r.waiting[next]++
			if !seen[next] {
				seen[next] = true
				todo = append(todo, next)
			}
		}
	}
}

// step runs one node and passes its gradients on.
func (r *backwardRun) step(t task) {
	defer t.node.release()
	p := t.node.run(t.grad)
	defer p.drop()
	if !r.retain {
		t.node.releaseSaved()
	}
	for i, next := range t.node.next {
		g := p.grads[i]
		p.grads[i] = nil
		switch {
		case next != nil:
			r.deliver(next, g)
		case g != nil:
			g.Drop()
		}
	}
}

// deliver adds a gradient to what its node waits for, and queues the node when
// it was the last. A gradient of nil is none.
func (r *backwardRun) deliver(next *Node, g *tensor.Tensor) {
	if g != nil {
		r.add(next, g.Hand(tensor.Temporary, inFlight))
	}
	r.waiting[next]--
	if r.waiting[next] == 0 {
		whole := r.partial[next]
		delete(r.partial, next)
		r.push(next, whole)
	}
}

// add adds a gradient to what has come for its node. What was there is changed
// in place where nobody else holds it or its storage.
func (r *backwardRun) add(next *Node, g *tensor.Tensor) {
	old := r.partial[next]
	if old == nil {
		r.partial[next] = g
		r.arrivals = append(r.arrivals, next)
		return
	}
	defer g.Release(inFlight)
	if old.References() == 1 && old.Storage().Tensors() == 1 && old.Dense() {
		tensor.Update2("add", old, g)
		return
	}
	r.partial[next] = tensor.Map2("add", old, g).Hand(tensor.Temporary, inFlight)
	old.Release(inFlight)
}

// push queues a node whose gradient is complete. The queue refers to the node
// until its turn is over.
func (r *backwardRun) push(n *Node, g *tensor.Tensor) {
	n.refs++
	r.pushed++
	heap.Push(&r.ready, task{n, g, r.pushed})
}

// abandon releases the gradients of a pass that raised: of those that wait for
// more, the latest first, as PyTorch's table of them does while it is small.
func (r *backwardRun) abandon() {
	for _, t := range r.ready {
		if t.grad != nil {
			t.grad.Release(inFlight)
		}
		t.node.release()
	}
	for _, n := range slices.Backward(r.arrivals) {
		if g := r.partial[n]; g != nil {
			delete(r.partial, n)
			g.Release(inFlight)
		}
	}
}

// tasks is a heap of ready nodes.
type tasks []task

func (q tasks) Len() int      { return len(q) }
func (q tasks) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *tasks) Push(x any)   { *q = append(*q, x.(task)) }
func (q tasks) Less(i, j int) bool {
	if q[i].node.sequence != q[j].node.sequence {
		return q[i].node.sequence > q[j].node.sequence
	}
	return q[i].order < q[j].order
}

func (q *tasks) Pop() any {
	last := len(*q) - 1
	t := (*q)[last]
	*q = (*q)[:last]
	return t
}
