package whatif

import (
	"slices"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/tools/replay/whatif/history"
)

// # Building a state
//
// An allocator has no door through which a state could be put in. But requests
// in the right order lead to any state that requests can lead to: fill each
// segment from its low end, with the blocks where they were and fillers in
// between, and free the fillers when everything stands. While it is built,
// nothing is cached but the rest of the one segment, so each request lands right
// behind the one before.

// builder builds the state at the start.
type builder struct {
	*replay
	*layout
	// fillers stand where the cache will be, holes where no memory will be.
	fillers, holes []*caching.Block
	// later are blocks that are put in at the end.
	later []later
}

// later is a block and what holds its place until the end: it was handed out
// with a rest that no request asks for, or a gap lies behind it that is too small
// for any.
type later struct {
	holders []*caching.Block
	piece   piece
	lane    int
}

// restore builds the start of the recording. The error is errInexact where that
// does not succeed; the replay is of no use then.
func (r *replay) restore(cfg caching.Config) error {
	l, err := newLayout(r.program.Start, cfg)
	if err != nil {
		return err
	}
	b := &builder{replay: r, layout: l}
	if err := b.build(); err != nil {
		return err
	}
	if r.driver.reserved != r.program.Start.Reserved {
		return errInexact
	}
	return r.startWaiting()
}

func (b *builder) build() error {
	var expanding []history.Segment
	pieces := map[gpu.Ptr][]piece{}
	for _, s := range b.program.Start.Segments {
		cut, err := b.cut(s)
		if err != nil {
			return err
		}
		if s.Expandable {
			expanding = append(expanding, s)
			pieces[s.Addr] = cut
			continue
		}
		if err := b.fixed(s, cut); err != nil {
			return err
		}
	}
	for _, g := range groups(expanding, b.program.Start.Lowest, 2*b.program.Recorded.PeakReserved) {
		if err := b.expanding(g, pieces); err != nil {
			return err
		}
	}
	return b.clear()
}

// clear frees what only held places.
func (b *builder) clear() error {
	if len(b.holes) > 0 {
		if err := b.freeAll(b.holes); err != nil {
			return err
		}
		if err := b.alloc.EmptyCache(); err != nil {
			return err
		}
	}
	// From the high end down, so that what lies before each is in use.
	for _, l := range slices.Backward(b.later) {
		if err := b.settle(l); err != nil {
			return err
		}
	}
	return b.freeAll(b.fillers)
}

func (b *builder) freeAll(blocks []*caching.Block) error {
	for _, x := range blocks {
		if err := b.alloc.Free(x); err != nil {
			return err
		}
	}
	return nil
}

// fixed builds a segment of fixed size.
func (b *builder) fixed(s history.Segment, pieces []piece) error {
	b.driver.place = s.Addr
	defer func() { b.driver.place = 0 }()
	if !s.Small {
		if err := b.open(s, pieces); err != nil {
			return err
		}
	}
	return b.putAll(pieces, s, 0)
}

// putAll builds the pieces of a segment, shifted by some bytes.
func (b *builder) putAll(pieces []piece, s history.Segment, shift gpu.Ptr) error {
	for i := 0; i < len(pieces); i++ {
		p := pieces[i]
		err := error(nil)
		if i+1 < len(pieces) && p.block != nil && b.narrow(pieces[i+1], s) {
			i++
			err = b.putLater(p, p.size+pieces[i].size, s, p.at+shift)
		} else {
			err = b.put(p, s, p.at+shift)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// narrow reports whether no requests fill a gap.
func (b *builder) narrow(p piece, s history.Segment) bool {
	if p.block != nil || p.hole || s.Small {
		return false
	}
	_, err := b.fill(p.size, false)
	return err != nil
}

// open takes a segment of the large pool into the cache. If one block fills it,
// that block's request may take it.
func (b *builder) open(s history.Segment, pieces []piece) error {
	if own := pieces[0].block; own != nil && len(pieces) == 1 {
		if r, err := b.rounded(own.Size); err == nil && b.segmentOf(r) == s.Size {
			return nil
		}
	}
	size := b.exact(s.Size)
	if s.Size == b.cfg.LargeSegment {
		size = 2 * smallBlock
	}
	x, err := b.take(size, s.Lane)
	if err != nil {
		return err
	}
	return b.alloc.Free(x)
}

// put builds one piece at an address.
func (b *builder) put(p piece, s history.Segment, at gpu.Ptr) error {
	if p.block == nil {
		return b.putGap(p, s, at)
	}
	r, err := b.rounded(p.block.Size)
	if err != nil {
		return err
	}
	if r != p.size && p.size != s.Size {
		return b.putLater(p, p.size, s, at)
	}
	return b.putNow(p, s.Lane, at)
}

// putNow asks for a block as it was asked for.
func (b *builder) putNow(p piece, lane int, at gpu.Ptr) error {
	x, err := b.take(p.block.Size, lane)
	if err != nil {
		return err
	}
	if x.Ptr() != at || x.Size() != p.size {
		return errInexact
	}
	b.held[p.block.Slot] = x
	b.allocated += x.Size()
	return nil
}

// putLater holds the place of a block, and of a gap behind it if the size is
// more than the block's.
func (b *builder) putLater(p piece, size int64, s history.Segment, at gpu.Ptr) error {
	holders, err := b.hold(size, s, at)
	b.later = append(b.later, later{holders, p, s.Lane})
	return err
}

// settle puts in a block whose place was held. Nothing else is cached that it
// could land in.
func (b *builder) settle(l later) error {
	at := l.holders[0].Ptr()
	if err := b.freeAll(l.holders); err != nil {
		return err
	}
	return b.putNow(l.piece, l.lane, at)
}

// putGap fills a gap for the time of building.
func (b *builder) putGap(p piece, s history.Segment, at gpu.Ptr) error {
	holders, err := b.hold(p.size, s, at)
	if p.hole {
		b.holes = append(b.holes, holders...)
	} else {
		b.fillers = append(b.fillers, holders...)
	}
	return err
}

// hold takes exactly the bytes from an address on.
func (b *builder) hold(size int64, s history.Segment, at gpu.Ptr) ([]*caching.Block, error) {
	sizes, err := b.fill(size, s.Small)
	if err != nil {
		return nil, err
	}
	var all []*caching.Block
	for _, size := range sizes {
		x, err := b.take(size, s.Lane)
		if err != nil {
			return nil, err
		}
		if x.Ptr() != at || x.Size() != size {
			return nil, errInexact
		}
		at += gpu.Ptr(size)
		all = append(all, x)
	}
	return all, nil
}
