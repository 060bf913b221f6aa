// Package fakecuda lets tests of the cuda driver run without a GPU.
//
// In the folder libcuda lies a small libcuda.so.1, written in C. build.sh
// compiles it, and a program that is started with LD_LIBRARY_PATH on it cannot
// tell that no GPU answers:
//
//	bash runtime/gpu/cuda/fakecuda/build.sh /tmp/fake
//	LD_LIBRARY_PATH=/tmp/fake go test -tags cuda ./runtime/gpu/cuda/...
//
// # What is real
//
// The books are: which memory is taken and how much, which addresses are mapped,
// what is alive. So are copies, and the order of work: a stream that is held
// keeps what it was given until it goes on. What a real driver refuses is
// refused, such as a call without a context, a copy to memory that nobody
// allocated, or an address that is freed twice.
//
// # What is not
//
// A kernel does nothing. Its launch is written down, with its parameters, in the
// file that FAKECUDA_LOG names, and [ReadLog] reads it. Device memory is memory
// of the process, which the system gives when it is touched: to take 100 GiB
// costs nothing.
//
// # What can go wrong on demand
//
// A running program is told by the functions of this package, and one that is
// started by variables:
//
//   - FAKECUDA_MEMORY: the bytes of the device, instead of those of an H200
//   - FAKECUDA_CAPABILITY: the compute capability, instead of an H200's: 61 is 6.1
//   - FAKECUDA_LIMIT: the bytes above which nothing more is given, though the
//     device has them
//   - FAKECUDA_REFUSE: the number of the allocation that is refused
//   - FAKECUDA_FAULT: the number of the launch after which every call fails
//   - FAKECUDA_INIT: the error that the driver starts with, such as 100 where
//     there is no GPU
//
// A test that needs the fake is skipped without it, or fails if FAKECUDA_REQUIRED
// is set.
package fakecuda
