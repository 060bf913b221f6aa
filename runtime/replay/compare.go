package replay

import (
	"fmt"
	"regexp"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
)

// differ returns a difference unless both sides are equal.
func differ[T comparable](what string, recorded, replayed T) *Difference {
	if recorded == replayed {
		return nil
	}
	return &Difference{What: what, Recorded: recorded, Replayed: replayed}
}

// compareCounters compares the counters after an operation.
func (r *run) compareCounters(op Operation) *Difference {
	stats := r.alloc.Stats()
	for i, value := range r.columns {
		if got := *value(&stats); got != op.Counters[i] {
			return &Difference{What: r.trace.Columns[i], Recorded: op.Counters[i], Replayed: got}
		}
	}
	return nil
}

// log compares the entries of two histories one by one.
type log struct {
	recorded []caching.Entry
	// names are the recorded handles of the streams here.
	names map[gpu.Stream]gpu.Stream
	// seen counts the entries here.
	seen int
	// lost is set at the first difference. What comes later would be
	// compared with the wrong entries.
	lost bool
	// floating addresses have a distance to the recorded ones, which the
	// first entry tells.
	floating bool
	distance gpu.Ptr
}

// compareEntries compares what came to the log since it was last called.
func (r *run) compareEntries() *Difference {
	entries, next := r.alloc.HistorySince(r.log.seen)
	from := r.log.seen
	r.log.seen = next
	for i, e := range entries {
		if r.log.lost {
			return nil
		}
		if d := r.log.compare(from+i, e); d != nil {
			r.log.lost = true
			return d
		}
	}
	return nil
}

// compare compares one entry with the recorded one at its place.
func (l *log) compare(i int, e caching.Entry) *Difference {
	if i >= len(l.recorded) {
		return &Difference{What: event(i), Recorded: nothing, Replayed: spell(l.translate(e))}
	}
	want := l.recorded[i]
	if l.floating && i == 0 {
		l.distance = want.Addr - e.Addr
	}
	if got := l.translate(e); got != want {
		return &Difference{What: event(i), Recorded: spell(want), Replayed: spell(got)}
	}
	return nil
}

// translate spells an entry with the addresses and the streams of the
// recording. Of an OOM the recordings do not hold the free bytes of the device.
func (l *log) translate(e caching.Entry) caching.Entry {
	e.Stream = l.names[e.Stream]
	if e.Action == caching.ActionOOM {
		e.Addr = 0
	} else {
		e.Addr += l.distance
	}
	return e
}

// rest is a difference where the recording goes on.
func (l *log) rest() *Difference {
	if l.seen >= len(l.recorded) {
		return nil
	}
	return &Difference{What: event(l.seen), Recorded: spell(l.recorded[l.seen]), Replayed: nothing}
}

func event(i int) string { return fmt.Sprintf("event %d", i) }

// spell spells an entry for people.
func spell(e caching.Entry) string {
	return fmt.Sprintf("%s of %d bytes at %#x on stream %#x", e.Action, e.Size, uint64(e.Addr), uint64(e.Stream))
}

// others is the part of an out of memory message that depends on the other
// processes of the recording machine.
var others = regexp.MustCompile(`of which .*memory in use\. `)

func withoutOthers(message string) string { return others.ReplaceAllString(message, "") }
