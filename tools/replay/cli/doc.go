// Package cli is what can be typed after go run ./tools/replay.
//
// Each verb has a file of its own: check compares recorded traces with the
// allocator of this workbook, whatif asks what a recorded run would have needed
// under other settings, map draws the memory of a snapshot. The work is done elsewhere; here are flags, pages and
// statuses. There are two pages: text for people, and with --json one JSON
// object a line.
//
// # How a command ends
//
// 0 says that all is well. 1 says that something differs, or that a file cannot
// be used. 2 says that the command was typed wrong. An error is one line on
// standard error. A file that cannot be used does not keep the others from being
// checked.
//
// # Flags
//
// The lessons' flags have one dash, those of the workbook's helper two. Here both
// are right: -json and --json.
package cli
