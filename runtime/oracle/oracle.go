// Package oracle reads recordings: what PyTorch's allocator did and counted on
// a real GPU, statement by statement.
//
// A recording is a [Program] with a [Row] for each statement. A row holds the
// [Counters] after the statement and the allocator's log since the row before.
// The lessons print rows of the same form, so that the two can be compared
// without a translation in between. Nothing here writes a recording: only a GPU
// makes one.
package oracle

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/torchmem/workbook/runtime/caching"
)

// Program is a recording of a small program.
type Program struct {
	Name string `json:"program"`
	// Conf are the allocator settings that it ran with.
	Conf string `json:"conf"`
	Rows []Row  `json:"rows"`
	// Extra holds what the program printed besides, by name.
	Extra map[string]json.RawMessage `json:"extra"`
}

// Row is one statement of a recording.
type Row struct {
	Label string `json:"label"`
	Counters
	Events []Event `json:"events"`
}

// Counters are those that a recording has after each statement. Sizes are
// bytes.
type Counters struct {
	AllocatedBytes     int64 `json:"allocated_bytes"`
	ReservedBytes      int64 `json:"reserved_bytes"`
	ActiveBytes        int64 `json:"active_bytes"`
	InactiveSplitBytes int64 `json:"inactive_split_bytes"`
	RequestedBytes     int64 `json:"requested_bytes"`
	Allocation         int64 `json:"allocation"`
	Segment            int64 `json:"segment"`
	AllocatedPeak      int64 `json:"allocated_peak"`
	ReservedPeak       int64 `json:"reserved_peak"`
	AllocsTotal        int64 `json:"allocs_total"`
	NumOOMs            int64 `json:"num_ooms"`
	NumAllocRetries    int64 `json:"num_alloc_retries"`
	NumDeviceAlloc     int64 `json:"num_device_alloc"`
	NumDeviceFree      int64 `json:"num_device_free"`
}

// CountersOf picks from all counters those that a recording has.
func CountersOf(s caching.Stats) Counters {
	return Counters{
		AllocatedBytes:     s.AllocatedBytes.All.Current,
		ReservedBytes:      s.ReservedBytes.All.Current,
		ActiveBytes:        s.ActiveBytes.All.Current,
		InactiveSplitBytes: s.InactiveSplitBytes.All.Current,
		RequestedBytes:     s.RequestedBytes.All.Current,
		Allocation:         s.Allocation.All.Current,
		Segment:            s.Segment.All.Current,
		AllocatedPeak:      s.AllocatedBytes.All.Peak,
		ReservedPeak:       s.ReservedBytes.All.Peak,
		AllocsTotal:        s.Allocation.All.Allocated,
		NumOOMs:            s.NumOOMs,
		NumAllocRetries:    s.NumAllocRetries,
		NumDeviceAlloc:     s.NumDeviceAlloc,
		NumDeviceFree:      s.NumDeviceFree,
	}
}

// Event is one line of the allocator's log. In JSON it is a list of action,
// bytes, address and stream.
type Event caching.Entry

// MarshalJSON writes the list.
func (e Event) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{e.Action, e.Size, e.Addr, e.Stream})
}

// UnmarshalJSON reads the list.
func (e *Event) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&e.Action, &e.Size, &e.Addr, &e.Stream})
}

// Events turns entries of a history into events.
func Events(entries []caching.Entry) []Event {
	events := make([]Event, len(entries))
	for i, e := range entries {
		events[i] = Event(e)
	}
	return events
}

// Read reads the recording in a file.
func Read(file string) (*Program, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	p := new(Program)
	if err := json.Unmarshal(data, p); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return p, nil
}

// Text returns an extra that is a text, or the empty string.
func (p *Program) Text(name string) string {
	var text string
	if json.Unmarshal(p.Extra[name], &text) != nil {
		return ""
	}
	return text
}
