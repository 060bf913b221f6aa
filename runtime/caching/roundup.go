package caching

import "math/bits"

// # Rounding to divisions
//
// Requests that differ a little get different blocks, and a freed block of one
// does not fit the next. The setting roundup_power2_divisions rounds them up to
// a few steps between powers of two: more bytes are wasted inside blocks, fewer
// between them.

// divisions returns into how many steps the range between two powers of two
// is cut at n. There is one entry for each power from 1 MiB up; smaller and
// larger sizes use the first and the last.
func (c *Config) divisions(n int64) int64 {
	power := bits.Len64(uint64(n)) - 1
	return c.RoundupDivisions[min(max(power-20, 0), len(c.RoundupDivisions)-1)]
}

// roundToDivision rounds n up to the next of d equal steps between the powers
// of two around it. A power of two stays as it is. More divisions than bytes
// leave no step: then the next power of two is taken, as in PyTorch.
func roundToDivision(n, d int64) int64 {
	floor := int64(1) << (bits.Len64(uint64(n)) - 1)
	step := floor >> (bits.Len64(uint64(d)) - 1)
	switch {
	case n == floor:
		return n
	case step == 0:
		return 2 * floor
	}
	return (n + step - 1) / step * step
}

// parseRoundup reads one number for all sizes, or a list of size:number.
func parseRoundup(p *parser, cfg *Config) error {
	token, err := p.take()
	if err != nil {
		return err
	}
	if token == "[" {
		return parseRoundupList(p, cfg)
	}
	p.next--
	v, err := p.integer()
	if err != nil {
		return err
	}
	if !isPowerOfTwo(v) {
		return refuse("For roundups, the divisions has to be power of 2 ")
	}
	fill(cfg.RoundupDivisions[:], v)
	return nil
}

// parseRoundupList reads from behind the opening bracket to the closing one.
// What lies between two listed sizes rounds to 512 bytes.
func parseRoundupList(p *parser, cfg *Config) error {
	list := roundupList{slots: cfg.RoundupDivisions[:], last: -1}
	clear(list.slots)
	for {
		boundary, err := p.take()
		if err != nil || boundary == "]" {
			return err
		}
		p.next++ // the colon
		divisions, err := p.integer()
		if err != nil {
			return err
		}
		if err := list.set(boundary, divisions); err != nil {
			return err
		}
		if !p.done() && p.tokens[p.next] != "]" {
			p.next++ // the comma
		}
	}
}

// roundupList is a table that is being filled.
type roundupList struct {
	slots []int64
	// last is the slot that was set before, -1 at first.
	last int
}

// set sets the slot of a size in MiB. The first size also speaks for all
// smaller ones, and `>` for all above the last.
func (l *roundupList) set(boundary string, divisions uint64) error {
	if divisions != 0 && !isPowerOfTwo(divisions) {
		return refuse("For roundups, the divisions has to be power of 2 or 0 to disable roundup ")
	}
	if boundary == ">" {
		fill(l.slots[max(l.last, 0)+1:], divisions)
		return nil
	}
	mb, err := parseInteger(boundary)
	if err != nil {
		return err
	}
	if !isPowerOfTwo(mb) {
		return refuse("For roundups, the intervals have to be power of 2 ")
	}
	slot := min(bits.Len64(mb)-1, len(l.slots)-1)
	if l.last < 0 {
		fill(l.slots[:slot], divisions)
	}
	l.last = slot
	l.slots[slot] = int64(divisions)
	return nil
}

func fill(slots []int64, v uint64) {
	for i := range slots {
		slots[i] = int64(v)
	}
}
