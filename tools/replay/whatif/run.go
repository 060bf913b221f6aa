package whatif

import (
	"context"
	"fmt"
	"io"

	"github.com/dustin/go-humanize"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/snapshot"
)

// Options are what a caller asks for.
type Options struct {
	// File is a snapshot, plain or packed with gzip.
	File string
	// Confs are settings to compare with those of the recording, spelled as
	// in PYTORCH_CUDA_ALLOC_CONF.
	Confs []string
	// Limit is how many bytes may be reserved, zero for as many as in the
	// recording.
	Limit int64
	// JSON asks for one object a line in place of the table.
	JSON bool
	// HTML is the file for a page with all replays, and Snapshot the one for a
	// snapshot of the last of them. Without a name there is none.
	HTML, Snapshot string
}

// MisuseError is a request that cannot be met, whatever the file holds.
type MisuseError struct{ text string }

func (e *MisuseError) Error() string { return e.text }

func misusef(format string, args ...any) error { return &MisuseError{fmt.Sprintf(format, args...)} }

// ParseLimit reads a size such as 24GiB, 24GB or 24000000000.
func ParseLimit(text string) (int64, error) {
	n, err := humanize.ParseBytes(text)
	if err != nil || n == 0 || n > uint64(noLimit/2) {
		return 0, misusef("%q is no limit; write a size such as 24GiB", text)
	}
	return int64(n), nil
}

// Run replays the history of a snapshot under the recorded settings and under
// each named one, and prints what each needs. Progress gets a short text now and
// then, one in each Write and without a line end; it may be nil. The error is a
// [*MisuseError] if the options are wrong, else something is wrong with the
// file. It is one line.
func Run(ctx context.Context, o Options, out, progress io.Writer) error {
	rivals, err := o.settings()
	if err != nil {
		return err
	}
	if err := o.check(); err != nil {
		return err
	}
	told := teller(o.File, progress)
	s, err := read(ctx, o.File, told)
	if err != nil {
		return err
	}
	some, shown := false, &album{file: o.File}
	for device, events := range s.Traces {
		if len(events) == 0 {
			continue
		}
		some = true
		if err := o.one(ctx, s, device, rivals, told, out, shown); err != nil {
			return fmt.Errorf("%s, GPU %d: %w", o.File, device, err)
		}
	}
	if !some {
		return fmt.Errorf("%s: the snapshot has no history; "+
			"call torch.cuda.memory._record_memory_history() before what is to be recorded", o.File)
	}
	return o.write(shown)
}

// setting is one that the recorded ones are compared with.
type setting struct {
	conf string
	cfg  caching.Config
}

// settings reads those that are named.
func (o Options) settings() ([]setting, error) {
	if o.Limit < 0 {
		return nil, misusef("a limit of %d bytes", o.Limit)
	}
	var all []setting
	for _, conf := range o.Confs {
		cfg, err := caching.ParseConfig(conf)
		if err != nil {
			return nil, misusef("the settings %q: %v", conf, err)
		}
		if f := cfg.MemoryFraction; f != nil && *f < 1 && o.Limit == 0 {
			return nil, misusef("the settings %q name a fraction of the GPU's memory, "+
				"which a snapshot does not tell; give it with -limit", conf)
		}
		all = append(all, setting{conf, cfg})
	}
	return all, nil
}

// one replays the history of one GPU and prints the results.
func (o Options) one(ctx context.Context, s *snapshot.Snapshot, device int, rivals []setting, told tell, out io.Writer, shown *album) error {
	st, err := newStudy(ctx, s, device, told)
	if err != nil {
		return err
	}
	st.films = o.films()
	c := &comparison{study: st, file: o.File, device: device, limit: o.Limit}
	if err := c.replay(ctx, rivals); err != nil {
		return err
	}
	if o.films() {
		shown.add(c, len(s.Traces))
	}
	if o.JSON {
		return c.writeJSON(out)
	}
	return c.writeText(out)
}

// comparison is the results for one GPU.
type comparison struct {
	*study
	file   string
	device int
	// limit is the caller's, zero for none.
	limit int64
	// rows begin with the recorded settings.
	rows []row
	// filmed has the film of each row, nil where there is none.
	filmed []*film
	// fair is what the recorded settings need from an empty cache on, where
	// the others begin.
	fair Result
}

type row struct {
	conf string
	Result
}

// replay fills in the rows.
func (c *comparison) replay(ctx context.Context, rivals []setting) error {
	limit, recorded := c.study.limit, c.study.recorded
	if c.limit > 0 {
		limit = c.limit
		recorded = func(ctx context.Context) (Result, error) { return c.recordedWithin(ctx, limit) }
	}
	first, err := recorded(ctx)
	if err != nil {
		return err
	}
	c.add(c.conf, first, firstName(c.conf))
	c.fair = first
	if c.program.Start.Reserved > 0 && len(rivals) > 0 {
		if c.fair, err = c.under(ctx, c.conf, c.cfg, limit); err != nil {
			return err
		}
	}
	for _, r := range rivals {
		result, err := c.under(ctx, r.conf, r.cfg, limit)
		if err != nil {
			return fmt.Errorf("under %s: %w", title(r.conf), err)
		}
		c.add(r.conf, result, "under "+title(r.conf))
	}
	return nil
}

// add adds a row with the film of the last replay, if there is one.
func (c *comparison) add(conf string, result Result, title string) {
	c.rows = append(c.rows, row{conf, result})
	if c.last != nil {
		c.last.Title, c.last.Device = title+c.fate(result), fmt.Sprintf("GPU %d", c.device)
	}
	c.filmed = append(c.filmed, c.last)
	c.last = nil
}

// firstName names the first row.
func firstName(conf string) string { return "as recorded: " + title(conf) }

// fate adds to the name of a film what its picture cannot show: the limit, and the
// request that did not fit.
func (c *comparison) fate(r Result) string {
	text := ""
	if c.limit > 0 {
		text = fmt.Sprintf(", within %s bytes", humanize.Comma(c.limit))
	}
	if r.Fits() {
		return text
	}
	return text + "; fails at " + c.event(r.FailedAt)
}
