package svg

import "github.com/torchmem/workbook/runtime/timeline"

// fate is what becomes of an allocation.
type fate int

// From the bottom of the pile to its top.
const (
	// held is there at the end.
	held fate = iota
	// left is there at the end too, and was made by a later round of a loop: so
	// a leak looks. The first round also makes what all others use.
	left
	// freed has been let go of.
	freed
	fates
)

// fate tells what becomes of a band.
func (p *panel) fate(b timeline.Band) fate {
	if b.Requested < len(p.recording.Events) {
		return freed
	}
	for _, s := range p.passages {
		if first, last := s.laterRounds(p.recording.Statements); first <= b.Alloc && b.Alloc < last {
			return left
		}
	}
	return held
}

// laterRounds returns the events from the second round on, the last excluded.
func (p passage) laterRounds(statements []timeline.Statement) (first, last int) {
	if p.rounds == 1 {
		return 0, 0
	}
	return statements[p.from+p.period-1].End, statements[p.to-1].End
}

// total adds up the bytes of all allocations with a fate.
func (p *panel) total(f fate) (bytes int64) {
	for _, b := range p.recording.Bands() {
		if p.fate(b) == f {
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
