package caching

import (
	"fmt"
	"strings"

	"github.com/torchmem/workbook/runtime/gpu"
)

// OutOfMemoryError is torch.OutOfMemoryError: neither the cache, emptied, nor
// the driver had room. All sizes are bytes.
type OutOfMemoryError struct {
	// Tried is the size of the segment that was asked for, which is more
	// than the request: 2 MiB for one byte.
	Tried int64
	// Total and Free are the device's memory as the driver counts it.
	Total, Free int64
	// Process is what this process holds, with the driver's own share.
	Process int64
	// Limit is what the process may reserve, -1 without a limit.
	Limit int64
	// Allocated and Reserved are the allocator's counters, and Private is
	// what lies cached in private pools, where this request cannot have it.
	Allocated, Reserved, Private int64
}

const expandableAdvice = " is reserved by PyTorch but unallocated." +
	" If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation." +
	"  See documentation for Memory Management  (https://docs.pytorch.org/docs/stable/notes/cuda.html#optimizing-memory-usage-with-pytorch-cuda-alloc-conf)"

// Error is PyTorch's message, to the character.
func (e *OutOfMemoryError) Error() string {
	if e.Tried >= tooLarge {
		return "CUDA out of memory. Tried to allocate more than 1EB memory."
	}
	var s strings.Builder
	fmt.Fprintf(&s, "CUDA out of memory. Tried to allocate %s. ", formatSize(e.Tried))
	fmt.Fprintf(&s, "GPU 0 has a total capacity of %s of which %s is free. ", formatSize(e.Total), formatSize(e.Free))
	fmt.Fprintf(&s, "Including non-PyTorch memory, this process has %s memory in use. ", formatSize(e.Process))
	if e.Limit != noLimit {
		fmt.Fprintf(&s, "%s allowed; ", formatSize(e.Limit))
	}
	taken := e.Allocated + e.Private
	fmt.Fprintf(&s, "Of the allocated memory %s is allocated by PyTorch, ", formatSize(taken))
	if e.Private > 0 {
		fmt.Fprintf(&s, "with %s allocated in private pools (e.g., CUDA Graphs), ", formatSize(e.Private))
	}
	fmt.Fprintf(&s, "and %s", formatSize(e.Reserved-taken))
	s.WriteString(expandableAdvice)
	return s.String()
}

// Unwrap makes the error match [gpu.ErrOutOfMemory].
func (e *OutOfMemoryError) Unwrap() error { return gpu.ErrOutOfMemory }

// outOfMemory counts a failed request and describes it.
func (a *Allocator) outOfMemory(rounded int64, sh *shelf) error {
	free, total := a.driver.MemInfo()
	if a.history != nil {
		a.history.moved(ActionOOM, sh, gpu.Ptr(free), rounded, nil)
	}
	a.meters.ooms++
	return &OutOfMemoryError{
		Tried:     a.cfg.segmentSize(rounded),
		Total:     total,
		Free:      free,
		Process:   a.driver.Profile().ProcessMemory + a.reserved,
		Limit:     a.limit,
		Allocated: a.meters.allocatedBytes.all.current,
		Reserved:  a.meters.reservedBytes.all.current,
		Private:   a.private.cachedBytes(),
	}
}

// formatSize spells bytes as PyTorch's messages do. A whole unit keeps the
// smaller name: 1 GiB is 1024.00 MiB.
func formatSize(n int64) string {
	switch {
	case n <= 1<<10:
		return fmt.Sprintf("%d bytes", n)
	case n <= 1<<20:
		return fmt.Sprintf("%.2f KiB", float64(n)/(1<<10))
	case n <= 1<<30:
		return fmt.Sprintf("%.2f MiB", float64(n)/(1<<20))
	default:
		return fmt.Sprintf("%.2f GiB", float64(n)/(1<<30))
	}
}
