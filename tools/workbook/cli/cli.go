package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"syscall"

	"github.com/torchmem/workbook/tools/misuse"
)

// Main runs a command line and returns its exit status.
func Main(args []string, in io.Reader, out, errOut io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends the program at once
	a := newApp(in, out, errOut)
	root := a.root()
	args = twoDashes(args)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	if !errors.Is(err, errFailed) {
		// A command line that cannot be read may not have come as far as
		// the flag.
		a.report(err, a.json || slices.Contains(args, "--json"))
	}
	return misuse.Status(err)
}

// oneDash is a long flag as Go's own commands, and the lessons, spell it.
var oneDash = regexp.MustCompile(`^-[a-z]{2}`)

// twoDashes spells such flags as this command's library wants them.
func twoDashes(args []string) []string {
	spelled := slices.Clone(args)
	for i, arg := range spelled {
		if arg == "--" {
			break
		}
		if oneDash.MatchString(arg) {
			spelled[i] = "-" + arg
		}
	}
	return spelled
}

// errFailed ends a command that has said already what fails.
var errFailed = errors.New("some tasks fail")

// report says what went wrong.
func (a *app) report(err error, asJSON bool) {
	if asJSON {
		a.printJSON(map[string]string{"error": err.Error()})
		return
	}
	fmt.Fprintf(a.errOut, "workbook: %v\n", err)
}
