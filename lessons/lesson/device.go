package lesson

import (
	"errors"

	"github.com/torchmem/workbook/runtime/device"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/torch"
)

// DriverUse is what the driver of a real GPU says beside the counters, in
// bytes. A simulated one would only repeat them.
type DriverUse struct {
	// Before and After are the memory that the driver counts as used, by
	// every process, before and after the statement.
	Before int64 `json:"driver_used_before"`
	After  int64 `json:"driver_used_after"`
	// Beyond is what is used and not reserved after the statement: the
	// context, and what other processes have.
	Beyond int64 `json:"driver_used_beyond_reserved"`
}

// gauge reads what a driver counts as used.
type gauge struct{ last int64 }

func newGauge(t *torch.Torch) *gauge { return &gauge{used(t)} }

// read returns the use by the statement that has just ended. It waits for the
// GPU first, so that a fault shows at the statement that caused it.
func (g *gauge) read(t *torch.Torch) *DriverUse {
	t.Cuda.Synchronize()
	before := g.last
	g.last = used(t)
	return &DriverUse{before, g.last, g.last - t.Cuda.MemoryReserved()}
}

func used(t *torch.Torch) int64 {
	free, total := t.Cuda.MemGetInfo()
	return total - free
}

// isReal reports whether the lesson runs on a real GPU.
func (o *options) isReal() bool { return o.device == device.Cuda }

// open opens a device that nobody has used yet.
func (o *options) open() (gpu.Driver, error) { return device.Open(o.device, o.profile) }

// meet asks a real GPU what it is, so that the page can say so. Whatever is
// missing shows here, before the page begins.
func (o *options) meet() error {
	if !o.isReal() {
		return nil
	}
	d, err := o.open()
	if err != nil {
		return err
	}
	o.profile = d.Profile()
	return device.Close(d)
}

// chooseDevice looks up the device and the profile of a simulated one.
func (o *options) chooseDevice(name, profile string) (err error) {
	if err := device.Check(name); err != nil {
		return err
	}
	o.device = name
	if profile == "" {
		o.profile = gpu.DefaultProfile()
		return nil
	}
	if o.isReal() {
		return errors.New("-profile says which GPU is simulated: with -device cuda the GPU is real")
	}
	o.profile, err = gpu.FindProfile(profile)
	return err
}
