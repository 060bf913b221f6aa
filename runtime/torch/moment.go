package torch

import (
	"cmp"
	"slices"
	"strings"

	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/report"
	"github.com/torchmem/workbook/runtime/tensor"
)

// Moment is the GPU's memory as it is now, with the names of those who hold its
// blocks, for a picture.
func (t *Torch) Moment(title string) report.Moment {
	return report.Moment{Title: title, Segments: t.Cuda.MemorySnapshot(), Names: t.blockNames()}
}

// blockNames says who holds each allocated block, by its address: the names of
// tensors, or in parentheses what holds it that is no name.
func (t *Torch) blockNames() map[gpu.Ptr]string {
	names := map[gpu.Ptr]string{}
	for at, library := range t.ctx.GPU.Workspaces() {
		names[at] = "(" + library + ")"
	}
	for _, m := range t.LiveMemory() {
		if m.Address != 0 {
			names[m.Address] = m.Name()
		}
	}
	return names
}

// nobodyElse stands for the holder of what has none.
const nobodyElse = "nobody"

// Name is the shortest spelling of who holds the memory: the names that stand for
// it, or in parentheses what else does.
func (m Memory) Name() string {
	var names []string
	other := nobodyElse
	for _, h := range m.Holders {
		name, role := nameOf(h)
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
		if role != "" && (other == nobodyElse || other == "view") {
			other = role
		}
	}
	if len(names) > 0 {
		return strings.Join(names, ", ")
	}
	return "(" + other + ")"
}

// nameOf shortens a holder: to the name of a variable, a list or a parameter, or
// else to a word for what holds.
func nameOf(holder string) (name, role string) {
	for _, prefix := range []string{"the name ", "the list "} {
		if name, ok := strings.CutPrefix(holder, prefix); ok {
			return name, ""
		}
	}
	if node, ok := strings.CutPrefix(holder, "graph node "); ok {
		return "", cmp.Or(roles[node], "graph")
	}
	if role, ok := roles[holder]; ok {
		return "", role
	}
	if strings.Contains(holder, " ") {
		return "", holder
	}
	return holder, "" // a parameter: Linear.weight
}

// roles are words for holders that are no names.
var roles = map[string]string{
	"a checkpoint, as its input":              "checkpoint",
	"a view of it":                            "view",
	"a leaf, as its grad":                     "grad",
	"the backward pass":                       "backward",
	string(tensor.Temporary):                  "temporary",
	"a checkpoint, as a recomputed tensor":    "checkpoint",
	"a checkpoint that is running again":      "checkpoint",
	"the second run of a checkpoint":          "checkpoint",
	"a call that is running, as its argument": "argument",
}
