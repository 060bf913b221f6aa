// Package caching is the memory allocator that stands between tensors and the
// driver. It follows PyTorch's allocator step by step, and its counters equal
// PyTorch's to the byte.
//
// # Why a cache
//
// A driver's malloc is slow, and its free waits for the whole device. A
// training step asks for thousands of tensors. So the allocator takes large
// segments from the driver, cuts blocks from them, and keeps a freed block for
// the next request of about its size. Two numbers tell the story: allocated is
// what tensors hold, reserved is what the driver gave. The difference is the
// cache.
//
// # Segments and blocks
//
// A segment is one piece of memory from the driver. A block is a piece of a
// segment: it belongs to a tensor, or it lies in the cache. Splitting a block
// leaves a remainder; freeing a block joins it with free neighbours. Only a
// segment that is one free block again can go back to the driver. A remainder
// in a segment that something else pins is called inactive split memory.
//
// # Two pools
//
// Requests of at most 1 MiB live in the small pool, in segments of 2 MiB. The
// others live in the large pool, in segments of 20 MiB, or from 10 MiB up in a
// segment of their own. sizes.go has the arithmetic.
//
// # Streams
//
// A block is cached for the stream that it was allocated on, and no other
// stream gets it: work in one stream runs in order, so memory can be reused at
// once, before the kernels that use it have even started. A tensor that other
// streams use too is marked by [Allocator.RecordStream]. Freeing it records an
// event in each of them, and the block stays active until all have passed.
//
// # Private pools
//
// [Allocator.NewPool] makes a private pool: two pools beside the default ones,
// which share no block with them in either direction. Between
// [Allocator.UsePool] and [Allocator.EndUse] the requests of a thread go there.
// A pool keeps its cache until [Allocator.ReleasePool], even when the rest of the
// program runs out of memory. While any pool is in use, nothing waits for the
// GPU and the cache is not emptied, as if a graph were being captured. So an
// allocation can fail then that would succeed a line later.
//
// # Reading the code
//
// Start with [Allocator.Malloc] in malloc.go: round, look in the cache, else
// reserve. reserve.go is what happens when the cache has nothing, release.go
// how segments go back, free.go how blocks do. freeset.go is the ordered set
// that makes a search cheap, expandable.go the other kind of segment, which
// grows, and private.go and usepool.go are the private pools. Everything else is
// settings, counters and pictures of the state.
package caching
