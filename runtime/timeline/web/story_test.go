package web

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

func TestRecordingsCanBeChosen(t *testing.T) {
	r, other := leak(t), busy(t, "", 50, 1<<20)
	b := open(t, r, other)
	require.Equal(t, r.Title, b.text("recording"), "what piles up is shown first")
	b.do(chromedp.Focus(".thumb[aria-checked=true]"), chromedp.KeyEvent(kb.ArrowRight))
	b.settle()
	require.Equal(t, other.Title, b.text("recording"))
	require.Equal(t, []string{other.Title}, b.texts(".thumb[aria-checked=true] b"))
	b.move(len(other.Events))
	b.requireCounters(other, len(other.Events))
	b.quiet()
}

func TestPileIsToldAndNamed(t *testing.T) {
	b := open(t, leak(t))
	require.Contains(t, b.text("story"), "Piles up: ")
	require.Contains(t, b.text("story"), "6 allocations")
	require.Contains(t, b.text("story"), "outs.clear()")
	require.Contains(t, strings.Join(b.texts("#legend li"), " "), "piles up")
	b.quiet()
}
