// Package project knows where a learner's things are.
//
// The workbook is a folder. In it, the folder exercises holds the files that
// the learner completes, one folder for a lesson and one file for a task. The
// folder .workbook holds what the tools remember: the learner's progress, and
// copies of files that were put back. Git does not look at it.
//
// A command may be typed anywhere inside the workbook. [Find] walks up until it
// sees the exercises. Nothing else in the tools asks where they stand.
package project
