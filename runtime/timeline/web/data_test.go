package web

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/timeline"
)

// TestPiecesAreWhatIsReserved adds up the pieces of every moment and compares
// them with the counters and the segments.
func TestPiecesAreWhatIsReserved(t *testing.T) {
	for _, conf := range []string{"", "expandable_segments:True"} {
		r := busy(t, conf, 300, 30<<20)
		pieces, c := piecesOf(r), r.Curves()
		for moment := 1; moment <= len(r.Events); moment++ {
			sum, ranges := int64(0), map[gpu.Ptr]gpu.Ptr{}
			for _, p := range pieces {
				if p.from <= moment && moment < p.to {
					sum += p.size
					ranges[p.at] = p.end()
				}
			}
			require.Equal(t, c.Reserved[moment-1], sum, "%s at %d", conf, moment)
			if moment%20 == 0 {
				requireCovered(t, r.SegmentsAt(moment-1), ranges)
			}
		}
	}
}

// requireCovered makes sure that the ranges fill the segments without a gap.
func requireCovered(t *testing.T, segments []caching.Segment, ranges map[gpu.Ptr]gpu.Ptr) {
	t.Helper()
	for _, s := range segments {
		at, end := s.Address, s.Address+gpu.Ptr(s.TotalSize)
		for at < end {
			next, ok := ranges[at]
			require.True(t, ok, "no piece begins at %#x", uint64(at))
			at = next
		}
		require.Equal(t, end, at)
	}
}

func TestPlacesAreTheAddresses(t *testing.T) {
	r := busy(t, "expandable_segments:True", 300, 30<<20)
	lives, pieces := livesOf(r, nil), piecesOf(r)
	s := spacesOf(pieces, lives)
	require.True(t, slices.IsSortedFunc(s, func(x, y space) int { return int(int64(x.from - y.from)) }))
	for _, l := range lives {
		i, offset := s.place(l.Addr)
		require.Equal(t, l.Addr, s[i].from+gpu.Ptr(offset))
		require.LessOrEqual(t, offset+l.Block, int64(s[i].to-s[i].from))
	}
}

// TestHistoryThatBeginsInTheMiddle has blocks whose segments nobody saw.
func TestHistoryThatBeginsInTheMiddle(t *testing.T) {
	r := &timeline.Recording{Events: []timeline.Event{
		{Entry: caching.Entry{Action: caching.ActionAlloc, Addr: 1 << 40, Size: 512}, Block: 512},
		{Entry: caching.Entry{Action: caching.ActionSegmentFree, Addr: 1 << 41, Size: 2 << 20}},
	}}
	d := newRecord(r, maxEvents)
	require.Equal(t, []string{"10000000000"}, d.Spaces)
	require.Empty(t, d.Pieces.From)
}

// TestPiles looks for a list that grows, and for what it holds among the bands.
func TestPiles(t *testing.T) {
	r := leak(t)
	for _, limit := range []int{maxEvents, 30} {
		d := newRecord(r, limit)
		require.NotEmpty(t, d.Piles)
		p := d.Piles[0]
		require.Equal(t, 6, p.Count)
		marked, bytes := 0, int64(0)
		for i, n := range d.Bands.Pile {
			if n == 0 {
				marked++
				bytes += d.Bands.Block[i]
				require.Equal(t, p.Stack, d.Bands.Stack[i])
				require.LessOrEqual(t, d.Bands.Asked[i], p.Until)
			}
		}
		if limit == maxEvents {
			require.Equal(t, p.Count, marked)
			require.Equal(t, p.Bytes, bytes)
		}
		require.Positive(t, marked)
		require.LessOrEqual(t, marked, p.Count, "what is left out counts too")
	}
}
