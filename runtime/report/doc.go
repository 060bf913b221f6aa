// Package report draws the state of the allocator as text: the table that
// torch.cuda.memory_summary prints, and a map of the segments for a terminal.
package report
