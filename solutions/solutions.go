// Package solutions has an answer for each task, and the original of each file
// that learners complete.
//
// The folder 05 holds the answers of lesson 05, one file for a task, and
// 05/starter the files as they come to a learner. Both are Go, so that they
// compile and can be graded; outside of the gap they are the same file. The
// folder exercises is a copy of the starters that learners write in.
//
// The tests of this package prove each task: its answer passes with a margin,
// its starter fails, and so do wrong answers that people are known to give,
// each on the check that is meant for it.
package solutions

import (
	"embed"
	"fmt"
)

//go:embed [0-9][0-9]
var files embed.FS

// Answer returns the source of a task's answer.
func Answer(lesson, file string) ([]byte, error) { return read(lesson + "/" + file) }

// Starter returns the source that a learner starts from.
func Starter(lesson, file string) ([]byte, error) { return read(lesson + "/starter/" + file) }

func read(path string) ([]byte, error) {
	source, err := files.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("solutions: %w", err)
	}
	return source, nil
}
