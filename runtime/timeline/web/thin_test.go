package web

import (
	"fmt"
	"slices"
	"testing"

	"github.com/dustin/go-humanize"
	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/timeline"
)

// sums undoes steps.
func sums[N int | int64](steps []N) []N {
	all, sum := make([]N, len(steps)), N(0)
	for i, n := range steps {
		sum += n
		all[i] = sum
	}
	return all
}

func TestThinnedHistoryIsExactWhereItIsShown(t *testing.T) {
	r := busy(t, "", 3000, 4<<20)
	const limit = 1500
	require.Greater(t, len(r.Events), 2*limit)
	d, c := newRecord(r, limit), r.Curves()
	events := sums(d.EventSteps)
	require.LessOrEqual(t, len(events), limit+1)
	require.Greater(t, len(events), limit*9/10)
	require.Equal(t, 0, events[0])
	require.Equal(t, len(r.Events), events[len(events)-1])
	allocated, active, others := sums(d.Curves.AllocatedSteps), sums(d.Curves.ActiveSteps), sums(d.OtherSteps)
	for i, n := range events[1:] {
		require.Equal(t, c.Allocated[n-1], allocated[i+1])
		require.Equal(t, c.Active[n-1], active[i+1])
	}
	require.Equal(t, slices.Max(c.Allocated), slices.Max(allocated), "the peak is shown")
	require.Equal(t, slices.Max(c.Reserved), slices.Max(sums(d.Curves.ReservedSteps)))
	requireWhole(t, d, active, others)
}

// requireWhole adds up what is shown and what is left out: together they are all
// that is active.
func requireWhole(t *testing.T, d *record, active, others []int64) {
	from := sums(d.Bands.FromSteps)
	for moment := range active {
		sum := others[moment]
		for i := range from {
			if from[i] <= moment && moment < d.Bands.To[i] {
				sum += d.Bands.Block[i]
			}
		}
		require.Equal(t, active[moment], sum, "at moment %d", moment)
	}
	require.LessOrEqual(t, d.Left.Largest, slices.Min(d.Bands.Block), "what is left out is smaller than what is shown")
	require.GreaterOrEqual(t, d.Left.Most, slices.Max(others))
}

func TestEveryBandIsShownOrCounted(t *testing.T) {
	r := busy(t, "", 3000, 4<<20)
	d := newRecord(r, 1500)
	require.Equal(t, len(r.Bands()), len(d.Bands.Block)+d.Left.Bands)
	require.Positive(t, d.Left.Bands)
	require.Nil(t, newRecord(r, len(r.Events)).Left, "a history that fits is whole")
}

// TestPageSaysWhatItLeavesOut opens a thinned page and reads its values back.
func TestPageSaysWhatItLeavesOut(t *testing.T) {
	r := busy(t, "", 3000, 4<<20)
	b := openLimited(t, 1500, r)
	d := newRecord(r, 1500)
	note := b.text("left")
	require.Contains(t, note, "This history has "+humanize.Comma(int64(len(r.Events)))+" events.")
	require.Contains(t, note, "Left out: "+humanize.Comma(int64(d.Left.Bands))+" allocations")
	events := sums(d.EventSteps)
	for _, moment := range []int{1, len(events) / 3, len(events) / 2, len(events) - 1} {
		b.move(moment)
		require.Equal(t, fmt.Sprintf("Event %s of %s", humanize.Comma(int64(events[moment])), humanize.Comma(int64(len(r.Events)))), b.text("now-title"))
		b.requireCounters(r, events[moment])
	}
	b.quiet()
	whole := open(t, &timeline.Recording{Title: "short"})
	require.True(t, eval[bool](whole, `document.getElementById('left').hidden`))
}
