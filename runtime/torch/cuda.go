package torch

import (
	"slices"

	"github.com/torchmem/workbook/runtime/autograd"
	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/report"
	"github.com/torchmem/workbook/runtime/tensor"
)

// Cuda is torch.cuda: the GPU and its allocator. All sizes are bytes.
type Cuda struct {
	torch     *Torch
	device    *tensor.Device
	allocator *caching.Allocator
	driver    gpu.Queue
	streams   []gpu.Stream // made by NewStream
	pools     []*MemPool   // made by NewMemPool
}

// Empty is torch.empty(…, device="cuda").
func (c *Cuda) Empty(shape ...int) *Tensor { return c.EmptyOf(gpu.Float32, shape...) }

// EmptyOf is torch.empty(…, dtype=t, device="cuda").
func (c *Cuda) EmptyOf(t gpu.DType, shape ...int) *Tensor {
	return c.torch.ctx.Wrap(tensor.Empty(c.device, t, shape...))
}

// EmptyUint8 is torch.empty(…, dtype=torch.uint8, device="cuda"): an element
// is a byte.
func (c *Cuda) EmptyUint8(shape ...int) *Tensor { return c.EmptyOf(gpu.Uint8, shape...) }

// Randn is torch.randn(…, device="cuda").
func (c *Cuda) Randn(shape ...int) *Tensor {
	return c.torch.ctx.Wrap(tensor.Randn(c.device, shape...))
}

// Rand is torch.rand(…, device="cuda").
func (c *Cuda) Rand(shape ...int) *Tensor {
	return c.torch.ctx.Wrap(tensor.Rand(c.device, shape...))
}

// Full is torch.full(shape, number, device="cuda").
func (c *Cuda) Full(number float64, shape ...int) *Tensor {
	return c.FullOf(gpu.Float32, number, shape...)
}

// FullOf is torch.full(shape, number, dtype=t, device="cuda").
func (c *Cuda) FullOf(t gpu.DType, number float64, shape ...int) *Tensor {
	return c.torch.ctx.Wrap(tensor.Full(c.device, t, number, shape...))
}

// EmptyCache is torch.cuda.empty_cache().
func (c *Cuda) EmptyCache() {
	if err := c.allocator.EmptyCache(); err != nil {
		panic(err)
	}
}

// MemoryAllocated is what tensors hold.
func (c *Cuda) MemoryAllocated() int64 { return c.MemoryStats().AllocatedBytes.All.Current }

// MaxMemoryAllocated is the peak of MemoryAllocated since the last reset.
func (c *Cuda) MaxMemoryAllocated() int64 { return c.MemoryStats().AllocatedBytes.All.Peak }

// MemoryReserved is what the allocator took from the driver.
func (c *Cuda) MemoryReserved() int64 { return c.MemoryStats().ReservedBytes.All.Current }

// MaxMemoryReserved is the peak of MemoryReserved since the last reset.
func (c *Cuda) MaxMemoryReserved() int64 { return c.MemoryStats().ReservedBytes.All.Peak }

// MemoryStats is torch.cuda.memory_stats(); its Map has PyTorch's keys.
func (c *Cuda) MemoryStats() caching.Stats { return c.allocator.Stats() }

// ResetPeakMemoryStats starts new peaks at what is current.
func (c *Cuda) ResetPeakMemoryStats() { c.allocator.ResetPeakStats() }

// ResetAccumulatedMemoryStats starts the totals at zero.
func (c *Cuda) ResetAccumulatedMemoryStats() { c.allocator.ResetAccumulatedStats() }

// MemorySummary is torch.cuda.memory_summary().
func (c *Cuda) MemorySummary() string { return report.MemorySummary(c.MemoryStats(), 0) }

// MemorySummaryAbbreviated is memory_summary(abbreviated=True).
func (c *Cuda) MemorySummaryAbbreviated() string {
	return report.MemorySummaryAbbreviated(c.MemoryStats(), 0)
}

// MemorySnapshot is torch.cuda.memory_snapshot().
func (c *Cuda) MemorySnapshot() []caching.Segment { return c.allocator.Snapshot() }

// MemGetInfo is torch.cuda.mem_get_info(): free and total memory of the device.
func (c *Cuda) MemGetInfo() (free, total int64) { return c.allocator.MemGetInfo() }

// SetPerProcessMemoryFraction limits what may be reserved to a share of the
// device. The error for a share outside of 0 to 1 is PyTorch's.
func (c *Cuda) SetPerProcessMemoryFraction(f float64) error { return c.allocator.SetMemoryFraction(f) }

// PerProcessMemoryFraction is get_per_process_memory_fraction().
func (c *Cuda) PerProcessMemoryFraction() float64 { return c.allocator.MemoryFraction() }

// TotalMemory is get_device_properties(0).total_memory.
func (c *Cuda) TotalMemory() int64 { return c.device.Profile().TotalMemory }

// Allocator returns the allocator, for histories and pictures.
func (c *Cuda) Allocator() *caching.Allocator { return c.allocator }

// NewStream is torch.cuda.Stream().
func (c *Cuda) NewStream() gpu.Stream {
	s, err := c.allocator.NewStream()
	if err != nil {
		panic(err)
	}
	c.streams = append(c.streams, s)
	return s
}

// Stream runs the function with another current stream: with
// torch.cuda.stream(s).
func (c *Cuda) Stream(s gpu.Stream, f func()) { c.device.OnStream(s, f) }

// RecordStream is x.record_stream(s): the memory of x waits for the stream when
// it is freed. x lies on the GPU; s is the default stream or one of NewStream.
func (c *Cuda) RecordStream(x Value, s gpu.Stream) {
	raw := autograd.ValueOf(x).Raw()
	if !raw.Device().IsGPU() {
		tensor.Raise("record_stream: a tensor on the CPU has no stream")
	}
	if s != 0 && !slices.Contains(c.streams, s) {
		tensor.Raise("record_stream: there is no stream %#x", uint64(s))
	}
	if err := c.allocator.RecordStream(raw.Storage().Block(), s); err != nil {
		panic(err)
	}
}

// Synchronize is torch.cuda.synchronize(): it waits until all streams are idle.
func (c *Cuda) Synchronize() {
	if err := c.driver.Synchronize(); err != nil {
		panic(err)
	}
}

// ClearCublasWorkspaces is torch._C._cuda_clearCublasWorkspaces().
func (c *Cuda) ClearCublasWorkspaces() { c.device.ClearWorkspaces() }
