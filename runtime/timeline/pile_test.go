package timeline_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/timeline"
)

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
	require.Empty(t, rounds(20, 1, 1).Piles(), "a name is bound again: two values for a moment")
	require.Empty(t, rounds(1, 50, 1).Piles(), "many layers in one statement")
	require.Empty(t, rounds(20, 16, 1).Piles(), "many layers, and each round frees those of the round before")
	r := rounds(20, 1, 20)
	found := r.Piles()
	require.Len(t, found, 1)
	require.Len(t, found[0].Bands, 20)
	require.Equal(t, timeline.Pile{
		Frames: r.Events[0].Frames, Size: 512, Bands: found[0].Bands, Bytes: 20 * 512, At: 19, Until: 20,
	}, found[0])
	found = rounds(20, 2, 5).Piles()
	require.Len(t, found, 1)
	require.Len(t, found[0].Bands, 12, "five rounds, and the next before the first of them goes")

	alone := rounds(20, 1, 20)
	alone.Statements = nil
	require.Empty(t, alone.Piles(), "without statements nobody knows of rounds")
}

// TestPileHasItsBandsOnly has one allocation of another size at the same place.
func TestPileHasItsBandsOnly(t *testing.T) {
	r := rounds(5, 1, 5)
	r.Events = append(r.Events, timeline.Event{
		Entry: caching.Entry{Action: caching.ActionAlloc, Addr: 1 << 50, Size: 1024}, Block: 1024, Frames: r.Events[0].Frames,
	})
	require.Equal(t, []int{0, 1, 2, 3, 4}, r.Piles()[0].Bands)
}

// TestPilesKnowStacksByTheirText has stacks that share nothing, as those of a file.
func TestPilesKnowStacksByTheirText(t *testing.T) {
	r := rounds(5, 1, 5)
	for i := range r.Events {
		r.Events[i].Frames = slices.Clone(r.Events[i].Frames)
	}
	require.Len(t, r.Piles(), 1)
	for i := range r.Events {
		r.Events[i].Frames[0].Line = i
	}
	require.Empty(t, r.Piles(), "each from a line of its own")
}

// TestPilesAreSorted has two places, the larger one second, and a pile that ends.
func TestPilesAreSorted(t *testing.T) {
	r := rounds(4, 1, 4)
	second := rounds(4, 1, 3)
	for i := range second.Events {
		e := &second.Events[i]
		e.Addr += 1 << 40
		e.Block *= 3
		if e.Frames != nil {
			e.Frames = []caching.Frame{{Filename: "b.py", Line: 1, Name: "g"}}
		}
	}
	for _, s := range second.Statements {
		s.End += len(r.Events)
		r.Statements = append(r.Statements, s)
	}
	r.Events = append(r.Events, second.Events...)
	found := r.Piles()
	require.Len(t, found, 2)
	require.Equal(t, "b.py", found[0].Frames[0].Filename)
	require.EqualValues(t, 4*3*512, found[0].Bytes)
	require.EqualValues(t, 4*512, found[1].Bytes)
}
