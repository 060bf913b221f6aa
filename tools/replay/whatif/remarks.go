package whatif

import (
	"fmt"
	"math"

	"github.com/dustin/go-humanize"
)

// allRemarks says what a reader of the numbers has to know.
func (c *comparison) allRemarks() []string {
	all := c.remarks
	add := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	p := c.program
	if len(p.Start.Segments) > 0 {
		add("%s", c.startRemark())
	}
	if n := p.Recorded.OOMs; n > 0 {
		add("In the recording, %s failed for want of memory, and %s left out here.",
			count(n, "request", "requests"), plural(n, "is", "are"))
	}
	switch {
	case c.limit > 0:
		add("At most %s bytes may be reserved.", humanize.Comma(c.limit))
	case c.study.limit < noLimit:
		add("Requests of the recording found no room: it could reserve some %s at most, and so may each row.",
			humanize.IBytes(uint64(c.study.limit)))
	case c.bounds.below < math.MaxInt64:
		add("Requests of the recording found no room, but no one limit explains them all. The rows have none.")
	}
	if n := p.Recorded.Strange; n > 0 {
		add("%s of a kind that is not known here %s passed over.", count(n, "event", "events"), plural(n, "is", "are"))
	}
	if n := p.Recorded.Gone; n > 0 {
		add("%s of the history %s missing in the snapshot.", count(n, "segment", "segments"), plural(n, "is", "are"))
	}
	if c.limit == 0 && (c.rows[0].LeftAt >= 0 || c.rows[0].PeakReserved != p.Recorded.PeakReserved) {
		add("%s", c.leftRemark())
	}
	return all
}

// startRemark tells about a history that begins in the middle.
func (c *comparison) startRemark() string {
	start := c.program.Start
	bytes := int64(0)
	for _, b := range start.Blocks {
		bytes += max(b.Size, b.Whole)
	}
	text := fmt.Sprintf("The history begins in the middle: %s reserved, with %s of %s bytes. "+
		"What was before is unknown, its peaks too.",
		humanize.Comma(start.Reserved)+" bytes were", count(len(start.Blocks), "block", "blocks"), humanize.Comma(bytes))
	if n := c.unsure(); n > 0 {
		text += fmt.Sprintf(" Up to 1 MiB more for each of %s may have been allocated.", count(n, "block", "blocks"))
	}
	if !c.exact {
		return text + " The cache at the start could not be built, so all replays begin without."
	}
	if len(c.rows) > 1 {
		text += fmt.Sprintf(" Other settings begin with these blocks and no cache; so begun, the recorded ones reserve %s bytes.",
			humanize.Comma(c.fair.PeakReserved))
	}
	return text
}

// leftRemark tells that the first row is not what was recorded.
func (c *comparison) leftRemark() string {
	text := fmt.Sprintf("The recording reserved %s bytes at its peak.", humanize.Comma(c.program.Recorded.PeakReserved))
	if at := c.rows[0].LeftAt; at >= 0 {
		text += fmt.Sprintf(" The replay does something else from event %s on.", humanize.Comma(int64(at)))
	}
	return text
}

// count spells a number of things.
func count(n int, one, many string) string {
	return humanize.Comma(int64(n)) + " " + plural(n, one, many)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
