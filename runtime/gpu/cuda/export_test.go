//go:build cuda

package cuda

import (
	"gorgonia.org/cu"

	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/cuda/kernels"
)

// LoadText adds functions of a test's own.
func (d *Driver) LoadText(ptx string, names ...string) error {
	return d.do(func() error {
		module, err := cu.LoadData(ptx)
		if err != nil {
			return d.check("cuModuleLoadData", err)
		}
		for _, name := range names {
			if d.functions[name], err = module.Function(name); err != nil {
				return d.check("cuModuleGetFunction", err)
			}
		}
		return nil
	})
}

// LaunchText runs one thread of a function.
func (d *Driver) LaunchText(name string, s gpu.Stream, words ...uint64) error {
	return d.do(func() error {
		stream, err := d.stream(s)
		if err != nil {
			return err
		}
		one := [3]int{1, 1, 1}
		return d.launch(kernels.Step{Function: name, Grid: one, Block: one, Words: words}, stream)
	})
}

// Answer lets the NVIDIA driver answer calls of one job, each with a status.
func (d *Driver) Answer(calls []string, code status) (errs []error) {
	d.thread.run(func() {
		for _, call := range calls {
			errs = append(errs, d.check(call, code))
		}
	})
	return errs
}

// EventObjects returns how many events of CUDA there are, open and spare.
func (d *Driver) EventObjects() (n int) {
	d.thread.run(func() { n = len(d.events.open) + len(d.events.spare) })
	return n
}

// Live returns what nobody has freed yet: pieces, and mapped pages.
func (d *Driver) Live() (pieces, pages int) {
	d.thread.run(func() {
		pieces = len(d.live)
		for _, s := range d.spaces {
			pages += len(s.pages)
		}
	})
	return pieces, pages
}
