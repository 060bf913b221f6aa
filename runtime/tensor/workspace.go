package tensor

import (
	"cmp"
	"slices"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
)

// Worker is a thread that calls into the device's libraries. Each has handles
// of its own, and a handle's workspace is memory that nobody asked for: the
// forward pass runs on the program's thread, the backward pass on a second one.
type Worker int

// The two workers of a program.
const (
	ForwardWorker Worker = iota
	BackwardWorker
)

// workspaces are the buffers of the matrix libraries, one of each kind for a
// worker on a stream. They stay allocated until they are cleared.
type workspaces struct {
	worker Worker
	blocks []workspace
}

type workspace struct {
	workspaceKey
	block *caching.Block
}

// library is what a workspace belongs to.
type library int

const (
	cublas library = iota
	cublasLt
)

type workspaceKey struct {
	library library
	worker  Worker
	stream  gpu.Stream
}

// OnWorker runs the function as another worker. The allocator has to know it
// too: a private pool serves the thread that uses it and no other.
func (d *Device) OnWorker(w Worker, f func()) {
	before := d.workspaces.worker
	d.workspaces.worker = w
	defer func() { d.workspaces.worker = before }()
	if !d.IsGPU() {
		f()
		return
	}
	d.allocator.OnThread(caching.Thread(w), f)
}

// ClearWorkspaces frees the workspaces of all workers and streams, as
// torch._C._cuda_clearCublasWorkspaces does. The next product allocates anew.
// Those of cuBLAS go first, the backward worker's before the forward worker's.
func (d *Device) ClearWorkspaces() {
	slices.SortStableFunc(d.workspaces.blocks, func(a, b workspace) int {
		return cmp.Or(cmp.Compare(a.library, b.library), cmp.Compare(b.worker, a.worker), cmp.Compare(a.stream, b.stream))
	})
	for _, w := range d.workspaces.blocks {
		d.memory.give(w.block)
	}
	d.workspaces.blocks = nil
}

// Workspaces names the library that each workspace belongs to, by the address of
// its block.
func (d *Device) Workspaces() map[gpu.Ptr]string {
	names := map[gpu.Ptr]string{}
	for _, w := range d.workspaces.blocks {
		names[w.block.Ptr()] = [...]string{cublas: "cuBLAS", cublasLt: "cuBLASLt"}[w.library]
	}
	return names
}

// needBlas makes sure that the present worker has a cuBLAS workspace.
func (d *Device) needBlas() { d.needWorkspace(cublas, d.profile.BlasWorkspace) }

// needBlasLt makes sure that it has a cuBLASLt workspace too. The library's
// handle is the cuBLAS one, so that workspace comes first.
func (d *Device) needBlasLt() {
	d.needBlas()
	d.needWorkspace(cublasLt, d.profile.BlasLtWorkspace)
}

func (d *Device) needWorkspace(l library, size int64) {
	key := workspaceKey{l, d.workspaces.worker, d.stream}
	have := slices.ContainsFunc(d.workspaces.blocks, func(w workspace) bool { return w.workspaceKey == key })
	if have || !d.IsGPU() {
		return
	}
	_, block := d.take(size)
	d.workspaces.blocks = append(d.workspaces.blocks, workspace{key, block})
}
