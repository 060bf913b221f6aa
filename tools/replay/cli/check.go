package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/torchmem/workbook/runtime/replay"
	"github.com/torchmem/workbook/tools/misuse"
	"github.com/torchmem/workbook/tools/replay/whatif"
)

func (a *app) check() *cobra.Command {
	simulated := false
	c := &cobra.Command{
		Use:   "check FILE...",
		Short: "Compare recorded traces with the allocator here",
		Long: `check does the operations of each recorded trace and compares every counter
after each, the log of the allocator, and the final segments, blocks, statistics
and summary. A FILE is JSON, packed with gzip or plain; a folder stands for the
traces in it. The driver gives the recorded addresses.

--json prints an object for each file: file, operations, equal (how many
operations are), first_difference (null, or an object with operation, did, what,
recorded, replayed), and error where a file cannot be used.`,
		Example: `  go run ./tools/replay check testdata/oracle/traces
  go run ./tools/replay check -json mine.json.gz`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misuse.Newf("check wants the files of recorded traces; check --help explains them")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			files, err := tracesIn(args)
			if err != nil {
				return err
			}
			run := replay.Recorded
			if simulated {
				run = replay.Modelled
			}
			return a.checkAll(c.Context(), files, run)
		},
	}
	c.Flags().BoolVar(&simulated, "simulated", false, "use the addresses of the simulated driver instead")
	return c
}

// replayer is one of the two ways to replay.
type replayer func(context.Context, *replay.Trace, replay.Progress) (replay.Result, error)

// checkAll checks every file and prints each result at once.
func (a *app) checkAll(ctx context.Context, files []string, run replayer) error {
	equal := 0
	for _, file := range files {
		o := a.checkOne(ctx, file, run)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := a.show(o); err != nil {
			return err
		}
		if o.allEqual() {
			equal++
		}
	}
	if len(files) > 1 && !a.json {
		fmt.Fprintf(a.out, "%d of %d files equal\n", equal, len(files))
	}
	if equal < len(files) {
		return errFailed
	}
	return nil
}

// checkOne checks a file, and shows on a terminal how far it is.
func (a *app) checkOne(ctx context.Context, file string, run replayer) outcome {
	p := a.progress("reading " + file)
	defer p.end()
	trace, err := replay.Read(file)
	if err != nil {
		return outcome{File: file, Error: err.Error()}
	}
	result, err := run(ctx, trace, func(done int) {
		p.say(fmt.Sprintf("%s: %d of %d operations", file, done, len(trace.Ops)))
	})
	if err != nil {
		return outcome{File: file, Error: fmt.Sprintf("%s: %v", file, err)}
	}
	return outcome{File: file, Operations: result.Operations, Equal: result.Equal, First: result.First}
}

// outcome is what is printed of a file.
type outcome struct {
	File       string             `json:"file"`
	Operations int                `json:"operations"`
	Equal      int                `json:"equal"`
	First      *replay.Difference `json:"first_difference"`
	Error      string             `json:"error,omitempty"`
}

func (o outcome) allEqual() bool { return o.First == nil && o.Error == "" }

// show prints an outcome.
func (a *app) show(o outcome) error {
	if a.json {
		return a.printJSON(o)
	}
	if o.Error != "" {
		a.complain(o.Error)
		return nil
	}
	_, err := io.WriteString(a.out, o.text())
	return err
}

// text spells an outcome for people.
func (o outcome) text() string {
	text := fmt.Sprintf("%s: %d of %d operations equal\n", o.File, o.Equal, o.Operations)
	if d := o.First; d != nil {
		text += fmt.Sprintf("  first difference at operation %d, %s\n  %s\n    recorded %s\n    replayed %s\n",
			d.Operation, d.Did, whatif.Printable(d.What), side(d.Recorded), side(d.Replayed))
	}
	return text
}

// side spells one side of a difference: a number or a text, which may be anybody's
// and long.
func side(v any) string { return whatif.Printable(fmt.Sprint(v)) }
