package whatif

import (
	"fmt"
	"math"
	"slices"

	"github.com/dustin/go-humanize"
)

// expandable is the setting that most often helps.
const expandable = "expandable_segments:True"

// advice is one line that follows from the numbers.
func (c *comparison) advice() string {
	if c.limit > 0 {
		return c.adviceWithin()
	}
	first, others := c.rows[0], c.rows[1:]
	if len(others) == 0 {
		return c.adviceAlone(first)
	}
	best := slices.MinFunc(others, func(x, y row) int { return compareFit(x, y) })
	// What was cached before a late begin is no fault of the settings.
	now, atLeast := first.Result, ""
	if c.program.Start.Reserved > 0 {
		atLeast = "at least "
		if c.fair.Fits() && c.fair.PeakReserved < now.PeakReserved {
			now = c.fair
		}
	}
	saved := now.PeakReserved - best.PeakReserved
	if !best.Fits() || 100*saved < now.PeakReserved {
		return "Keep the recorded settings: no other reserves noticeably less."
	}
	return fmt.Sprintf("%s reserves %s%s bytes (%d %%) less%s.",
		title(best.conf), atLeast, humanize.Comma(saved), percent(saved, now.PeakReserved), price(best, now))
}

// adviceAlone judges the recorded settings without any to compare with.
func (c *comparison) adviceAlone(first row) string {
	share := percent(first.Idle, first.PeakReserved)
	if 10*first.Idle < first.PeakReserved || c.cfg.ExpandableSegments {
		return fmt.Sprintf("%d %% of the peak is idle: settings save little, smaller or fewer tensors do.", share)
	}
	return fmt.Sprintf("%d %% of the peak is idle: try -alloc-conf %s.", share, expandable)
}

// adviceWithin says which settings fit.
func (c *comparison) adviceWithin() string {
	limit := humanize.Comma(c.limit)
	if held := c.program.Held(); held > c.limit {
		return fmt.Sprintf("No setting can help: the program itself holds %s bytes at once.", humanize.Comma(held))
	}
	best := slices.MinFunc(c.rows, compareFit)
	switch {
	case !best.Fits() && c.tried(expandable):
		return fmt.Sprintf("None fits into %s bytes: fewer bytes must be held at once.", limit)
	case !best.Fits():
		return fmt.Sprintf("None fits into %s bytes: try -alloc-conf %s.", limit, expandable)
	case c.rows[0].Fits() && c.rows[0].Retries <= best.Retries:
		return fmt.Sprintf("It fits as recorded, with %s bytes to spare.", humanize.Comma(c.limit-c.rows[0].PeakReserved))
	default:
		return fmt.Sprintf("%s fits, with %s and %s bytes to spare.", title(best.conf),
			count(int(best.Retries), "retry", "retries"), humanize.Comma(c.limit-best.PeakReserved))
	}
}

func (c *comparison) tried(conf string) bool {
	return slices.ContainsFunc(c.rows, func(r row) bool { return r.conf == conf })
}

// compareFit puts what fits first, then what retries less, then what reserves
// less.
func compareFit(x, y row) int {
	if x.Fits() != y.Fits() {
		if x.Fits() {
			return -1
		}
		return 1
	}
	if x.Retries != y.Retries {
		return int(x.Retries - y.Retries)
	}
	return int(min(max(x.PeakReserved-y.PeakReserved, -1), 1))
}

// price tells what a saving costs, if it costs something.
func price(best row, instead Result) string {
	calls, before := best.Mallocs+best.Frees, instead.Mallocs+instead.Frees
	if calls <= 2*before {
		return ""
	}
	return fmt.Sprintf(", for %s calls of the driver in place of %s", humanize.Comma(calls), humanize.Comma(before))
}

// percent is the nearest whole number.
func percent(part, of int64) int64 {
	if of == 0 {
		return 0
	}
	return int64(math.Round(100 * float64(part) / float64(of)))
}
