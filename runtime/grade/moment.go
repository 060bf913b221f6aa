package grade

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/torchmem/workbook/runtime/report"
	"github.com/torchmem/workbook/runtime/torch"
)

// Moment is a picture of the GPU's memory.
type Moment struct {
	// Case is the case that was running.
	Case string `json:"case"`
	// AtEnd says that the function had returned. Otherwise it is a peak.
	AtEnd bool `json:"at_end"`
	// Backward says that a backward pass was running.
	Backward bool `json:"backward"`
	// Allocated is the counter, in bytes.
	Allocated int64 `json:"allocated"`
	// Bytes is the size of the allocation that was just made. No tensor
	// shows it yet.
	Bytes int64 `json:"bytes"`
	// Alive lists what tensors show, oldest first.
	Alive []torch.Memory `json:"alive"`
	// Map draws the segments.
	Map string `json:"map"`
}

// mapWidth is that of a segment map, in columns.
const mapWidth = 76

// picture returns the memory as it is just after an allocation.
func (m *meter) picture(bytes int64) *Moment {
	return &Moment{
		Backward:  m.torch.InBackward(),
		Allocated: m.torch.Cuda.MemoryAllocated(),
		Bytes:     bytes,
		Alive:     m.alive(),
		Map:       report.SegmentMap(m.torch.Cuda.MemorySnapshot(), mapWidth),
	}
}

// of notes the case.
func (m *Moment) of(name string) *Moment {
	m.Case = name
	return m
}

// alive lists the pieces of GPU memory that tensors show.
func (m *meter) alive() []torch.Memory {
	var all []torch.Memory
	for _, x := range m.torch.LiveMemory() {
		if x.OnGPU {
			all = append(all, x)
		}
	}
	return all
}

// During completes the place of a peak. It is empty for no moment.
func (m *Moment) During() string {
	if m != nil && m.Backward {
		return ", while the backward pass runs"
	}
	return ""
}

// account spells what the allocated bytes are made of.
func (m *Moment) account() string {
	if m == nil {
		return ""
	}
	var s strings.Builder
	for i, line := range m.largest() {
		fmt.Fprintf(&s, "  %-9s %s\n", [...]string{"alive", ""}[min(i, 1)], line)
	}
	if m.matters(m.Bytes) {
		fmt.Fprintf(&s, "  new       %s bytes, which that line asks for\n", humanize.Comma(m.Bytes))
	}
	if rest := m.hidden(); m.matters(rest) {
		fmt.Fprintf(&s, "  hidden    %s bytes that no tensor shows: work space of the libraries\n", humanize.Comma(rest))
	}
	return s.String()
}

// matters reports whether a part is worth a line: a hundredth of the whole.
func (m *Moment) matters(part int64) bool { return part*100 > m.Allocated }

// hidden returns the bytes that are allocated and neither alive nor new.
func (m *Moment) hidden() int64 {
	rest := m.Allocated - m.Bytes
	for _, x := range m.Alive {
		rest -= x.Bytes
	}
	return rest
}

// shown is how many groups of live memory a check lists.
const shown = 4

// largest lists what was alive, memory of one size and line together, the
// largest sum first.
func (m *Moment) largest() []string {
	groups := m.Groups()
	var lines []string
	for _, g := range groups[:min(shown, len(groups))] {
		lines = append(lines, g.String())
	}
	if rest := groups[len(lines):]; len(rest) > 0 {
		var bytes int64
		for _, g := range rest {
			bytes += g.Sum()
		}
		lines = append(lines, fmt.Sprintf("and %d more, %s bytes", len(rest), humanize.Comma(bytes)))
	}
	return lines
}

// Group is memory of one size that one line made.
type Group struct {
	torch.Memory
	Times int
}

// Sum returns the bytes of the group.
func (g Group) Sum() int64 { return int64(g.Times) * g.Bytes }

// String says how much it is, where it was made, and who holds it.
func (g Group) String() string {
	text := humanize.Comma(g.Bytes) + " bytes"
	if g.Times > 1 {
		text = fmt.Sprintf("%d x %s", g.Times, text)
	}
	if g.Made.File != "" {
		text += " made at " + g.Made.String()
	}
	return text + ", held by " + strings.Join(g.Holders[:min(2, len(g.Holders))], " and ")
}

// Groups returns what was alive, memory of one size and line together, the
// largest sum first.
func (m *Moment) Groups() []Group {
	type key struct {
		bytes int64
		line  string
	}
	index := map[key]int{}
	var groups []Group
	for _, x := range m.Alive {
		k := key{x.Bytes, x.Made.String()}
		i, ok := index[k]
		if !ok {
			i = len(groups)
			index[k] = i
			groups = append(groups, Group{Memory: x})
		}
		groups[i].Times++
	}
	slices.SortStableFunc(groups, func(a, b Group) int { return cmp.Compare(b.Sum(), a.Sum()) })
	return groups
}
