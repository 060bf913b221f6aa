package predict

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/torchmem/workbook/lessons/lesson"
)

// counter is one of the three that the game asks for.
type counter struct {
	name string
	of   func(lesson.Row) int64
}

// counters stand in the order in which they are asked.
var counters = []counter{
	{allocated, func(r lesson.Row) int64 { return r.AllocatedBytes }},
	{reserved, func(r lesson.Row) int64 { return r.ReservedBytes }},
	{peak, func(r lesson.Row) int64 { return r.AllocatedPeak }},
}

// The names of the counters, as a lesson's page heads its columns.
const (
	allocated = "allocated"
	reserved  = "reserved"
	peak      = "peak"
)

// spell writes a number of bytes exactly, and also short where that is easier
// to read: 4,000,256 (3.8 MiB).
func spell(n int64) string {
	if n < 1024 {
		return humanize.Comma(n)
	}
	return fmt.Sprintf("%s (%s)", humanize.Comma(n), short(uint64(n)))
}

// short writes a number with one decimal, or with none if it has none. So what
// a learner reads here is right as an answer too.
func short(n uint64) string {
	whole := humanize.IBytesN(n, 1)
	if exact, err := humanize.ParseBytes(whole); err == nil && exact == n {
		return whole
	}
	return humanize.IBytesN(n, strings.Index(whole, " ")+1)
}

// change is what a statement did to the three counters.
type change [3]int64

func changeOf(before, after lesson.Row) change {
	var c change
	for i, k := range counters {
		c[i] = k.of(after) - k.of(before)
	}
	return c
}
