// Package torch has the names that lessons use, spelled as PyTorch spells
// them.
//
// A [Torch] is one program on one device: its variables, lists, modules and
// tensors, and the counters of the allocator. Programs share nothing, so each
// starts with an empty GPU, as a Python script does. Lessons call it torch, and
// then a line of a lesson reads like the line of Python that it mirrors:
//
//	x := torch.Let("x", torch.Randn(1000, 1000).Cuda()) // x = torch.randn(1000, 1000).cuda()
//	x.Set(x.Add(1))                                     // x = x + 1
//	x.Del()                                             // del x
//
// # Names
//
// A [Var] is a Python variable: it holds one reference. Set evaluates the right
// side first and only then drops the old value; for that moment both exist. A
// tensor that no variable, list or module holds is a temporary and dies when
// the call that uses it returns.
//
// # Errors
//
// What Python raises, this package panics with: a [NameError] for a deleted
// name, a tensor.Error for shapes that do not fit, the allocator's
// OutOfMemoryError. [Torch.Try] is Python's try: it returns the out-of-memory
// error as a value.
package torch

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/torchmem/workbook/runtime/autograd"
	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/nn"
	"github.com/torchmem/workbook/runtime/tensor"
)

// The types that lessons name.
type (
	Tensor = autograd.Tensor
	Value  = autograd.Value
	Number = autograd.Number
	Func   = autograd.Func
	Module = nn.Module
)

// Torch is one program. It is not safe for concurrent use, as a Python script is
// one thread.
type Torch struct {
	// Cuda is torch.cuda, NN is torch.nn.
	Cuda *Cuda
	NN   *nn.NN

	ctx   *autograd.Context
	vars  []*Var
	names map[string]*Var // the same, by spelling
	lists []*List
	// recorders want to know what gets a name.
	recorders []*Recorder
}

// New starts a program on a device whose memory nobody else uses.
func New(driver gpu.Driver, settings caching.Config) (*Torch, error) {
	allocator, err := caching.New(driver, settings)
	if err != nil {
		return nil, err
	}
	live := &tensor.Registry{}
	ctx := autograd.NewContext(live, tensor.NewCPU(live), tensor.NewGPU(driver, allocator, live))
	t := &Torch{ctx: ctx, NN: nn.New(ctx), names: map[string]*Var{}}
	t.Cuda = &Cuda{torch: t, device: ctx.GPU, allocator: allocator, driver: driver}
	t.ManualSeed(0)
	return t, nil
}

// OnWarning sets what receives PyTorch's warnings.
func (t *Torch) OnWarning(f func(text string)) { t.ctx.Warn = f }

// ManualSeed is torch.manual_seed.
func (t *Torch) ManualSeed(seed uint64) {
	*t.ctx.CPU.Generator() = tensor.Generator{Seed: seed}
	*t.ctx.GPU.Generator() = tensor.Generator{Seed: seed}
}

// NoGrad is with torch.no_grad().
func (t *Torch) NoGrad(f func()) { t.ctx.NoGrad(f) }

// EnableGrad is with torch.enable_grad().
func (t *Torch) EnableGrad(f func()) { t.ctx.EnableGrad(f) }

// InferenceMode is with torch.inference_mode().
func (t *Torch) InferenceMode(f func()) { t.ctx.InferenceMode(f) }

// Try runs the function and returns the OutOfMemoryError that it raised, or
// nil. Any other panic goes on. In both cases the temporaries of the broken
// expression are dropped, and everything that has a name works on.
func (t *Torch) Try(f func()) error {
	raised := t.rescue(f)
	var outOfMemory *caching.OutOfMemoryError
	if raised != nil && !errors.As(raised, &outOfMemory) {
		panic(raised)
	}
	return raised
}

// Raises runs a function that makes a mistake and returns the error that it
// panicked with, or nil: a tensor.Error, a [NameError], an autograd.DeadTensor
// or an OutOfMemoryError. It drops temporaries as Try does.
func (t *Torch) Raises(f func()) error { return t.rescue(f) }

// rescue runs the function and returns the error that it panicked with. What
// is no error is no mistake of the program, and goes on.
func (t *Torch) rescue(f func()) (err error) {
	release := t.ctx.Rescue()
	defer func() {
		raised := recover()
		if raised == nil {
			return
		}
		release()
		var bug runtime.Error
		var ok bool
		if err, ok = raised.(error); !ok || errors.As(err, &bug) {
			panic(raised)
		}
	}()
	f()
	return nil
}

// EndStatement drops the temporaries that no call has consumed: what a
// statement makes and nobody keeps ends with the statement, as in Python. Using
// one afterwards panics: it needs a name.
func (t *Torch) EndStatement() { t.ctx.DropTemporaries() }

// Close ends the program: every name, list and module lets go, as when a
// Python process exits in good order. It returns an error that lists the
// tensors which something else still holds, or the bytes that are still
// allocated. Close may be called again.
func (t *Torch) Close() error {
	for _, v := range t.vars {
		v.drop()
	}
	for _, l := range t.lists {
		l.Clear()
	}
	t.NN.Close()
	t.ctx.DropTemporaries()
	t.ctx.GPU.ClearWorkspaces()
	err := errors.Join(t.Cuda.releasePools(), t.Cuda.allocator.EmptyCache())
	if left := t.LiveTensors(); len(left) > 0 {
		return errors.Join(err, fmt.Errorf("tensors are left, %d of them: %s", len(left), strings.Join(left, "; ")))
	}
	if left := t.Cuda.MemoryAllocated(); left != 0 {
		return errors.Join(err, fmt.Errorf("%d bytes are left allocated", left))
	}
	return err
}
