// Package progress remembers what a learner has done: which tasks are passed,
// how often each was tried, and how many hints were shown.
//
// It is one small file of JSON, keyed by the names of tasks. Names never
// change, so the file survives when lessons are added or renumbered. A name
// that this version of the workbook does not know is kept as it is.
//
// # Nothing is lost
//
// Two windows may watch the same exercises. So a change is never written from
// memory alone: under a lock the file is read, the change is made, and the file
// is replaced as a whole. Who looks at the file sees the old one or the new
// one, never a part, even if the power fails between.
//
// A change that cannot be written stays in memory, and goes with the next one
// that can.
//
// # Damage
//
// A file that makes no sense is set aside under another name and reported, and
// the learner goes on with an empty one. One that a newer workbook wrote is no
// damage: it stays, and nothing is saved. Progress is a comfort; it must never
// stand in the way of an exercise.
package progress
