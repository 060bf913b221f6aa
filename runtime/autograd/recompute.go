package autograd

import (
	"fmt"

	"github.com/torchmem/workbook/runtime/tensor"
)

// recomputing is the recommended way to checkpoint. The function runs once and
// is recorded like any other, but each tensor that a node would save is
// replaced by an empty slot. When backward opens the first slot, the function
// runs again and fills all of them; each is emptied as its node is done.
func (c *Context) recomputing(f Function, x *Tensor, s checkpointSettings) *Tensor {
	if !c.gradMode {
		return f.Call(x)
	}
	r := &region{ctx: c, f: f, then: c.keepGenerators(s), stopsEarly: s.stopsEarly, filled: map[*backwardRun]bool{}}
	r.input = c.newNode("a checkpoint, as its input", []*Tensor{x})
	r.input.refs++
	r.users++
	defer r.letGo()
	r.kept = r.input.save(x) // inside another checkpoint this can end its second run
	r.wantsGrad = x.RequiresGrad()
	c.packers = append(c.packers, recording{r})
	defer func() { c.packers = c.packers[:len(c.packers)-1] }()
	return f.Call(x)
}

// region is one checkpointed call. It lives as long as a slot refers to it,
// and keeps the call's input alive.
type region struct {
	ctx        *Context
	f          Function
	input      *Node // holds what is saved of the input
	kept       *Saved
	wantsGrad  bool
	then       *generators
	stopsEarly bool
	slots      []*slot
	users      int
	filled     map[*backwardRun]bool
}

// Holder names the region as an owner.
func (r *region) Holder() string { return "a checkpoint, as a recomputed tensor" }

// letGo counts a user less and releases the input with the last.
func (r *region) letGo() {
	r.users--
	if r.users == 0 {
		r.input.release()
	}
}

// recording replaces what the first run saves by slots.
type recording struct{ *region }

func (r recording) pack(*Tensor) unpacker {
	s := &slot{region: r.region, tensors: map[*backwardRun]*tensor.Tensor{}}
	r.slots = append(r.slots, s)
	r.users++
	return s
}

// slot stands for one saved tensor. For each backward pass it is filled once
// and emptied once.
type slot struct {
	region  *region
	tensors map[*backwardRun]*tensor.Tensor
	gone    bool
}

func (s *slot) unpack() *tensor.Tensor {
	run := s.region.ctx.running
	if !s.region.filled[run] {
		s.region.fill(run)
	}
	t := s.tensors[run]
	if t == nil {
		raiseCheckpoint("Unpack is being triggered for a tensor that was already unpacked once. If you are calling ctx.saved_tensors in backward, make sure to do so only once.")
	}
	delete(s.tensors, run)
	return t.Hand(s.region, tensor.Temporary)
}

func (s *slot) discard() {
	s.gone = true
	for run, t := range s.tensors {
		delete(s.tensors, run)
		t.Release(s.region)
	}
	s.region.letGo()
}

// raiseCheckpoint panics with a CheckpointError, which always has the same
// advice.
func raiseCheckpoint(format string, args ...any) {
	const advice = "\n\nTip: To see a more detailed error message, either pass `debug=True` to\n`torch.utils.checkpoint.checkpoint(...)` or wrap the code block\nwith `with torch.utils.checkpoint.set_checkpoint_debug_enabled(True):` to\nenable checkpoint\u2011debug mode globally.\n"
	panic(&tensor.Error{Kind: "CheckpointError", Text: "torch.utils.checkpoint: " + fmt.Sprintf(format, args...) + advice})
}

// stopRecomputation is the panic that ends a second run early.
type stopRecomputation struct{ *filling }

// fill runs the function again.
func (r *region) fill(run *backwardRun) {
	fill := &filling{region: r, run: run}
	c := r.ctx
	c.packers = append(c.packers, fill)
	depth := len(c.packers)
	mark := c.mark()
	defer func() {
		c.packers = c.packers[:depth-1]
		stopped := recover()
		if stopped != nil && stopped != any(stopRecomputation{fill}) {
			panic(stopped)
		}
		c.dropSince(mark)
		r.filled[run] = true
		if fill.next < len(r.slots) {
			raiseCheckpoint("A different number of tensors was saved during the original forward and recomputation.\nNumber of tensors saved during forward: %d\nNumber of tensors saved during recomputation: %d.", len(r.slots), fill.next)
		}
	}()
	x := r.kept.variable(r.wantsGrad)
	c.replaying(r.then, func() {
		c.EnableGrad(func() { r.f.Call(x).consume() })
	})
}

// filling puts what the second run saves into the slots, in the same order.
type filling struct {
	*region
	run  *backwardRun
	next int
}

func (f *filling) pack(t *Tensor) unpacker {
	i := f.next
	f.next++
	if i >= len(f.slots) {
		raiseCheckpoint("trying to save more tensors during recomputation than during the original forward pass.")
	}
	if s := f.slots[i]; !s.gone {
		s.tensors[f.run] = tensor.Detached(t.raw).Hand(tensor.Temporary, f.region)
	}
	if f.stopsEarly && f.next == len(f.slots) {
		panic(stopRecomputation{f})
	}
	return plain(t)
}

// plain keeps a tensor of the second run as its node would have.
func plain(t *Tensor) unpacker {
	const second = tensor.Role("the second run of a checkpoint")
	return keptPlain{tensor.Detached(t.raw).Hand(tensor.Temporary, second), second}
}

type keptPlain struct {
	raw  *tensor.Tensor
	role tensor.Role
}

func (k keptPlain) unpack() *tensor.Tensor { return again(k.raw) }
func (k keptPlain) discard()               { k.raw.Release(k.role) }
