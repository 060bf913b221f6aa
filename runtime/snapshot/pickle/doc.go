// Package pickle reads the data that Python's pickle module writes, and writes
// such data. It knows nothing else of Python.
//
// # What a pickle is
//
// A pickle is a little program for a machine with a stack. Most of its steps
// push a number or a text, or put what lies on the stack into a list or a dict.
// Some steps look up a function by its name and call it: that is how Python
// restores objects, and how a hostile file makes Python run whatever it likes.
// Here those steps are refused. A file can make this package do one thing only:
// build lists, dicts, texts and numbers.
//
// # Why not a library
//
// A snapshot comes from somewhere else and may be long. Of the two libraries for
// Go, one returns a list that is used twice as an empty one the second time and
// has no bound on memory, the other takes the length that a file claims and
// makes room for it before it looks. Neither is kept up much. The steps that
// data needs are few, so they are here.
//
// # Limits
//
// A pickle that is long may take more memory than a short one: some bytes for
// each byte read, and a fixed sum, up to some gigabytes. What asks for more is
// refused. Nothing here calls itself, so nesting costs no stack of Go. Time is
// linear in the bytes.
//
// # Objects on the way
//
// A snapshot is a list of millions of dicts with the same eight keys. Kept as
// dicts they would take five times the memory of Go structs. So a [Maker] is
// shown each dict and each list as soon as it is complete, and may put an object
// of its own in its place.
//
// # Writing
//
// An [Encoder] is told the parts of what it writes, one after the other. A reader
// of its pickles needs no more than a dozen kinds of steps.
package pickle
