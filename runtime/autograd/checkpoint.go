package autograd

import "github.com/torchmem/workbook/runtime/tensor"

// Function is what a checkpoint can run twice: a module, or a [Func].
type Function interface{ Call(x Value) *Tensor }

// Func is a Go function as a Function.
type Func func(x *Tensor) *Tensor

// Call runs the function and keeps a temporary argument alive until it
// returns.
func (f Func) Call(x Value) *Tensor {
	t := ValueOf(x)
	return t.ctx.Borrow(func() *Tensor { return f(t) }, t)
}

// CheckpointOption changes how Checkpoint works.
type CheckpointOption func(*checkpointSettings)

type checkpointSettings struct {
	reentrant   bool
	chosen      bool // whether UseReentrant was given
	preserveRNG bool
	stopsEarly  bool
}

// UseReentrant chooses between the two ways to checkpoint. False is the
// recommended one. Without this option Checkpoint warns and takes true, as
// PyTorch 2.11 does.
func UseReentrant(yes bool) CheckpointOption {
	return func(s *checkpointSettings) { s.reentrant, s.chosen = yes, true }
}

// PreserveRNGState says whether the second run draws the same random numbers
// as the first. It does unless this option says otherwise.
func PreserveRNGState(yes bool) CheckpointOption {
	return func(s *checkpointSettings) { s.preserveRNG = yes }
}

// EarlyStop says whether the second run ends as soon as all that backward
// needs is there. It does unless this option says otherwise. The reentrant way
// always runs to the end.
func EarlyStop(yes bool) CheckpointOption {
	return func(s *checkpointSettings) { s.stopsEarly = yes }
}

const reentrantWarning = "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. Starting in PyTorch 2.9, calling checkpoint without use_reentrant will raise an exception. use_reentrant=False is recommended, but if you need to preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for more details on the differences between the two variants."

const sequentialWarning = "torch.utils.checkpoint.checkpoint_sequential: the use_reentrant parameter should be passed explicitly. In version 2.9 we will raise an exception if use_reentrant is not passed. use_reentrant=False is recommended, but if you need to preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for more details on the differences between the two variants."

// checkpointSettings reads the options. The warning is for those that do not
// say which way to go.
func (c *Context) checkpointSettings(options []CheckpointOption, warning string) checkpointSettings {
	s := checkpointSettings{preserveRNG: true, stopsEarly: true}
	for _, option := range options {
		option(&s)
	}
	if !s.chosen {
		c.warn(warning)
		s.reentrant = true
	}
	return s
}

// Checkpoint runs the function on x and keeps x instead of what the function's
// operators would save. Backward runs the function again to get those tensors
// back. Memory goes down where the function saves more than its input; time
// goes up by one forward pass.
func Checkpoint(f Function, x Value, options ...CheckpointOption) *Tensor {
	t := ValueOf(x)
	t.check()
	s := t.ctx.checkpointSettings(options, reentrantWarning)
	return t.ctx.Borrow(func() *Tensor { return t.ctx.checkpoint(f, t, s) }, t)
}

func (c *Context) checkpoint(f Function, t *Tensor, s checkpointSettings) *Tensor {
	if s.reentrant {
		return c.reentrant(f, t, s)
	}
	return c.recomputing(f, t, s)
}

// CheckpointSequential cuts a chain of functions into segments and runs each
// but the last under a checkpoint. All segments have as many functions as fit
// evenly, and the last has the rest too. As in PyTorch, a negative number makes
// one segment.
func CheckpointSequential(chain []Function, segments int, x Value, options ...CheckpointOption) *Tensor {
	t := ValueOf(x)
	t.check()
	s := t.ctx.checkpointSettings(options, sequentialWarning)
	size := segmentSize(len(chain), segments)
	return t.ctx.Borrow(func() *Tensor {
		for range segments - 1 {
			segment := inOrder(chain[:size])
			chain = chain[size:]
			before := t
			t = t.ctx.Borrow(func() *Tensor { return before.ctx.checkpoint(segment, before, s) }, before)
		}
		return inOrder(chain).Call(t)
	}, t)
}

// segmentSize returns how many functions a segment has. It refuses what
// Python's arithmetic stumbles over.
func segmentSize(functions, segments int) int {
	if segments == 0 {
		panic(&tensor.Error{Kind: "ZeroDivisionError", Text: "integer division or modulo by zero"})
	}
	if segments > functions {
		tensor.RaiseValue("range() arg 3 must not be zero")
	}
	return functions / segments
}

// inOrder is the function that runs the chain.
func inOrder(chain []Function) Func {
	return func(x *Tensor) *Tensor {
		for _, f := range chain {
			x = f.Call(x)
		}
		return x
	}
}

// generators is the state of both devices' random numbers.
type generators struct{ cpu, gpu tensor.Generator }

func (c *Context) generators() generators {
	g := generators{cpu: *c.CPU.Generator()}
	if c.GPU != nil {
		g.gpu = *c.GPU.Generator()
	}
	return g
}

func (c *Context) setGenerators(g generators) {
	*c.CPU.Generator() = g.cpu
	if c.GPU != nil {
		*c.GPU.Generator() = g.gpu
	}
}

// replaying runs the function with the random numbers of an earlier state, if
// one was kept, and puts the present state back.
func (c *Context) replaying(then *generators, f func()) {
	if then == nil {
		f()
		return
	}
	now := c.generators()
	defer c.setGenerators(now)
	c.setGenerators(*then)
	f()
}

// keepGenerators returns the present state, or nil where it is not preserved.
func (c *Context) keepGenerators(s checkpointSettings) *generators {
	if !s.preserveRNG {
		return nil
	}
	g := c.generators()
	return &g
}
