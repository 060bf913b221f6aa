package oracle

import (
	"fmt"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
)

// Log spells events so that two runs can be compared. Addresses are random in a
// real process, so they are replaced: each allocation gets a number, and a free
// says the number of the allocation that it ends. Segments of one size go back
// to the driver in the order of their addresses, so they have no number.
type Log struct {
	made   int
	number map[gpu.Ptr]int
}

// NewLog returns a log that has seen nothing.
func NewLog() *Log { return &Log{number: map[gpu.Ptr]int{}} }

// Spell returns a line for each event. Events of one run go to one log, in
// their order.
func (l *Log) Spell(events []Event) []string {
	var lines []string
	for _, e := range events {
		line := fmt.Sprintf("%s %d", e.Action, e.Size)
		switch e.Action {
		case caching.ActionAlloc:
			l.made++
			l.number[e.Addr] = l.made
			line += fmt.Sprintf(" #%d", l.made)
		case caching.ActionFreeRequested, caching.ActionFreeCompleted:
			line += fmt.Sprintf(" #%d", l.number[e.Addr])
		}
		lines = append(lines, line)
	}
	return lines
}
