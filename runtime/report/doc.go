// Package report draws the state of the allocator as text: the tables that PyTorch
// prints of itself, to the character, and a map of the segments for a terminal.
//
// # The map
//
// A [Moment] is a snapshot, and names for those who hold its blocks. A [Style] draws
// it: [Plain] for files, [Colour] and [Blocks] for terminals. They differ in
// characters and colours only, and the package screen chooses one. Each segment is a
// bar, and all bars of a picture share a ruler, so that lengths can be compared, also
// between the two moments of [Style.Compare].
//
// A picture is never wider than it may be. Where there is little room, the sizes
// stand above the bars instead of beside them. Names are anybody's: what a terminal
// could take for a command is replaced.
//
// # How a picture is made
//
// A moment becomes strips, one for each bar; pieces of an expandable segment are one
// strip. The ruler turns bytes into characters. The labels find room for the names
// below the bars, and numbers for the names that have none. A form puts the parts of
// a strip together. All of that is lines of spans, each of one colour; the style turns
// them into text at the very end, so that widths never count a colour.
package report
