// Package snapshot holds what torch.cuda.memory._dump_snapshot writes: the
// segments of PyTorch's allocator with their blocks, and the history of what the
// allocator did.
//
// # What a snapshot tells
//
// A snapshot is a picture of one moment. [Snapshot.Segments] are the pieces of
// memory that the driver gave, with every block in them. If a program called
// torch.cuda.memory._record_memory_history before, [Snapshot.Traces] also hold
// how it came to that: one list of events for each GPU, the oldest first. The
// list may be a ring that kept only the last events.
//
// # Where it comes from
//
// The file is a pickle of Python. [Read] takes any that PyTorch 2.1 or newer
// wrote, in protocol 2 to 5, and trusts nothing in it: what code a pickle refers
// to is never run, and a file that is broken, endless or something else ends in
// an error of one line. Versions of PyTorch differ in the keys that they write.
// What a version does not write is left at its zero value here.
//
// [Write] writes the same file again, and snapshots of the allocator of this
// workbook, which [Take] takes. PyTorch's own viewer opens them.
//
// # Units
//
// Sizes are bytes, addresses and streams are the recorded ones, times are
// microseconds since 1970.
package snapshot
