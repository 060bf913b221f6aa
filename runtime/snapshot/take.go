package snapshot

import (
	"math"

	"github.com/torchmem/workbook/runtime/caching"
)

// Take is the snapshot of an allocator of this workbook: its segments, its
// history, and its settings.
func Take(a *caching.Allocator) *Snapshot {
	return &Snapshot{
		Segments: a.Snapshot(),
		Traces:   [][]Event{EventsOf(a.TraceHistory())},
		Settings: SettingsOf(a.Config()),
	}
}

// EventsOf turns what an allocator here recorded into the events of a snapshot.
// A simulated GPU has no clock, so an event happens a microsecond after the one
// before it. That keeps files of the same program the same.
func EventsOf(entries []caching.TraceEntry) []Event {
	events := make([]Event, len(entries))
	for i, e := range entries {
		events[i] = Event{Entry: e.Entry, TimeUS: int64(i), Frames: e.Frames, CompileContext: noContext}
	}
	return events
}

// noContext is what PyTorch writes of an event outside of compiled code.
const noContext = "N/A"

// SettingsOf spells an allocator's settings as PyTorch does.
func SettingsOf(c caching.Config) *Settings {
	s := &Settings{
		Conf:                       c.Text(),
		MaxSplitSize:               c.MaxSplitSize,
		GarbageCollectionThreshold: c.GarbageCollectionThreshold,
		ExpandableSegments:         c.ExpandableSegments,
		RoundupDivisions:           c.RoundupDivisions,
		PinnedNumRegisterThreads:   1, // PyTorch's default
	}
	if s.MaxSplitSize == 0 || s.MaxSplitSize == math.MaxInt64 {
		s.MaxSplitSize = -1
	}
	return s
}
