//go:build cuda

package cuda

import (
	"cmp"
	"fmt"

	"gorgonia.org/cu"

	"github.com/torchmem/workbook/runtime/gpu"
)

// Built tells whether this program was built with the tag cuda.
const Built = true

// Driver is one GPU in one process. It is safe for concurrent use; calls wait
// for each other.
type Driver struct {
	thread  *thread
	profile gpu.Profile

	// What follows belongs to the thread.

	fault     *FaultError
	device    cu.Device
	context   cu.CUContext
	functions map[string]cu.Function
	live      map[gpu.Ptr]int64 // what Malloc returned, with its size
	streams   []cu.Stream
	events    events
	pinned    ring
	spaces    []*space
}

// The whole interface, so that expandable segments are real too.
var (
	_ gpu.Driver  = (*Driver)(nil)
	_ gpu.Virtual = (*Driver)(nil)
)

// Open opens a GPU: it starts a thread, makes a context on it and loads the
// kernels. Whoever opens a driver closes it. The error says what is missing; it
// is [gpu.ErrOutOfMemory] when other processes have taken the memory that a
// context needs.
func Open(o Options) (*Driver, error) {
	d := &Driver{thread: startThread(), live: map[gpu.Ptr]int64{}, events: newEvents()}
	if err := d.do(func() error { return d.open(o.Device) }); err != nil {
		_ = d.Close() // what went wrong first is what matters
		return nil, fmt.Errorf("GPU %d does not open: %w", o.Device, err)
	}
	return d, nil
}

// do runs a function on the thread. After a fault it returns the fault.
func (d *Driver) do(f func() error) error {
	err := ErrClosed
	d.thread.run(func() {
		if d.fault != nil {
			err = d.fault
			return
		}
		err = f()
	})
	return err
}

// Profile describes the device. What it cannot know it says as the other
// profiles do: ContextMemory is everything that was taken when the driver was
// open, by other processes too, and ProcessMemory is no more than that.
func (d *Driver) Profile() gpu.Profile { return d.profile }

// MemInfo returns the free and the total bytes of the device. What other
// processes hold counts as taken. After a fault, and when the driver is closed,
// nothing is free.
func (d *Driver) MemInfo() (free, total int64) {
	err := d.do(func() (err error) {
		free, total, err = cu.MemInfo()
		return d.check("cuMemGetInfo", err)
	})
	if err != nil {
		return 0, d.profile.TotalMemory
	}
	return free, total
}

// Close waits for the GPU, gives back everything that this driver holds, also
// what nobody freed, and ends the thread. No byte of the device's memory is
// left then. After a fault it returns the fault. Close may be called again.
func (d *Driver) Close() error {
	var err error
	d.thread.run(func() {
		defer d.thread.end()
		err = d.close()
	})
	<-d.thread.gone
	return err
}

// close destroys the context, which frees what belongs to it. Pages do not: they
// belong to the process, and go first, or last where a fault kept them. Each step
// is taken, whatever became of those before it; the first error is returned.
func (d *Driver) close() error {
	if d.context == (cu.CUContext{}) {
		return nil
	}
	err := cmp.Or(
		d.check("cuCtxSynchronize", cu.Synchronize()),
		d.closeSpaces(),
		d.check("cuCtxDestroy", d.context.Destroy()))
	if d.fault == nil {
		return err
	}
	_ = d.closeSpaces() // the fault has gone with its context, if it ever goes
	return d.fault
}
