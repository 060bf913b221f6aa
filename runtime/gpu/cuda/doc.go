// Package cuda is the driver of a real NVIDIA GPU.
//
// It stands behind the same interface as the simulated driver, so whatever runs
// on one runs on the other: the caching allocator, the lessons, the exercises.
// Here a Malloc takes memory away from every other program on the machine, a
// kernel is code that the GPU runs, and what MemInfo says is the NVIDIA driver's
// own figure.
//
// # Building
//
// Everything that needs CUDA is behind the tag cuda. Without the tag, [Open]
// returns [ErrNotBuilt] and nothing of CUDA is needed, not even a C compiler.
// With the tag, a C compiler needs the header cuda.h, and the linker libcuda.so:
// the NVIDIA driver brings it, or the toolkit has a stub for it. Where both lie in
// their usual places, this is all:
//
//	go run -tags cuda ./lessons/03 -device cuda
//
// The package gorgonia.org/cu, which binds the driver's calls, knows CUDA up to
// 12. CUDA 13 has changed some calls; the folder include holds a header that
// points them back. Which variables say where things are:
//
//	CUDA 11.8, 12   CGO_CFLAGS="-I/usr/local/cuda/include"
//	CUDA 13         CGO_CFLAGS="-I$PWD/runtime/gpu/cuda/include -I/usr/local/cuda/include"
//	no libcuda.so   CGO_LDFLAGS="-L/usr/local/cuda/lib64/stubs"
//
// The order of the two folders matters. A program that was built with an older
// CUDA runs on a newer driver, and needs nothing but libcuda.so.1 there. It needs
// that file, and a GPU, before its first line: see the package preflight.
//
// # One thread
//
// What CUDA calls a context, the memory and the code of one program on one GPU,
// belongs to a thread of the operating system. A [Driver] has a thread of its own
// that nobody else uses, and every call is a message to it. So a driver is safe
// for many goroutines; they wait for each other.
//
// # Order
//
// Work in one stream runs in order, and streams that [Driver.NewStream] made do
// not wait for each other, nor for the default stream. That is PyTorch's rule.
// An upload takes its place in the stream and returns; a download waits.
//
// # Memory beside the program's own
//
// Opening a driver takes device memory for the context, half a gigabyte on an
// H200 and as much as PyTorch's, 2 MiB more for the kernels, and 16 MiB of the
// host for copies. All of it is taken before the profile is measured, so that
// the difference between what the NVIDIA driver counts as used and what the
// allocator has reserved stays the same from then on. Only streams change it: on
// an H200 the second one takes 2 MiB, and then every fourth.
//
// How much of the device this process holds, the CUDA driver does not tell, only
// how much all processes hold together. So the profile's ProcessMemory is an upper
// bound, which is right on a GPU that nobody else uses.
//
// # Errors
//
// A lack of memory is [gpu.ErrOutOfMemory], as everywhere, and the program goes
// on. A [FaultError] is the end: a kernel has touched what it must not, or the
// GPU is broken, and CUDA answers nothing but that from then on. Everything else
// is a misuse, and leaves the driver as it was.
//
// # The end
//
// [Driver.Close] gives everything back, freed or not. A lesson opens a driver for
// each of its programs, as each would be a process of its own.
package cuda
