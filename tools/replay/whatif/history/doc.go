// Package history turns the recorded history of a GPU into a program: what was
// asked of the allocator, without what the allocator made of it.
//
// # From effects to causes
//
// A history lists effects. A block was handed out at this address; that segment
// went back to the driver. To replay it under other settings one needs the
// requests: allocate so many bytes on this stream, free that block, empty the
// cache. Most are plain to see. Four are not.
//
//   - A free that is completed later waited for another stream. The program has
//     an [OpFreeLater], and an [OpDone] where the history shows that the wait was
//     over.
//   - Memory that goes back to the driver may be a call of empty_cache, or it may
//     belong to the request behind it, for which there was no room. cause.go
//     tells what speaks for which, and what cannot be told is [Unknown].
//   - A private pool caches apart from others, and the history does not name it.
//     The snapshot does, for the segments that are still there. pools.go finds
//     the others by the order in which they go.
//   - The history may begin in the middle. Blocks that are freed but were never
//     allocated, and blocks that the snapshot shows and the history does not,
//     were there before. start.go finds them, and the segments that they lie in,
//     by going through the history backwards from the snapshot.
//
// # What cannot be
//
// A history in which a block is allocated twice, or freed twice, or lies outside
// of all segments, is refused with the number of the event. Events are counted
// from 0, as in Python.
package history
