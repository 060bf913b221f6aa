// Package exercise has the exercises of lesson 01.
package exercise

// Rounded predicts a counter. A tensor asks for some bytes, on a GPU where
// nothing else is. Rounded says how many bytes torch.cuda.memory_allocated()
// shows then. The requests here are smaller than 10 MiB.
//
// The allocator does not hand out single bytes. It counts in blocks of a fixed
// size, as lesson 01 shows, and a tensor gets whole blocks. A tensor without
// elements asks for 0 bytes and gets none.
//
// As it stands, Rounded returns what was asked for. Each answer has to be right
// to the byte.
func Rounded(bytes int64) int64 {
	allocated := bytes

	// TODO: change allocated to what the allocator counts.
	// END

	return allocated
}
