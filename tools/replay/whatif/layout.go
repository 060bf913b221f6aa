package whatif

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
	"github.com/torchmem/workbook/tools/replay/whatif/history"
)

// piece is a part of a segment: a block, or a gap where block is nil. A hole is
// a gap without memory.
type piece struct {
	at    gpu.Ptr
	size  int64
	block *history.Block
	hole  bool
}

// smallBlock is the size up to which the rest of a block in the large pool is not
// split off, and the largest request of the small pool.
const smallBlock = 1 << 20

const (
	// maxFillers is how many requests of the small pool may fill gaps, in
	// all. Each takes memory here.
	maxFillers = 1 << 18
	// maxAsked is how often a size may be asked for, some seconds.
	maxAsked = 1 << 24
)

// errInexact says that a start cannot be built as it was.
var errInexact = errors.New("the start cannot be built as it was")

// layout cuts the segments of a start into pieces.
type layout struct {
	cfg     caching.Config
	rounder *caching.Allocator
	blocks  []history.Block
	next    int
	// filled and asked count up to maxFillers and maxAsked.
	filled, asked int
}

func newLayout(start history.Start, cfg caching.Config) (*layout, error) {
	l := &layout{cfg: cfg, blocks: slices.Clone(start.Blocks)}
	slices.SortFunc(l.blocks, func(x, y history.Block) int { return cmp.Compare(x.Addr, y.Addr) })
	// Where segments expand, every rest is split off. So the block that
	// such an allocator hands out has the rounded size.
	cfg.ExpandableSegments, cfg.MemoryFraction, cfg.MaxSplitSize = true, nil, math.MaxInt64
	var err error
	l.rounder, err = caching.New(sim.New(gpu.DefaultProfile()), cfg)
	return l, err
}

// rounded is what a request occupies at least.
func (l *layout) rounded(size int64) (int64, error) {
	b, err := l.rounder.Malloc(size, 0)
	if l.asked++; err != nil || l.asked > maxAsked {
		return 0, errInexact
	}
	return b.Size(), l.rounder.Free(b)
}

// cut returns the pieces of a segment. Segments are asked for by address.
func (l *layout) cut(s history.Segment) ([]piece, error) {
	var pieces []piece
	at, end := s.Addr, s.Addr+gpu.Ptr(s.Size)
	for ; l.next < len(l.blocks) && l.blocks[l.next].Addr < end; l.next++ {
		b := &l.blocks[l.next]
		size, err := l.sizeOf(b, s)
		if err != nil {
			return nil, err
		}
		if b.Addr < at || b.Addr+gpu.Ptr(size) > end {
			return nil, fmt.Errorf("the blocks at the start overlap at %#x", uint64(b.Addr))
		}
		if b.Addr > at {
			pieces = append(pieces, piece{at: at, size: int64(b.Addr - at)})
		}
		pieces = append(pieces, piece{at: b.Addr, size: size, block: b})
		at = b.Addr + gpu.Ptr(size)
	}
	if at < end {
		pieces = append(pieces, piece{at: at, size: int64(end - at)})
	}
	return pieces, nil
}

// sizeOf tells how much a block occupies. If only the request is known, a rest
// that would never have been split off belongs to it.
func (l *layout) sizeOf(b *history.Block, s history.Segment) (int64, error) {
	if b.Whole > 0 {
		return b.Whole, nil
	}
	size, err := l.rounded(b.Size)
	if err != nil || s.Small || s.Expandable {
		return size, err
	}
	if room := int64(b.Next - b.Addr); b.Next > 0 && room >= size && room-size <= smallBlock {
		return room, nil
	}
	end := s.Addr + gpu.Ptr(s.Size)
	if l.next+1 < len(l.blocks) {
		end = min(end, l.blocks[l.next+1].Addr)
	}
	room := int64(end - b.Addr)
	if room-size <= smallBlock || size >= l.cfg.MaxSplitSize {
		return max(room, size), nil
	}
	return size, nil
}

// segmentOf is what the driver is asked for when a rounded size needs a segment
// of the large pool.
func (l *layout) segmentOf(rounded int64) int64 {
	const own, quantum = 10 << 20, 2 << 20
	if rounded < own {
		return l.cfg.LargeSegment
	}
	return (rounded + quantum - 1) / quantum * quantum
}

// exact returns the largest size of at most n that is not rounded up.
func (l *layout) exact(n int64) int64 {
	for step := int64(512); step <= n; step *= 2 {
		size := n / step * step
		if r, err := l.rounded(size); err == nil && r == size {
			return size
		}
	}
	return 0
}

// fill cuts a gap into requests that occupy exactly it.
func (l *layout) fill(gap int64, small bool) ([]int64, error) {
	if !small {
		return l.fillLarge(gap, maxParts)
	}
	var sizes []int64
	for gap > 0 {
		size := l.exact(min(gap, smallBlock))
		if l.filled++; size == 0 || l.filled > maxFillers {
			return nil, errInexact
		}
		sizes = append(sizes, size)
		gap -= size
	}
	return sizes, nil
}

// maxParts is how many requests of the large pool may fill one gap. Mostly one
// does; more are needed where sizes are rounded up.
const maxParts = 5

// leave is what a large request may leave of a gap for others, more than the
// smallest that there is.
var leave = []int64{0, smallBlock + 512, 2 << 20, 4 << 20, 8 << 20, 16 << 20, 32 << 20}

// fillLarge fills a gap of the large pool with a few requests.
func (l *layout) fillLarge(gap int64, parts int) ([]int64, error) {
	for _, rest := range leave {
		if parts == 0 || gap-rest <= smallBlock {
			break
		}
		size := l.exact(gap - rest)
		if size <= smallBlock {
			break
		}
		if size == gap {
			return []int64{size}, nil
		}
		if more, err := l.fillLarge(gap-size, parts-1); err == nil {
			return append(more, size), nil
		}
	}
	return nil, errInexact
}

// unsure counts the blocks at the start that may have occupied up to 1 MiB more
// than is known. Nothing in the history shows where they end.
func (s *study) unsure() (n int) {
	l, err := newLayout(s.program.Start, s.cfg)
	if err != nil {
		return 0
	}
	for _, seg := range s.program.Start.Segments {
		pieces, err := l.cut(seg)
		if err != nil {
			return n
		}
		for i, p := range pieces {
			open := i+1 < len(pieces) && pieces[i+1].block == nil
			if p.block != nil && open && p.block.Whole == 0 && p.block.Next == 0 && !seg.Small && !seg.Expandable {
				n++
			}
		}
	}
	return n
}
