package web

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// onTimeline returns a place in the window: shares of the picture's width and
// height, without the axes.
func (b *browser) onTimeline(right, down float64) (x, y float64) {
	b.t.Helper()
	r := eval[[4]float64](b, `(() => { const r = document.getElementById('timeline').getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; })()`)
	const left, rightEdge, top = 62, 6, 20
	bottom := 24.0
	if eval[bool](b, `!document.querySelector('.statement').hidden`) {
		bottom = 46
	}
	return r[0] + left + right*(r[2]-left-rightEdge), r[1] + top + down*(r[3]-top-bottom)
}

// mouse sends an event of the mouse.
func (b *browser) mouse(p input.DispatchMouseEventParams) {
	b.t.Helper()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, input.DispatchMouseEvent, p)
		return err
	}))
}

func (b *browser) wheel(x, y, delta float64) {
	b.t.Helper()
	b.mouse(input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel, X: x, Y: y, DeltaX: .01, DeltaY: delta})
}

func (b *browser) hover(x, y float64) {
	b.t.Helper()
	b.mouse(input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: x, Y: y})
	b.settle()
}

// drag presses at one place, moves in ten steps, and lets go at another.
func (b *browser) drag(x1, y1, x2, y2 float64) {
	b.t.Helper()
	press := input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMousePressed, X: x1, Y: y1, Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1}
	b.mouse(press)
	for i := 1; i <= 10; i++ {
		share := float64(i) / 10
		b.mouse(input.DispatchMouseEventParams{
			Type: input.DispatchMouseEventTypeMouseMoved, X: x1 + (x2-x1)*share, Y: y1 + (y2-y1)*share,
			Button: input.MouseButtonLeft, Buttons: 1,
		})
	}
	b.mouse(input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseReleased, X: x2, Y: y2, Button: input.MouseButtonLeft, ClickCount: 1})
}

// touch says where the fingers are. Without any, they are lifted.
func (b *browser) touch(fingers []float64, y float64) {
	b.t.Helper()
	p := input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}}
	for i, x := range fingers {
		id := float64(i)
		p.TouchPoints = append(p.TouchPoints, &input.TouchPoint{X: x, Y: y, ID: &id})
		p.Type = input.DispatchTouchEventTypeTouchMove
		if !b.touching {
			p.Type = input.DispatchTouchEventTypeTouchStart
		}
	}
	b.touching = len(fingers) > 0
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, input.DispatchTouchEvent, p)
		return err
	}))
}
