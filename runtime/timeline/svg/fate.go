package svg

import "github.com/torchmem/workbook/runtime/timeline"

// fate is what becomes of an allocation.
type fate int

// From the bottom of the stack to its top.
const (
	// held is there at the end.
	held fate = iota
	// piled is part of a [timeline.Pile], whatever becomes of that: so a leak
	// looks.
	piled
	// freed has been let go of.
	freed
	fates
)

// fatesOf tells what becomes of each band of a recording.
func fatesOf(r *timeline.Recording, bands []timeline.Band) []fate {
	all := make([]fate, len(bands))
	for i, b := range bands {
		if b.Requested < len(r.Events) {
			all[i] = freed
		}
	}
	for _, p := range r.Piles() {
		for _, i := range p.Bands {
			all[i] = piled
		}
	}
	return all
}

// isLeft reports whether a band is held at the end.
func (p *panel) isLeft(b timeline.Band) bool { return b.Requested == len(p.recording.Events) }

// leftOf adds up the bytes that are held at the end of all allocations with a fate.
func (p *panel) leftOf(f fate) (bytes int64) {
	for i, b := range p.bands {
		if p.fates[i] == f && p.isLeft(b) {
			bytes += b.Block
		}
	}
	return bytes
}

// has reports whether anything in the panel has that fate.
func (p *panel) has(f fate) bool {
	for _, l := range p.stack.layers {
		if l.fate == f {
			return true
		}
	}
	return false
}
