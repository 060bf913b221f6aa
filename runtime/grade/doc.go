// Package grade runs a learner's function on a GPU that is watched, and says
// what it did to memory.
//
// # A task
//
// A [Task] is one exercise: a reference function, whose values are right and
// whose memory nobody looks at, and some cases. A [Case] is one input: it makes
// a model and data of some size from some seed, calls the function inside
// [Run.Measure], and shows what came out with [Run.Value] and [Run.Gradients].
// Each case has limits on what the function may use. There are several cases,
// so that a constant or a lucky size passes none of them all.
//
// # What is measured
//
// The grader does not ask the program's own counters, which a program can
// reset. It counts at the source: every call of the driver's malloc goes
// through a driver that counts, and after every allocation it looks at what is
// allocated. That is why it also knows the line that set a peak, and by running
// the case a second time it can stop there and list what was alive.
//
// The random numbers of a case come from its seed, so the second run is the
// first once more, unless the function asks Go for something that differs: the
// time, a random number, the order of a map, the turns of goroutines. Then the
// list may be of another moment. What passes is decided by the first run alone.
//
// # What is compared
//
// What comes out is compared with what comes out of the reference function for
// the same input: shapes, and numbers up to the rounding of float32. A gradient
// that is missing is an error of its own.
//
// # The verdict
//
// A [Verdict] holds a [Check] for each case and [Metric], and says what was not
// graded. A case that grades nothing fails: a pass always means something.
package grade
