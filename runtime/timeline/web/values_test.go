package web

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/dustin/go-humanize"
	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/timeline"
)

// move moves the slider as a finger does: the value changes, and the page hears
// of it.
func (b *browser) move(moment int) {
	b.t.Helper()
	eval[any](b, fmt.Sprintf(`(() => { const s = document.getElementById('moment'); s.value = %d; s.dispatchEvent(new Event('input')); })()`, moment))
	b.settle()
}

// requireCounters compares what the page shows with the recording's counters
// after so many events.
func (b *browser) requireCounters(r *timeline.Recording, moment int) {
	b.t.Helper()
	c := r.Curves()
	require.Equal(b.t, humanize.Comma(c.Allocated[moment-1]), b.text("allocated"))
	require.Equal(b.t, humanize.Comma(c.Reserved[moment-1]), b.text("reserved"))
	require.Equal(b.t, humanize.Comma(c.Peak[moment-1]), b.text("peak"))
}

// requireHolders compares the table with the largest allocations.
func (b *browser) requireHolders(r *timeline.Recording, moment int) {
	b.t.Helper()
	var bytes, places []string
	names := b.texts("#holders tbody tr button span:last-child")
	for i, band := range r.Largest(moment-1, 10) {
		if held := band.HeldBy(moment - 1); held != "" {
			require.Equal(b.t, held, names[i])
		}
		bytes = append(bytes, humanize.Comma(band.Block))
		place := ""
		if len(band.Frames) > 0 {
			f := band.Frames[0]
			place = f.Filename[strings.LastIndex(f.Filename, "/")+1:] + ":" + strconv.Itoa(f.Line)
		}
		places = append(places, place)
	}
	require.Equal(b.t, bytes, b.texts("#holders tbody td:nth-child(2)"))
	require.Equal(b.t, places, b.texts("#holders tbody td:nth-child(3)"))
}

// requireSegments points at the middle of every active block of the map, and
// compares the answers with the recording's segments.
func (b *browser) requireSegments(r *timeline.Recording, moment int) {
	b.t.Helper()
	segments := r.SegmentsAt(moment - 1)
	if len(segments) == 0 {
		require.Equal(b.t, "Nothing is reserved.", b.text("segments-about"))
		return
	}
	require.True(b.t, strings.HasPrefix(b.text("segments-about"), strconv.Itoa(len(segments))+" segment"), b.text("segments-about"))
	largest := int64(0)
	for _, s := range segments {
		largest = max(largest, s.TotalSize)
	}
	got := eval[[]string](b, askMap(segments, largest))
	var want []string
	for _, s := range segments {
		for _, block := range s.Blocks {
			want = append(want, blockText(s, block))
		}
	}
	require.Len(b.t, got, len(want))
	for i, text := range got {
		require.Contains(b.t, text, want[i])
	}
}

// blockText is a part of what the map says of a block.
func blockText(s caching.Segment, block caching.BlockRecord) string {
	if block.State == caching.Inactive {
		return fmt.Sprintf("segment of %s bytes at %#x", humanize.Comma(s.TotalSize), uint64(s.Address))
	}
	return fmt.Sprintf("%s bytes at %#x", humanize.Comma(block.Size), uint64(block.Address))
}

// askMap is JavaScript that moves a pointer to the middle of each block and reads
// what the map says. It knows the map's measures: rows of 24 pixels and a gutter
// of 66.
func askMap(segments []caching.Segment, largest int64) string {
	var places strings.Builder
	for row, s := range segments {
		for _, block := range s.Blocks {
			middle := float64(block.Address-s.Address) + float64(block.Size)/2
			fmt.Fprintf(&places, "[%d,%g,%d],", row, middle/float64(s.TotalSize), s.TotalSize)
		}
	}
	return fmt.Sprintf(`(() => {
		const map = document.getElementById('segments'), box = map.getBoundingClientRect();
		return [%s].map(([row, share, size]) => {
			const length = Math.max(5, size / %d * (box.width - 66 - 2));
			map.dispatchEvent(new PointerEvent('pointermove', { clientX: box.x + 66 + share * length, clientY: box.y + row * 24 + 8 }));
			return document.getElementById('segments-tip').textContent;
		});
	})()`, places.String(), largest)
}

