// Package verdicts grades a learner's files.
//
// Go has all that grading needs: go test compiles a lesson's folder, runs the
// tests of the tasks, and reports what happens as a stream of events, one JSON
// object a line. A task's test writes the grader's verdict into a folder of
// ours. So the learner's file is compiled and run by the same command that the
// learner can type, and this package only listens.
//
// Sometimes there is no verdict: the file is gone, does not compile, runs
// without end, or ends the whole program. Then a [Result] has a problem instead,
// said in a line or two with the learner's own line first.
//
// The tasks of a lesson are one Go package, and a file that does not compile
// takes its neighbours with it. So go test is asked again, with the original of
// that file in its place, and each task gets the grade that it deserves.
package verdicts
