package caching

import "github.com/torchmem/workbook/runtime/python"

// noLimit is the limit of a process that may take the whole device.
const noLimit = -1

// SetMemoryFraction limits reserved memory to a share of the device's total,
// like torch.cuda.set_per_process_memory_fraction. One lifts the limit. What is
// reserved already stays. The error for a share outside of 0 to 1 is PyTorch's.
func (a *Allocator) SetMemoryFraction(f float64) error {
	if !(f >= 0 && f <= 1) {
		return refuse("Invalid fraction value: %s. Allowed range: 0~1", python.Float(f))
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	_, total := a.driver.MemInfo()
	a.limit = noLimit
	if f < 1 {
		a.limit = int64(f * float64(total))
	}
	return nil
}

// MemoryFraction returns the share of the device that may be reserved.
func (a *Allocator) MemoryFraction() float64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.limit == noLimit {
		return 1
	}
	_, total := a.driver.MemInfo()
	return float64(a.limit) / float64(total)
}
