package tensor

import (
	"fmt"
	"slices"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/host"
)

// Device is where a tensor can lie: the CPU or a GPU.
type Device struct {
	name       string
	memory     memory
	compute    gpu.Compute
	stream     gpu.Stream
	profile    gpu.Profile
	allocator  *caching.Allocator // nil on the CPU
	generator  Generator
	workspaces workspaces
	live       *Registry
	watchers   []*watcher
}

// memory is where storages come from. take panics with the allocator's error
// when there is none left.
type memory interface {
	take(size int64) (gpu.Ptr, *caching.Block)
	give(b *caching.Block)
}

// NewCPU returns the CPU. Its tensors are listed in the registry.
func NewCPU(live *Registry) *Device {
	return &Device{name: "cpu", memory: &hostMemory{next: 64}, compute: host.New(), live: live}
}

// NewGPU returns a GPU whose memory is the allocator's.
func NewGPU(d gpu.Driver, a *caching.Allocator, live *Registry) *Device {
	dev := &Device{name: "cuda:0", compute: d, profile: d.Profile(), allocator: a, live: live}
	dev.memory = deviceMemory{dev}
	return dev
}

// String returns the name that PyTorch prints: cpu or cuda:0.
func (d *Device) String() string { return d.name }

// IsGPU tells a GPU from the CPU.
func (d *Device) IsGPU() bool { return d.allocator != nil }

// Allocator returns the caching allocator, or nil on the CPU.
func (d *Device) Allocator() *caching.Allocator { return d.allocator }

// Profile describes the GPU.
func (d *Device) Profile() gpu.Profile { return d.profile }

// Generator returns the device's random number generator.
func (d *Device) Generator() *Generator { return &d.generator }

// OnStream runs the function with another current stream.
func (d *Device) OnStream(s gpu.Stream, f func()) {
	before := d.stream
	d.stream = s
	defer func() { d.stream = before }()
	f()
}

// watcher sees the allocations of a device.
type watcher struct{ see func(size int64) }

// Watch calls the function after each allocation on the device, with the bytes
// that were asked for, until the function that it returns is called. Nobody
// else can end it.
func (d *Device) Watch(see func(size int64)) (stop func()) {
	w := &watcher{see}
	d.watchers = append(d.watchers, w)
	return func() {
		d.watchers = slices.DeleteFunc(d.watchers, func(other *watcher) bool { return other == w })
	}
}

// take takes size bytes of the device's memory.
func (d *Device) take(size int64) (gpu.Ptr, *caching.Block) {
	p, b := d.memory.take(size)
	d.Took(size)
	return p, b
}

// Took tells the watchers of memory that was taken, also of memory that is
// none of a tensor's: numbers that a program reads.
func (d *Device) Took(size int64) {
	for _, w := range d.watchers {
		w.see(size)
	}
}

// WorkspaceBytes returns what the matrix libraries hold on the device.
func (d *Device) WorkspaceBytes() int64 {
	var sum int64
	for _, w := range d.workspaces.blocks {
		sum += w.block.Size()
	}
	return sum
}

// launch queues a kernel on the current stream.
func (d *Device) launch(k gpu.Kernel) {
	if err := d.compute.Launch(k, d.stream); err != nil {
		panic(fmt.Errorf("tensor: launch on %s: %w", d, err))
	}
}

// hostMemory takes nothing yet: the bytes come into being when values are read.
type hostMemory struct{ next gpu.Ptr }

// hostLimit is more than any machine has. A larger tensor could not be read.
const hostLimit = 1 << 44

func (m *hostMemory) take(size int64) (gpu.Ptr, *caching.Block) {
	if size > hostLimit {
		Raise("DefaultCPUAllocator: can't allocate memory: you tried to allocate %d bytes. Error code 12 (Cannot allocate memory)", size)
	}
	p := m.next
	m.next += gpu.Ptr(size+127) / 64 * 64
	return p, nil
}

func (m *hostMemory) give(*caching.Block) {}

// deviceMemory is the caching allocator on the current stream.
type deviceMemory struct{ *Device }

func (m deviceMemory) take(size int64) (gpu.Ptr, *caching.Block) {
	b, err := m.allocator.Malloc(size, m.stream)
	if err != nil {
		panic(err)
	}
	if b == nil {
		return 0, nil
	}
	return b.Ptr(), b
}

func (m deviceMemory) give(b *caching.Block) {
	if b == nil {
		return
	}
	if err := m.allocator.Free(b); err != nil {
		panic(err)
	}
}

// deviceOf returns where a kernel on the operands runs: on the GPU, if one of them
// lies there.
func deviceOf(operands ...*Tensor) *Device {
	for _, x := range operands {
		if x.Device().IsGPU() {
			return x.Device()
		}
	}
	return operands[0].Device()
}

// mustHave refuses tensors that lie elsewhere.
func (d *Device) mustHave(tensors ...*Tensor) {
	for _, x := range tensors {
		if x.Device() != d {
			Raise("Expected all tensors to be on the same device, but found at least two devices, %s and %s!", d, x.Device())
		}
	}
}

// parameter is an operand under the name that PyTorch's function gives it.
type parameter struct {
	name string
	*Tensor
}

// sameDeviceIn refuses operands that do not lie where the first does, for the
// functions that name them.
func sameDeviceIn(function string, operands ...parameter) {
	for _, x := range operands {
		if first := operands[0].Device(); x.Device() != first {
			Raise("Expected all tensors to be on the same device, but got %s is on %s, different from other tensors on %s (when checking argument in method wrapper_CUDA_%s)",
				x.name, x.Device(), first, function)
		}
	}
}
