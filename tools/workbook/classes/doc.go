// Package classes writes results for those who teach: as Gradescope's
// results.json, and as JUnit XML, which most services for builds and classes
// read.
//
// # Credit
//
// JUnit knows only pass and fail. Gradescope gives points, and each task is
// worth one. A task that passes earns it.
//
// A task that does not pass earns a part, and never all: the share of its limits
// that it keeps. A limit on a metric counts as kept if it is kept in every case.
// Single checks are not counted, because an exercise that nobody has touched
// passes most of them.
//
// Little memory is worth nothing if the numbers are wrong. So values and
// gradients earn nothing and are needed for the rest. The same goes for playing
// fair: the file is as it was outside of the gap, the work is not moved to the
// CPU, and the program compiles and runs to its end.
//
// Where a task has several limits, the program that a learner starts from may
// keep some of them. A file that is as it came earns nothing all the same. A
// class that wants a pass or nothing counts the tests whose status is passed.
//
// # Text
//
// What a learner's program printed is in both files, cut in the middle if it is
// long. It may be anything, so what is no text, or colour, is taken out of it.
package classes
