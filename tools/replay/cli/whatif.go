package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/torchmem/workbook/tools/misuse"
	"github.com/torchmem/workbook/tools/replay/whatif"
)

func (a *app) whatif() *cobra.Command {
	var o whatif.Options
	limit := ""
	c := &cobra.Command{
		Use:   "whatif SNAPSHOT",
		Short: "What would my run have needed under other settings?",
		Long: `whatif reads a snapshot of PyTorch 2.1 or later, replays its history under the
settings of the recording and under each named one, and compares what they need.
Python makes a snapshot with

  torch.cuda.memory._record_memory_history()
  ...
  torch.cuda.memory._dump_snapshot("run.pickle")

The last line of the answer is advice. Without --limit, each row may reserve as
much as the recording could.

--json prints an object for each row: device, alloc_conf, peak_allocated_bytes,
peak_reserved_bytes, idle_bytes (reserved but not allocated, when the most was
reserved), num_device_alloc, num_device_free, num_alloc_retries, fits, and
failed_at_event (null where all fits).`,
		Example: `  go run ./tools/replay whatif run.pickle -alloc-conf expandable_segments:True
  go run ./tools/replay whatif run.pickle -limit 24GiB
  go run ./tools/replay whatif run.pickle -limit 24GiB -html run.html`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return misuse.Newf("whatif wants one snapshot, %d files are given; whatif --help explains it", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) (err error) {
			o.File, o.JSON = args[0], a.json
			for _, name := range []string{"html", "snapshot"} {
				if f := c.Flags().Lookup(name); f.Changed && f.Value.String() == "" {
					return misuse.Newf("-%s is empty: it wants the name of a file", name)
				}
			}
			if c.Flags().Changed("limit") {
				if o.Limit, err = whatif.ParseLimit(limit); err != nil {
					return asMisuse(err)
				}
			}
			return asMisuse(a.runWhatif(c.Context(), o))
		},
	}
	// Settings have commas in them, so a value is not cut at commas.
	c.Flags().StringArrayVar(&o.Confs, "alloc-conf", nil, "also try these `SETTINGS`, spelled as in PYTORCH_CUDA_ALLOC_CONF; may be repeated")
	c.Flags().StringVar(&o.HTML, "html", "", "also write a page for the browser to this `FILE`: the memory under all settings")
	c.Flags().StringVar(&o.Snapshot, "snapshot", "", "also write a snapshot to this `FILE`, as if PyTorch had run under the settings named last")
	c.Flags().StringVar(&limit, "limit", "", "reserve no more than this `SIZE`: 24GiB")
	return c
}

// runWhatif shows on a terminal how far it is, and prints the page when that
// line is gone.
func (a *app) runWhatif(ctx context.Context, o whatif.Options) error {
	var page bytes.Buffer
	p := a.progress("reading " + o.File)
	err := whatif.Run(ctx, o, &page, p)
	p.end()
	if _, printing := page.WriteTo(a.out); err == nil {
		err = printing
	}
	if files := slices.DeleteFunc([]string{o.HTML, o.Snapshot}, func(name string) bool { return name == "" }); err == nil && len(files) > 0 {
		fmt.Fprintln(a.errOut, "wrote", strings.Join(files, ", "))
	}
	return err
}

// asMisuse tells the errors of the one who types from all others.
func asMisuse(err error) error {
	var wrong *whatif.MisuseError
	if errors.As(err, &wrong) {
		return misuse.Newf("%v", wrong)
	}
	return err
}
