// Package kernels has the arithmetic for a real GPU: every kernel of the
// runtime in CUDA C, and the plan of how to launch it.
//
// The package itself is plain Go and needs no GPU, no compiler and no CUDA. It
// holds two things. One is a text, kernels.ptx: the kernels in NVIDIA's
// portable assembly, which the driver of the learner's machine compiles for
// the GPU that it finds. The other is [Plan], which turns a [gpu.Kernel], a name
// with windows on memory, into launches of functions of that text.
//
// # Words
//
// Every parameter of every function is one word of eight bytes. An address is a
// word, so is a size, a step, a type, a number; a window is a handful of words.
// The plan does the thinking that all threads would do alike: it adds offsets
// to addresses, joins dimensions that lie without a gap, drops those of one
// element, and chooses how many threads work side by side. A tensor that lies
// densely is one dimension then, whatever its shape, and its threads divide
// nothing.
//
// # Few functions
//
// Some sixty names share fifteen functions: one for all that maps two elements
// to one, one for all reductions, and so on. The first word says which name is
// meant. So the text stays small, and a driver compiles it in about a second,
// once.
//
// # Numbers
//
// The CPU's arithmetic, in the package host, is the contract. It computes in
// float64 and rounds once, when an element is stored; so do these kernels, for
// every type. A float32 result is the same to the last bit, but for the rare
// one that lies so close to the middle between two numbers that the last bit of
// a float64 decides. The GPUs of gamers are slow with float64, and it matters
// little: adding two tensors takes longer to read than to add, there too.
//
// Sums are kept in float64, whatever is added, and the order of adding depends
// only on sizes. So two runs give the same bits. The exception to all this is the
// matrix product: it adds up in the type of its elements, as the CPU's does,
// since it is the one kernel that computes more than it reads. It reaches 38
// TFLOP/s with matrices of 4096 by 4096 float32 numbers on an H200.
//
// # Memory
//
// No kernel takes memory of the device: what the driver shows as used must be
// what the allocator has taken. So one output of a reduction is made by one
// block of threads, however long it is, where others would spread it over many
// blocks that leave partial sums. A sum of everything runs on one
// multiprocessor: 64 million numbers take 8 ms on an H200. Nor has any function
// local memory, which a driver takes without asking.
//
// Kernels that map elements may write over what they read. The others may not,
// and [Plan] refuses it.
//
// # Making the text
//
// go generate compiles kernels.cu with the nvcc on the PATH. The text must be
// written by CUDA 11.8 to be read by every driver since: a driver refuses a text
// that is newer than itself. It is made for compute capability 7.5, and newer
// GPUs take it too. A test compares it with the sources.
package kernels

//go:generate bash generate.sh
