package web

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/torchmem/workbook/runtime/gpu"
)

// # Places instead of addresses
//
// JavaScript's numbers hold 53 bits, and an address has up to 64. So the page has
// spaces, stretches of addresses that ever were reserved without a gap, and each
// block lies at an offset in one. A space is known by its text.

// space is a stretch of addresses.
type space struct{ from, to gpu.Ptr }

// spaces are sorted by address and lie apart.
type spaces []space

// spacesOf joins the addresses of all pieces and all bands.
func spacesOf(pieces []piece, bands []life) spaces {
	all := make(spaces, 0, len(pieces))
	for _, p := range pieces {
		all = append(all, space{p.at, p.end()})
	}
	reserved := all.joined()
	all = slices.Clip(reserved)
	for _, b := range bands {
		if _, ok := reserved.find(b.Addr); !ok { // nobody saw its segment
			all = append(all, space{b.Addr, b.Addr + gpu.Ptr(b.Block)})
		}
	}
	return all.joined()
}

// joined sorts and joins what overlaps or touches.
func (s spaces) joined() spaces {
	slices.SortFunc(s, func(x, y space) int { return cmp.Compare(x.from, y.from) })
	joined := s[:0]
	for _, x := range s {
		if n := len(joined); n > 0 && x.from <= joined[n-1].to {
			joined[n-1].to = max(joined[n-1].to, x.to)
			continue
		}
		joined = append(joined, x)
	}
	return joined
}

// find returns the space that an address lies in.
func (s spaces) find(p gpu.Ptr) (int, bool) {
	i, exact := slices.BinarySearchFunc(s, p, func(x space, p gpu.Ptr) int { return cmp.Compare(x.from, p) })
	if exact {
		return i, true
	}
	return i - 1, i > 0 && p < s[i-1].to
}

// place returns the space of an address and the offset in it, in bytes.
func (s spaces) place(p gpu.Ptr) (int, int64) {
	i, ok := s.find(p)
	if !ok {
		return 0, 0
	}
	return i, int64(p - s[i].from)
}

func (s spaces) texts() []string {
	texts := make([]string, len(s))
	for i, x := range s {
		texts[i] = fmt.Sprintf("%x", uint64(x.from))
	}
	return texts
}
