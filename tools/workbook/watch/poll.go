package watch

import (
	"context"
	"time"
)

// polled is an eye that opens a few times a second.
type polled struct {
	folder string
	seen   string
	ticker *time.Ticker
}

func poll(folder string) eye {
	return &polled{folder: folder, seen: snapshot(folder), ticker: time.NewTicker(pollEvery)}
}

func (p *polled) Next(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-p.ticker.C:
		}
		if now := snapshot(p.folder); now != p.seen {
			p.seen = now
			return nil
		}
	}
}

func (p *polled) Close() { p.ticker.Stop() }
