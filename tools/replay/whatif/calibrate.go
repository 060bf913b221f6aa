package whatif

import "context"

// # Garbage collection
//
// How much garbage collection gives back depends on the limit to the byte, and
// the bounds leave room. So limits between them are tried: one that is too high
// collects too late, one that is too low gives back what the recording kept.
// Each try ends where it leaves the trail, and the one that never does is as
// good as the recording's own.

// calibrate looks for a limit with which a replay stays on the trail. It returns
// the last one that it tried. The function makes a replay with a limit.
func calibrate(ctx context.Context, b bounds, replay func(limit int64) (*replay, error)) (int64, error) {
	for {
		limit := b.least + (b.below-b.least)/2
		r, err := replay(limit)
		if err != nil {
			return 0, err
		}
		r.stopOff = true
		if err := r.run(ctx); err != nil {
			return 0, err
		}
		t := r.driver.trail
		switch {
		case t.leads():
			return limit, nil
		case t.greedy:
			b.below = limit
		default:
			b.least = limit + 1
		}
		if b.least >= b.below {
			return limit, nil
		}
	}
}
