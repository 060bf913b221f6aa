// Package lesson runs a lesson: it shows each statement of a program with the
// counters after it, draws what the memory looks like at the end, and says
// what to notice.
//
// A lesson is a folder with two files. main.go holds its programs: Go
// functions that read like the Python they mirror. lesson.md holds the prose.
// [Main] brings them together:
//
//	func main() {
//		lesson.Main(lesson.Lesson{Number: "03", Prose: prose, Programs: []lesson.Program{
//			{Name: "s22_empty_cache", Run: emptyCache},
//		}})
//	}
//
// # A program
//
// A program is handed its device and a [Show]. The device is fresh: nothing of
// the program before is left on it. After each statement the program calls
// show.Statement with the statement as Python spells it; that makes a row.
//
// # Rows and recordings
//
// Programs mirror recordings that were made with PyTorch on a real GPU. A row
// that mirrors a recorded row has its label, and all its counters and
// allocator events are compared with the recording in the project's tests.
// What the recording does not have is shown with show.Aside.
package lesson

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/torchmem/workbook/runtime/device"
	"github.com/torchmem/workbook/runtime/site"
	"github.com/torchmem/workbook/runtime/torch"
)

// Lesson is one section of the workbook.
type Lesson struct {
	// Number is the name of the folder: 03.
	Number string
	// Prose is the text of lesson.md.
	Prose    string
	Programs []Program
}

// Program is one story on a fresh device.
type Program struct {
	// Name is that of the recording which the program mirrors.
	Name string
	Run  func(torch *torch.Torch, show *Show)
}

// Main runs the lesson with the command line's flags and ends the process: with
// status 2 after a wrong flag or setting, with 1 after any other fault.
func Main(l Lesson) {
	os.Exit(Run(l, os.Args[1:], os.Stdout, os.Stderr))
}

// Run runs the lesson and returns the exit status.
func Run(l Lesson, args []string, stdout, stderr io.Writer) int {
	opts, err := parseOptions(l, args, stdout)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		return fail(stderr, l, 2, err)
	}
	if err := opts.run(stdout); err != nil {
		return fail(stderr, l, 1, err)
	}
	if opts.wanted() {
		fmt.Fprintln(stderr, opts.files.written())
	}
	return 0
}

// fail prints the error as one line and returns the status.
func fail(stderr io.Writer, l Lesson, status int, err error) int {
	text := strings.ReplaceAll(err.Error(), "\n", "; ")
	fmt.Fprintf(stderr, "lesson %s: %s\n", l.Number, text)
	return status
}

// run shows the lesson's programs one after the other.
func (o *options) run(stdout io.Writer) error {
	if err := o.meet(); err != nil {
		return err
	}
	if o.wanted() {
		var err error
		if o.pictures, err = o.newPictures(); err != nil {
			return err
		}
	}
	page, err := o.page(stdout)
	if err != nil {
		return err
	}
	err = o.runPrograms(page)
	if o.pictures == nil {
		return err
	}
	return cmp.Or(err, o.pictures.end())
}

func (o *options) runPrograms(page page) error {
	for _, p := range o.programs {
		if err := o.runProgram(p, page); err != nil {
			page.abandon()
			return fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	return page.end()
}

// runProgram runs one program on a device of its own and makes sure that it
// leaves nothing behind.
func (o *options) runProgram(p Program, page page) (err error) {
	d, err := o.open()
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, device.Close(d)) }() // the first error is the cause
	t, err := torch.New(d, o.settings)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, t.Close()) }()
	show := newShow(o.lesson, p, t, page)
	defer show.stop()
	if o.pictures != nil {
		show.recorder = o.pictures.record(p, t)
		defer func() { err = cmp.Or(err, o.pictures.finish(p, t, show.recorder)) }()
	}
	if o.isReal() {
		show.gauge = newGauge(t)
	}
	if err := page.begin(p); err != nil {
		return err
	}
	if err := guard(func() { p.Run(t, show) }); err != nil {
		return err
	}
	return page.finish(p, t, show)
}

// guard runs the function and returns what it raised, with the line that it
// came from. A mistake of Go, such as an index outside a slice, is no error of
// the program: it panics on.
func guard(f func()) (err error) {
	defer func() {
		switch raised := recover().(type) {
		case nil:
		case runtime.Error:
			panic(raised)
		case error:
			err = fmt.Errorf("%w (at %s)", raised, site.OfPanic())
		default:
			panic(raised)
		}
	}()
	f()
	return nil
}
