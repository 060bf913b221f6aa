package web

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/dustin/go-humanize"
	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/timeline"
)

func TestHoverTellsNameSizeAndLine(t *testing.T) {
	r := leak(t)
	b := open(t, r)
	first := lowest(r, (len(r.Events)+1)/2)
	b.hover(b.onTimeline(.5, .99))
	tip := b.text("tip")
	require.Contains(t, tip, first.Name)
	require.Contains(t, tip, humanize.Comma(first.Block)+" bytes")
	require.Contains(t, tip, fmt.Sprintf("%s:%d", first.Frames[0].Filename, first.Frames[0].Line))
	b.hover(b.onTimeline(.5, .02))
	require.Contains(t, b.text("tip"), "reserved", "above all bands are the counters")
	b.quiet()
}

// lowest is the oldest allocation of a moment: all others lie on it.
func lowest(r *timeline.Recording, moment int) timeline.Band {
	for _, band := range r.Bands() {
		if band.IsActive(moment - 1) {
			return band
		}
	}
	panic("nothing is there")
}

func TestClickChoosesTheMomentAndTheBand(t *testing.T) {
	r := leak(t)
	b := open(t, r)
	x, y := b.onTimeline(.5, .99)
	b.do(chromedp.MouseClickXY(x, y))
	b.settle()
	moment := (len(r.Events) + 1) / 2
	require.Equal(t, fmt.Sprintf("Event %d of %d", moment, len(r.Events)), b.text("now-title"))
	b.requireCounters(r, moment)
	first := lowest(r, moment)
	require.Contains(t, b.text("chosen-name"), humanize.Comma(first.Size)+" bytes asked for, "+humanize.Comma(first.Block)+" occupied")
	require.Contains(t, b.text("chosen-life"), fmt.Sprintf("%#x", uint64(first.Addr)))
	require.Len(t, b.texts("#chosen-frames li"), len(first.Frames))
	b.quiet()
}

func TestKeysDoAllThatTheMouseDoes(t *testing.T) {
	r := leak(t)
	b := open(t, r)
	key := func(k string) {
		b.do(chromedp.KeyEvent(k))
		b.settle()
	}
	at := func(moment int) {
		t.Helper()
		require.Equal(t, fmt.Sprintf("Event %d of %d", moment, len(r.Events)), b.text("now-title"))
	}
	b.do(chromedp.Focus("#timeline"))
	key(kb.Home)
	at(0)
	key(kb.ArrowRight)
	key(kb.ArrowRight)
	at(2)
	key(kb.ArrowLeft)
	at(1)
	key(kb.End)
	at(len(r.Events))
	key("p")
	peak := r.Curves().Peak[len(r.Events)-1]
	require.Equal(t, humanize.Comma(peak), b.text("allocated"))
	b.requireBandsInOrder(r, key)
	require.NotEmpty(t, b.text("chosen-name"))
	key(kb.Escape)
	require.True(t, eval[bool](b, `document.getElementById('chosen').hidden`))
	b.quiet()
}

// requireBandsInOrder climbs through the bands of the moment and hears each.
func (b *browser) requireBandsInOrder(r *timeline.Recording, key func(string)) {
	b.t.Helper()
	var event int
	_, err := fmt.Sscanf(b.text("now-title"), "Event %d", &event)
	require.NoError(b.t, err)
	heard := 0
	for _, band := range r.Bands() {
		if !band.IsActive(event - 1) {
			continue
		}
		key(kb.ArrowUp)
		heard++
		require.Contains(b.t, b.text("live"), humanize.Comma(band.Block)+" bytes")
		require.Contains(b.t, b.text("live"), "Band "+band.Name)
	}
	require.Greater(b.t, heard, 5)
}

func TestFocusIsVisible(t *testing.T) {
	b := open(t, leak(t), busy(t, "", 50, 1<<20))
	seen := map[string]bool{}
	for range 12 {
		b.do(chromedp.KeyEvent(kb.Tab))
		seen[eval[string](b, `(() => {
			const e = document.activeElement;
			return (e.id || e.className || e.tagName) + ' ' + (getComputedStyle(e).outlineStyle !== 'none');
		})()`)] = true
	}
	require.Contains(t, seen, "timeline true")
	require.Contains(t, seen, "moment true")
	require.Contains(t, seen, "thumb true")
	for what := range seen {
		require.False(t, strings.HasSuffix(what, "false"), "%s has the focus and does not show it", what)
	}
}

func TestZoomKeepsTheMomentAndShowsAllAgain(t *testing.T) {
	r := leak(t)
	b := open(t, r)
	b.do(chromedp.Focus("#timeline"), chromedp.KeyEvent(kb.Home), chromedp.KeyEvent("+"), chromedp.KeyEvent("+"))
	b.settle()
	// The right end of the picture is no more the end of the history.
	x, y := b.onTimeline(.999, .99)
	b.do(chromedp.MouseClickXY(x, y))
	b.settle()
	zoomed := b.text("now-title")
	require.NotEqual(t, fmt.Sprintf("Event %d of %d", len(r.Events), len(r.Events)), zoomed)
	b.drag(x-10, y, x-400, y)
	b.settle()
	b.do(chromedp.MouseClickXY(x, y))
	b.settle()
	require.NotEqual(t, zoomed, b.text("now-title"), "dragging moves the view")
	b.do(chromedp.Click("#zoom-all"))
	b.settle()
	b.do(chromedp.MouseClickXY(x, y))
	b.settle()
	require.Equal(t, fmt.Sprintf("Event %d of %d", len(r.Events), len(r.Events)), b.text("now-title"))
	b.quiet()
}

