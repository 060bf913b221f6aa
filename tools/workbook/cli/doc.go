// Package cli is what a learner types: the verbs of go run ./tools/workbook.
//
// Each verb has a file of its own. It says in its help what it does, finds the
// tasks that it is asked about, lets another package do the work, and puts the
// result on the page. There are two pages: text for people, never wider than 80
// columns, and with --json one JSON value for programs.
//
// # How a command ends
//
// Three exit statuses are enough. 0 says that all is well: what was graded
// passes, what was asked for is done. 1 says that a task fails, or that
// something broke. 2 says that the command was typed wrong. An error is one line
// on standard error that says what to do, and under --json an object with the
// key error on standard output.
//
// Losing the file of progress is not an error. It is a warning, and the command
// does its work.
package cli
