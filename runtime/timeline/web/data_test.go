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
	lives, pieces := livesOf(r), piecesOf(r)
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

// rounds makes a recording of a loop. Each round is a statement that allocates
// some tensors at one place, and frees what is older than a number of rounds.
func rounds(count, each, kept int) *timeline.Recording {
	r := &timeline.Recording{}
	frames := []caching.Frame{{Filename: "a.py", Line: 1, Name: "f"}}
	var addresses []gpu.Ptr
	for range count {
		for range each {
			at := gpu.Ptr(len(r.Events)+1) << 20
			addresses = append(addresses, at)
			r.Events = append(r.Events, timeline.Event{
				Entry: caching.Entry{Action: caching.ActionAlloc, Addr: at, Size: 512}, Block: 512, Frames: frames,
			})
		}
		for len(addresses) > kept*each {
			for _, a := range []caching.Action{caching.ActionFreeRequested, caching.ActionFreeCompleted} {
				r.Events = append(r.Events, timeline.Event{Entry: caching.Entry{Action: a, Addr: addresses[0], Size: 512}})
			}
			addresses = addresses[1:]
		}
		r.Statements = append(r.Statements, timeline.Statement{Text: "f()", File: "a.py", Line: 1, End: len(r.Events)})
	}
	return r
}

func TestPiles(t *testing.T) {
	piles := func(r *timeline.Recording) []pile { return newRecord(r, maxEvents).Piles }
	require.Empty(t, piles(rounds(20, 1, 1)), "a name is bound again: two values for a moment")
	require.Empty(t, piles(rounds(1, 50, 1)), "many layers in one statement")
	require.Empty(t, piles(rounds(20, 16, 1)), "many layers, and each round frees those of the round before")
	found := piles(rounds(20, 1, 20))
	require.Len(t, found, 1)
	require.Equal(t, pile{Stack: 1, Size: 512, Count: 20, Bytes: 20 * 512, At: 20, Until: 21}, found[0])
	found = piles(rounds(20, 2, 5))
	require.Len(t, found, 1)
	require.Equal(t, 11, found[0].Count, "five rounds, and the first tensor of the sixth")

	alone := rounds(20, 1, 20)
	alone.Statements = nil
	require.Empty(t, piles(alone), "without statements nobody knows of rounds")
}

func TestPileMarksItsBandsOnly(t *testing.T) {
	r := rounds(5, 1, 5)
	r.Events = append(r.Events, timeline.Event{
		Entry: caching.Entry{Action: caching.ActionAlloc, Addr: 1 << 50, Size: 1024}, Block: 1024, Frames: r.Events[0].Frames,
	})
	require.Equal(t, []int{0, 0, 0, 0, 0, -1}, newRecord(r, maxEvents).Bands.Pile)
}
