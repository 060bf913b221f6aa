package whatif

import (
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/tools/replay/whatif/history"
)

// group is one expandable segment: its ranges with memory, by address.
type group struct {
	base   gpu.Ptr
	ranges []history.Segment
}

// groups sorts ranges by the segments that they belong to: one for each pool and
// stream. What gets memory later shows how far down a segment reaches, but if it
// lies very far below, it is another segment, made when this one was gone.
func groups(ranges, lowest []history.Segment, far int64) []*group {
	type key struct {
		lane  int
		small bool
	}
	found := map[key]*group{}
	var all []*group
	for _, s := range ranges {
		k := key{s.Lane, s.Small}
		g := found[k]
		if g == nil {
			g = &group{base: s.Addr}
			found[k] = g
			all = append(all, g)
		}
		g.ranges = append(g.ranges, s)
	}
	for _, m := range lowest {
		g := found[key{m.Lane, m.Small}]
		if g != nil && m.Addr < g.base && g.base-m.Addr <= gpu.Ptr(far) {
			g.base = m.Addr
		}
	}
	return all
}

// expanding builds an expandable segment from its base up.
func (b *builder) expanding(g *group, pieces map[gpu.Ptr][]piece) error {
	s := g.ranges[0]
	origin, err := b.origin(s)
	if err != nil {
		return err
	}
	return b.putAll(b.join(g.pieces(pieces), s), s, origin-g.base)
}

// pieces lists all pieces of a segment, with holes between its ranges.
func (g *group) pieces(of map[gpu.Ptr][]piece) []piece {
	var all []piece
	at := g.base
	for _, s := range g.ranges {
		if s.Addr > at {
			all = append(all, piece{at: at, size: int64(s.Addr - at), hole: true})
		}
		all = append(all, of[s.Addr]...)
		at = s.Addr + gpu.Ptr(s.Size)
	}
	return all
}

// join makes a hole of a hole and a narrow gap beside it. When the hole loses
// its memory, the gap keeps its own, as it is less than a page.
func (b *builder) join(pieces []piece, s history.Segment) []piece {
	var all []piece
	for _, p := range pieces {
		if n := len(all); n > 0 {
			last := &all[n-1]
			if last.hole && b.narrow(p, s) || p.hole && b.narrow(*last, s) {
				last.size += p.size
				last.hole = true
				continue
			}
		}
		all = append(all, p)
	}
	return all
}

// origin asks where the simulated driver puts the segment.
func (b *builder) origin(s history.Segment) (gpu.Ptr, error) {
	size := int64(512)
	if !s.Small {
		size = 2 * smallBlock
	}
	x, err := b.take(size, s.Lane)
	if err != nil {
		return 0, err
	}
	return x.Ptr(), b.alloc.Free(x)
}
