package grade

import (
	"cmp"
	"fmt"

	"github.com/torchmem/workbook/runtime/device"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/site"
	"github.com/torchmem/workbook/runtime/torch"
)

// Run is one run of a case, on a device of its own.
type Run struct {
	// Torch is the program. Its names, lists and modules are those of the
	// case and of the function together, as in one script.
	Torch *torch.Torch

	device     gpu.Driver
	meter      *meter
	memoryOnly bool
	outcomes   []outcome
}

// newRun starts a program for a case. The meter takes a picture after the
// allocation stopAt, or none for 0.
func newRun(seed uint64, memoryOnly bool, stopAt int) (*Run, error) {
	driver, err := openDriver()
	if err != nil {
		return nil, err
	}
	opened := driver.Driver
	if memoryOnly {
		driver.Driver = idleDriver{opened}
	}
	t, err := start(driver)
	if err != nil {
		return nil, cmp.Or(err, device.Close(opened))
	}
	t.ManualSeed(seed)
	return &Run{Torch: t, device: opened, meter: newMeter(t, driver, stopAt), memoryOnly: memoryOnly}, nil
}

// end ends the program and gives the device back. The first error is the cause:
// after a fault each call repeats it.
func (r *Run) end() error { return cmp.Or(r.Torch.Close(), device.Close(r.device)) }

// Measure runs the learner's function. What it uses counts, and nothing else
// does.
func (r *Run) Measure(f func()) { r.meter.watch(f) }

// CountCalls counts how often the modules run again in a backward pass.
func (r *Run) CountCalls(modules ...*torch.Module) {
	for _, m := range modules {
		m.RegisterForwardPreHook(func(*torch.Tensor) {
			if r.Torch.InBackward() {
				r.meter.again()
			}
		})
	}
}

// Number shows a number that came out.
func (r *Run) Number(name string, x float64) {
	r.outcomes = append(r.outcomes, outcome{metric: Values, name: name, values: []float64{x}})
}

// Count shows a whole number that came out, such as one of bytes. It has to be
// right to the last digit.
func (r *Run) Count(name string, n int64) {
	r.outcomes = append(r.outcomes, outcome{metric: Values, name: name, values: []float64{float64(n)}, exact: true})
}

// Truth shows a yes or no that came out.
func (r *Run) Truth(name string, yes bool) {
	word := "no"
	if yes {
		word = "yes"
	}
	r.outcomes = append(r.outcomes, outcome{metric: Values, name: name, word: word})
}

// Value shows a tensor that came out.
func (r *Run) Value(name string, x torch.Value) { r.tensor(Values, name, x) }

// Gradient shows the gradient of a leaf. One of None is missing.
func (r *Run) Gradient(name string, x torch.Value) {
	if g := x.Value().Grad(); g != nil {
		r.tensor(Gradients, name, g)
		return
	}
	r.outcomes = append(r.outcomes, outcome{metric: Gradients, name: name, missing: true})
}

// Gradients shows the gradients of all parameters of a module.
func (r *Run) Gradients(m *torch.Module) {
	for i, p := range m.Parameters() {
		r.Gradient(fmt.Sprintf("%s, parameter %d", p.Name(), i), p.Tensor)
	}
}

func (r *Run) tensor(m Metric, name string, x torch.Value) {
	if !r.Torch.Owns(x) {
		panic(&foreignError{name})
	}
	t := x.Value()
	o := outcome{metric: m, name: name, shape: fmt.Sprint(t.Shape())}
	if !r.memoryOnly {
		o.values = t.Values()
	}
	r.outcomes = append(r.outcomes, o)
}

// foreignError is what a result of another program is answered with: its memory
// was not measured.
type foreignError struct{ name string }

func (e *foreignError) Error() string {
	return e.name + " was made by another program than the one that is graded"
}

// attempt runs a case with a function and returns the run, and what it
// raised.
func attempt[F any](c Case[F], f F, stopAt int) (r *Run, raised *failure) {
	r, err := newRun(c.Seed, c.MemoryOnly, stopAt)
	if err != nil {
		return nil, &failure{text: err.Error()}
	}
	defer func() {
		if x := recover(); x != nil {
			raised = &failure{text: fmt.Sprint(x), place: site.OfPanic()}
			_ = device.Close(r.device) // what the program raised says more
			return
		}
		if err := r.end(); err != nil {
			raised = &failure{text: err.Error()}
		}
	}()
	c.Run(r, f)
	return r, nil
}

// failure is an error that ended a program, with the learner's line.
type failure struct {
	text  string
	place site.Place
}