// TestValuesAreTheCounters moves the slider through recordings of all kinds and
// compares what the page says with the counters.
func TestValuesAreTheCounters(t *testing.T) {
	for name, r := range map[string]*timeline.Recording{
		"a leak":     leak(t),
		"busy":       busy(t, "", 120, 30<<20),
		"expandable": busy(t, "expandable_segments:True", 120, 30<<20),
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, r)
			for i := 1; i <= 8; i++ {
				moment := max(1, i*len(r.Events)/8)
				b.move(moment)
				require.Equal(t, fmt.Sprintf("Event %d of %d", moment, len(r.Events)), b.text("now-title"))
				b.requireCounters(r, moment)
				b.requireHolders(r, moment)
				b.requireSegments(r, moment)
			}
			b.quiet()
		})
	}
}

// TestStatementsHaveTheCountersOfTheProgram walks from statement to statement:
// the counters are those that the program saw, and the line is its line.
func TestStatementsHaveTheCountersOfTheProgram(t *testing.T) {
	r := leak(t)
	b := open(t, r)
	b.do(chromedp.Focus("#timeline"), chromedp.KeyEvent(kb.Home))
	for _, s := range r.Statements {
		b.do(chromedp.KeyEvent(kb.PageDown))
		b.settle()
		require.Equal(t, s.Text, b.text("statement"))
		require.Equal(t, fmt.Sprintf("%s:%d", s.File, s.Line), b.text("source"))
		require.Equal(t, humanize.Comma(s.Allocated), b.text("allocated"))
		require.Equal(t, humanize.Comma(s.Reserved), b.text("reserved"))
		require.Equal(t, humanize.Comma(s.Peak), b.text("peak"))
	}
	require.Equal(t, fmt.Sprintf("https://github.com/torchmem/workbook/blob/main/lessons/06/leaks.go#L%d", 12),
		eval[string](b, `document.querySelector('#source a').href`))
	b.quiet()
}

// TestExpandableRangesAreJoined makes sure that the recording has what the test
// above is about: pages that lie side by side, and pages that went.
func TestExpandableRangesAreJoined(t *testing.T) {
	r := busy(t, "expandable_segments:True", 120, 30<<20)
	counts := map[caching.Action]int{}
	for _, e := range r.Events {
		counts[e.Action]++
	}
	require.Greater(t, counts[caching.ActionSegmentMap], 3)
	require.Positive(t, counts[caching.ActionSegmentUnmap])
	require.NotEmpty(t, r.Start)
}

// TestManySegments has more segments than the map draws: the large one behind them
// is among those that are drawn.
func TestManySegments(t *testing.T) {
	r := &timeline.Recording{Title: "many"}
	for i := range 320 {
		e := caching.Entry{Action: caching.ActionSegmentAlloc, Addr: gpu.Ptr(1<<40 + i<<30), Size: 2 << 20}
		if i == 319 {
			e.Size = 20 << 20
		}
		r.Events = append(r.Events, timeline.Event{Entry: e})
	}
	b := open(t, r)
	b.move(len(r.Events))
	require.Contains(t, b.text("segments-about"), "The 300 largest are drawn")
	require.Contains(t, eval[string](b, `(() => {
		const map = document.getElementById('segments'), box = map.getBoundingClientRect();
		map.dispatchEvent(new PointerEvent('pointermove', { clientX: box.x + 70, clientY: box.bottom - 8 }));
		return document.getElementById('segments-tip').textContent;
	})()`), "segment of 20,971,520 bytes", "in the last row")
	b.quiet()
}

// TestWaitingIsInTheLegend has blocks that wait for another stream.
func TestWaitingIsInTheLegend(t *testing.T) {
	b := open(t, busy(t, "", 200, 1<<20), leak(t))
	legend := func() string { return strings.Join(b.texts("#legend li"), "; ") }
	require.NotContains(t, legend(), "waits for an event", "the leak has one stream")
	b.do(chromedp.Click(".thumb[aria-checked=false]"))
	b.settle()
	require.Contains(t, legend(), "waits for an event")
	b.quiet()
}
