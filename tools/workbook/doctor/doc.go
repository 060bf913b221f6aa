// Package doctor looks whether a machine is as the workbook needs it.
//
// It is for the moment when something does not work and nobody knows why: an
// old Go, a workspace that is turned off, a folder that cannot be written.
//
// # What is looked at
//
// There is a list of checks. Each is a small function that looks at one thing
// and returns a [Finding]: what is, in one line, and what to do, in another. A
// finding is ok, a note, or a problem. A problem is what keeps a learner from
// the exercises, and nothing else is one. A machine without a GPU, without
// CUDA and without a C compiler gets notes and is healthy, since the simulated
// GPU needs none of them.
//
// The last check is for those who do have a GPU: it names the first thing that
// lessons on it lack, or what to type.
//
// # Nothing is changed
//
// A check only looks. What has to be tried to be known, such as writing to a
// folder, leaves nothing behind.
//
// # Surroundings
//
// A check sees the machine only through its [surroundings]: the environment,
// the files, the commands that can be run, the terminal. So tests can show it
// any machine.
package doctor
