package autograd

import (
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/tensor"
)

// Context is the state of one program: its devices, whether operators are
// recorded, and the tensors that are alive. Programs share nothing.
type Context struct {
	CPU, GPU *tensor.Device
	// Live lists every tensor that is alive on either device.
	Live *tensor.Registry
	// Warn receives what PyTorch would print as a warning. It may be nil.
	Warn func(text string)

	gradMode    bool
	inference   bool
	sequence    uint64
	packers     []packer
	temporaries []*Tensor // in the order of their making; nil where one ended
	floated     int       // how many there have been
	running     *backwardRun
}

// NewContext returns a program's state on the two devices. The GPU may be nil.
func NewContext(live *tensor.Registry, cpu, gpu *tensor.Device) *Context {
	return &Context{CPU: cpu, GPU: gpu, Live: live, gradMode: true}
}

// Wrap makes a leaf of a raw tensor that the holder Temporary keeps. The leaf
// is a temporary.
func (c *Context) Wrap(raw *tensor.Tensor) *Tensor {
	t := &Tensor{ctx: c, raw: raw, inference: c.inference}
	raw.Attach(t)
	return t.float()
}

// Full returns a CPU tensor of one number.
func (c *Context) Full(number float64, shape ...int) *Tensor {
	return c.Wrap(tensor.Full(c.CPU, gpu.Float32, number, shape...))
}

// Borrow keeps the arguments of a call alive while it runs, as the caller's
// stack does in Python, and ends the temporaries among them afterwards, unless
// one of them is what the call returns.
func (c *Context) Borrow(f func() *Tensor, args ...Value) (result *Tensor) {
	const argument = tensor.Role("a call that is running, as its argument")
	var held []*Tensor
	defer func() {
		for _, t := range held {
			if t == result {
				t.raw.Hand(argument, tensor.Temporary)
				t.float()
				continue
			}
			t.Disown(argument)
		}
	}()
	for _, a := range args {
		if t := ValueOf(a); t.temporary {
			held = append(held, t.Own(argument))
		}
	}
	return f()
}

// MustOwn refuses a tensor of another program: programs share nothing.
func (c *Context) MustOwn(t *Tensor) {
	if t.ctx != c {
		tensor.Raise("%s belongs to another program", t)
	}
}

// NeedGPU returns the GPU and panics where there is none.
func (c *Context) NeedGPU() *tensor.Device {
	if c.GPU == nil {
		tensor.Raise("No CUDA GPUs are available")
	}
	return c.GPU
}

// InBackward reports whether a backward pass is running.
func (c *Context) InBackward() bool { return c.running != nil }

// warn passes a warning on.
func (c *Context) warn(text string) {
	if c.Warn != nil {
		c.Warn(text)
	}
}
