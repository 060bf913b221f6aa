package whatif

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/dustin/go-humanize"
)

// width is how wide a line may be.
const width = 80

const head = `
                                                  calls of the driver
  peak allocated   peak reserved    idle at peak  mallocs   frees retries  fits
`

// writeText prints a table for people.
func (c *comparison) writeText(out io.Writer) error {
	var s strings.Builder
	s.WriteString(wrap(fmt.Sprintf("%s, GPU %d: %s, in bytes", Printable(filepath.Base(c.file)), c.device,
		count(len(c.events), "event", "events"))))
	for _, r := range c.allRemarks() {
		s.WriteString(wrap(r))
	}
	s.WriteString(head)
	for i, r := range c.rows {
		name := title(r.conf)
		if i == 0 {
			name = firstName(r.conf)
		}
		s.WriteString(c.text(name, r))
	}
	s.WriteString("\n" + wrap(c.advice()) + "\n")
	_, err := io.WriteString(out, s.String())
	return err
}

// text spells one row: the settings have a line of their own.
func (c *comparison) text(name string, r row) string {
	fits := "yes"
	if !r.Fits() {
		fits = "no"
	}
	text := wrap(name) + fmt.Sprintf("%16s%16s%16s%9s%8s%8s  %s\n",
		humanize.Comma(r.PeakAllocated), humanize.Comma(r.PeakReserved), humanize.Comma(r.Idle),
		humanize.Comma(r.Mallocs), humanize.Comma(r.Frees), humanize.Comma(r.Retries), fits)
	if r.Fits() {
		return text
	}
	if r.FailedEarly {
		return text + wrap("  fails before the first event: the blocks that were there do not fit")
	}
	return text + wrap("  fails at "+c.event(r.FailedAt))
}

// event names an event, what it asked for, and the line of the program.
func (c *comparison) event(n int) string {
	e := c.events[n]
	text := fmt.Sprintf("event %s: %s of %s bytes", humanize.Comma(int64(n)), Printable(string(e.Action)), humanize.Comma(e.Size))
	if len(e.Frames) > 0 {
		f := caller(e.Frames)
		text += Printable(fmt.Sprintf(" in %s (%s:%d)", f.Name, filepath.Base(f.Filename), f.Line))
	}
	return text
}

func wrap(text string) string { return ansi.Wrap(text, width, ",") + "\n" }

// line is a row as JSON.
type line struct {
	Device        int    `json:"device"`
	Conf          string `json:"alloc_conf"`
	PeakAllocated int64  `json:"peak_allocated_bytes"`
	PeakReserved  int64  `json:"peak_reserved_bytes"`
	Idle          int64  `json:"idle_bytes"`
	Mallocs       int64  `json:"num_device_alloc"`
	Frees         int64  `json:"num_device_free"`
	Retries       int64  `json:"num_alloc_retries"`
	Fits          bool   `json:"fits"`
	FailedAt      *int   `json:"failed_at_event"`
}

// writeJSON prints one object for each row.
func (c *comparison) writeJSON(out io.Writer) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	for _, r := range c.rows {
		l := line{
			c.device, r.conf, r.PeakAllocated, r.PeakReserved, r.Idle, r.Mallocs, r.Frees, r.Retries, r.Fits(), nil,
		}
		if !r.Fits() {
			l.FailedAt = &r.FailedAt
		}
		if err := e.Encode(l); err != nil {
			return err
		}
	}
	return nil
}