// TestNarrowScreen opens the page on a phone: nothing is wider than the screen,
// and fingers do what the mouse does.
func TestNarrowScreen(t *testing.T) {
	r := leak(t)
	b := open(t, r, busy(t, "", 50, 1<<20))
	for _, width := range []int64{360, 320, 700} {
		b.do(chromedp.EmulateViewport(width, 740, chromedp.EmulateScale(2), chromedp.EmulateMobile, chromedp.EmulateTouch))
		b.settle()
		require.LessOrEqual(t, eval[int64](b, `document.documentElement.scrollWidth`), width)
		require.GreaterOrEqual(t, eval[float64](b, `Math.min(...[...document.querySelectorAll('button')].filter(e => e.offsetParent).map(e => e.getBoundingClientRect().height))`), 28.0)
	}
	b.quiet()
}

// TestFingersZoomAndMove pinches the picture open, moves it, and taps.
func TestFingersZoomAndMove(t *testing.T) {
	r := leak(t)
	b := open(t, r)
	b.do(chromedp.EmulateViewport(400, 800, chromedp.EmulateMobile, chromedp.EmulateTouch))
	b.settle()
	eval[any](b, `document.getElementById('timeline').scrollIntoView({ block: 'center' })`)
	x, y := b.onTimeline(.5, .9)
	tap := func(x float64) string {
		b.touch([]float64{x}, y)
		b.touch(nil, y)
		b.settle()
		return b.text("now-title")
	}
	right := x + 120
	whole := tap(right)
	b.touch([]float64{x - 20, x + 20}, y)
	for d := 30.0; d <= 80; d += 10 {
		b.touch([]float64{x - d, x + d}, y)
	}
	b.touch(nil, y)
	b.settle()
	near := tap(right)
	require.NotEqual(t, whole, near, "the same place is another event when it is zoomed")
	b.touch([]float64{x}, y)
	for d := 0.0; d <= 100; d += 20 {
		b.touch([]float64{x - d}, y)
	}
	b.touch(nil, y)
	b.settle()
	require.NotEqual(t, near, tap(right), "and another when it is moved")
	b.quiet()
}

// TestColoursCanBeRead measures the contrast of every text in light and dark.
func TestColoursCanBeRead(t *testing.T) {
	b := open(t, leak(t), busy(t, "", 50, 1<<20))
	for _, scheme := range []string{"light", "dark"} {
		b.prefer(scheme)
		require.Equal(t, scheme, eval[string](b, `document.documentElement.dataset.theme`))
		require.Empty(t, eval[[]string](b, poorContrasts))
	}
	b.do(chromedp.Click("#theme"), chromedp.Click("#theme")) // auto, light, dark
	b.prefer("light")
	require.Equal(t, "dark", eval[string](b, `document.documentElement.dataset.theme`), "the button counts more than the system")
	b.quiet()
}

// prefer sets what the system says about colours.
func (b *browser) prefer(scheme string) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		return err
	}))
	b.settle()
}

// poorContrasts lists what has less contrast than the guidelines for accessible
// pages ask for: 4.5 for texts, also those on the canvas, 3 for what is drawn.
const poorContrasts = `(() => {
	const channel = v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
	const numbers = c => c.startsWith('#') ? [1, 3, 5].map(i => parseInt(c.slice(i, i + 2), 16)) : c.match(/[\d.]+/g).map(Number);
	const luminance = c => { const [r, g, b] = numbers(c).map(v => channel(v / 255)); return .2126 * r + .7152 * g + .0722 * b; };
	const contrast = (a, b) => { const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p); return (x + .05) / (y + .05); };
	const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!/, 0\)$|transparent/.test(c)) return c; } return 'rgb(255,255,255)'; };
	const poor = [];
	for (const e of document.querySelectorAll('body *')) {
		const has = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
		if (!has || !e.offsetParent || e.matches('script')) continue;
		const c = contrast(getComputedStyle(e).color, ground(e));
		if (c < 4.5) poor.push((e.id || e.className || e.tagName) + ' ' + c.toFixed(2));
	}
	const v = n => getComputedStyle(document.documentElement).getPropertyValue('--' + n).trim();
	const pairs = [['quiet', 'card', 4.5], ['ink', 'card', 4.5], ['on-pile', 'pile-2', 4.5], ['reserved', 'cached', 3], ['allocated', 'cached', 3], ['peak', 'cached', 3], ['accent', 'card', 3], ['pile-1', 'held-1', 1.5], ['held-1', 'freed-1', 1.3]];
	for (const kind of ['freed', 'held']) for (const i of [1, 2, 3]) pairs.push(['on-' + kind, kind + '-' + i, 4.5]);
	for (const [a, b, least] of pairs) { const c = contrast(v(a), v(b)); if (c < least) poor.push(a + ' on ' + b + ' ' + c.toFixed(2)); }
	return poor;
})()`
