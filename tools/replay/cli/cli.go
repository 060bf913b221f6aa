package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/torchmem/workbook/tools/misuse"
	"github.com/torchmem/workbook/tools/replay/whatif"
)

// Main runs a command line and returns its exit status.
func Main(args []string, out, errOut io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends the program at once
	a := &app{out: out, errOut: errOut}
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
		a.json = a.json || slices.Contains(args, "--json")
		a.report(err)
	}
	return misuse.Status(err)
}

// app is what the verbs share.
type app struct {
	out, errOut io.Writer
	// json asks for JSON instead of text.
	json bool
}

// report says what went wrong, in one line.
func (a *app) report(err error) {
	if a.json {
		a.printJSON(map[string]string{"error": err.Error()})
		return
	}
	a.complain(err.Error())
}

// complain prints one line, whatever the text holds.
func (a *app) complain(text string) {
	fmt.Fprintf(a.errOut, "replay: %s\n", whatif.Printable(strings.ReplaceAll(text, "\n", "; ")))
}

// printJSON prints a value as one line.
func (a *app) printJSON(v any) error {
	e := json.NewEncoder(a.out)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// errFailed ends a command that has said already what is wrong.
var errFailed = errors.New("something differs")

// word is a flag with a name and one dash.
var word = regexp.MustCompile(`^-[a-z][a-z-]+(=|$)`)

// twoDashes lets flags have one dash. No flag here has a name of one letter but
// -h, so nothing else can be meant.
func twoDashes(args []string) []string {
	out := make([]string, len(args))
	flags := true
	for i, arg := range args {
		if flags = flags && arg != "--"; flags && word.MatchString(arg) {
			arg = "-" + arg
		}
		out[i] = arg
	}
	return out
}
