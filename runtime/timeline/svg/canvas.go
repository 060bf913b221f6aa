package svg

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
)

// canvas is the picture as it is written. Positions are pixels from the left and
// from the top.
type canvas struct{ strings.Builder }

// put writes an element as it stands.
func (c *canvas) put(format string, args ...any) {
	for i, a := range args {
		if v, ok := a.(float64); ok {
			args[i] = number(v)
		}
	}
	fmt.Fprintf(&c.Builder, format, args...)
	c.WriteByte('\n')
}

// The places of a text from which it is measured.
const (
	start  = ""
	middle = ` text-anchor="middle"`
	right  = ` text-anchor="end"`
)

// text writes a text with its baseline at y. It may hold anything: it is escaped.
func (c *canvas) text(class, anchor string, x, y float64, text string) {
	c.put(`<text class="%v"%v x="%v" y="%v">%v</text>`, class, anchor, x, y, escape(text))
}

func (c *canvas) line(class string, x1, y1, x2, y2 float64) {
	c.put(`<path class="%v" d="M%v %vL%v %v"/>`, class, x1, y1, x2, y2)
}

func (c *canvas) rect(class string, x, y, w, h float64) {
	c.put(`<rect class="%v" x="%v" y="%v" width="%v" height="%v"/>`, class, x, y, w, h)
}

// number spells a position with at most one decimal.
func number(v float64) string { return strconv.FormatFloat(tenth(v), 'f', -1, 64) }

func escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder takes everything
	return b.String()
}

// track is a line of steps: to the right and up or down, never aslant.
type track struct {
	strings.Builder
	x, y float64
}

// start moves the pen without drawing.
func (t *track) start(x, y float64) {
	t.x, t.y = tenth(x), tenth(y)
	t.WriteString("M" + number(t.x) + " " + number(t.y))
}

// across and down draw to a position. Staying where it is draws nothing, so a
// long rest costs nothing.
func (t *track) across(x float64) {
	if x = tenth(x); x != t.x {
		t.WriteString("h" + number(x-t.x))
		t.x = x
	}
}

func (t *track) down(y float64) {
	if y = tenth(y); y != t.y {
		t.WriteString("v" + number(y-t.y))
		t.y = y
	}
}
