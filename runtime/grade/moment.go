package grade

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/torchmem/workbook/runtime/report"
	"github.com/torchmem/workbook/runtime/tensor"
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
	// Workspaces is what the matrix libraries hold.
	Workspaces int64 `json:"workspaces"`
	// Alive lists what tensors show, oldest first.
	Alive []torch.Memory `json:"alive"`
	// Memory has the segments, for a map.
	Memory report.Moment `json:"memory"`
}

// picture returns the memory as it is just after an allocation.
func (m *meter) picture(bytes int64) *Moment {
	return &Moment{
		Backward:   m.torch.InBackward(),
		Allocated:  m.torch.Cuda.MemoryAllocated(),
		Bytes:      bytes,
		Workspaces: m.torch.WorkspaceBytes(),
		Alive:      m.alive(),
		Memory:     m.torch.Moment(""),
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
		s.WriteString(entry([...]string{"alive", ""}[min(i, 1)], line))
	}
	for _, p := range m.Beside() {
		s.WriteString(entry(p.Name, p.Text))
	}
	return s.String()
}

// Part is memory that no tensor shows, and what it is.
type Part struct{ Name, Text string }

// Beside lists what is allocated and not alive, where it matters.
func (m *Moment) Beside() []Part {
	rest := m.Allocated - m.Bytes - m.Workspaces
	for _, x := range m.Alive {
		rest -= x.Bytes
	}
	var parts []Part
	for _, p := range []struct {
		bytes      int64
		name, text string
	}{
		{m.Bytes, "new", ", which that line asks for"},
		{m.Workspaces, "hidden", " of work space for the matrix library"},
		{rest, "rest", " of scratch, and of blocks that are larger than their tensors"},
	} {
		if m.matters(p.bytes) {
			parts = append(parts, Part{p.name, humanize.Comma(p.bytes) + " bytes" + p.text})
		}
	}
	return parts
}

// unnamed reports whether most of what is alive are results without a name.
func (m *Moment) unnamed() bool {
	groups := m.Groups()
	return !m.Backward && len(groups) > 0 && slices.Equal(groups[0].Holders, []string{tensor.Temporary.Holder()})
}

// matters reports whether a part is worth a line: a hundredth of the whole.
func (m *Moment) matters(part int64) bool { return part*100 > m.Allocated }

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
