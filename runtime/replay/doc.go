// Package replay repeats a recorded trace on the allocator of this workbook and
// says where the two differ.
//
// # A trace
//
// A trace is a long list of operations that were done to PyTorch's allocator on
// a real GPU: allocate so many bytes on this stream, free that block, empty the
// cache. After each operation the recorder wrote down the counters. At the end
// it added the allocator's own log, the segments with their blocks, all
// statistics and the text of memory_summary. [Read] reads such a file.
//
// # What equal means
//
// [Recorded] does the same operations here. After each one it compares every
// recorded counter, what the operation returned, the text of an out of memory
// error, and the lines that came to the log. At the end it compares the
// segments, the blocks, the statistics and the summary. Nothing is compared
// with a tolerance. The [Result] counts the operations that are equal and holds
// the first [Difference] with both sides.
//
// # Addresses
//
// Where the driver puts a segment decides ties between blocks of one size, so
// it decides counters. A [Driver] answers with the addresses that the recording
// shows: then only the allocator is on trial. [Modelled] uses the simulated
// driver instead, with its own idea of addresses: then the model of the driver
// is on trial too. A real process draws the place of its memory at random, so
// there addresses are compared by their distances.
//
// # Reading the code
//
// trace.go is the recording as Go values, read.go and check.go bring a file
// there and trust nothing in it. driver.go is the driver, run.go does the
// operations, compare.go and final.go compare.
package replay
