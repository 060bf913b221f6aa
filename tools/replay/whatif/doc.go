// Package whatif tells what a recorded program would have needed under other
// settings of the allocator.
//
// # The question
//
// A training run reserves 30 GiB, of which 24 are ever allocated at once. Would
// expandable_segments help? Would it fit on a smaller GPU? One could run it again
// under each setting. Or one records it once, with
// torch.cuda.memory._record_memory_history, and lets the same requests run
// through the allocator here, which follows PyTorch's step by step.
//
// # What a replay does
//
// The package history turns the recorded events into requests. A replay does
// them on a simulated GPU and counts. Nothing is computed, so a million events
// take a fraction of a second.
//
// Under the settings of the recording the driver answers with the recorded
// addresses, and the result equals what PyTorch counted: see [Result.LeftAt].
// Under other settings the driver's model chooses addresses. They decide between
// blocks of equal size, so there a peak may be off by a segment.
//
// # Limits
//
// A limit is what torch.cuda.set_per_process_memory_fraction sets: how much may
// be reserved. A request that does not find room empties the cache and tries
// again, and if it fails even so, the program ends there: it does not fit. A
// recording that ran into a limit shows within which bounds that lies, see
// limit.go, and the replays keep within it unless the caller names another.
//
// # Reading the code
//
// [Run] is the command: it reads a file and prints a table. study.go is what it
// does for one GPU, replay.go the replay, driver.go its GPU. judge.go, limit.go
// and calibrate.go find out what a history does not say; start.go, restore.go and
// layout.go what was there before it. table.go, remarks.go and advice.go are the
// words, and film.go the pictures.
package whatif
