// Package watch is a full-screen view for a learner who writes in an editor
// beside it.
//
// It shows one task. Whenever a Go file of the task's folder is saved, the task
// is graded, and the new verdict takes the place of the old one: what was used
// against what may be used, the line that set the peak, what was alive then,
// and how it lay in the segments.
//
// # How it is made
//
// The view is a Bubble Tea program, so it has three parts that meet nowhere
// else. The model is all that the view knows. Update takes a message, a key or
// a verdict or a save, and returns the next model. View draws a model. None of
// the three waits or touches a file: whatever takes time is a command, which
// runs beside them and ends in a message. So tests hand messages to a model and
// look at what it draws, without a terminal.
//
// # A save
//
// Editors save in their own ways: they write a second file and rename it, or
// empty the file and write it again. So it is the folder that is watched, and a
// save is over when the folder has been quiet for a moment. Some folders cannot
// be watched, those of some network drives for instance. They are looked at a
// few times a second instead.
//
// A save while a task is being graded ends that run and starts a new one. A
// verdict that comes too late is not shown.
package watch
