package gpu

// Monitor is what a driver offers beyond [Driver] when it can be asked what is
// going on at its device, as nvidia-smi asks NVML. It tells of all processes, not
// only of this one.
type Monitor interface {
	// Processes lists the processes that compute on the device, and the
	// number that the device has among all of the machine.
	Processes() (device int, all []Process, err error)
	// MemoryBusy returns the percent of the time, over the last sample period
	// of the device, in which its memory was being read or written.
	MemoryBusy() (percent int, err error)
}

// Process is a program that uses a GPU.
type Process struct {
	// ID is the number that the operating system knows it by.
	ID int
	// Used is the memory of the device that it takes, in bytes: what it
	// allocated, and its context.
	Used int64
}

// MonitorOf returns the monitor of a driver, or of the one that it wraps: a wrapper
// has a method Unwrap. There may be none.
func MonitorOf(d Queue) (Monitor, bool) {
	for d != nil {
		if m, ok := d.(Monitor); ok {
			return m, true
		}
		w, ok := d.(interface{ Unwrap() Driver })
		if !ok {
			break
		}
		d = w.Unwrap()
	}
	return nil, false
}
