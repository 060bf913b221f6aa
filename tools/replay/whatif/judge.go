package whatif

import (
	"context"
	"errors"
	"fmt"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/tools/replay/whatif/history"
)

// # Who emptied the cache
//
// Where a history leaves open whether the program emptied the cache or a
// request did, a replay under the recorded settings can tell something: if the
// cache has a block for the request, the request did not ask the driver, so it
// was the program.
//
// What is then still open is decided by the limit. A request that empties the
// cache does so because there is a limit, and what was reserved never passes
// that. If more was reserved at another time than this request would have led
// to, there was no such limit, and it was the program. If never so much was
// reserved, it was the request; but without any other sign of a limit, only
// where that explains more than it leaves to the program.

// judgement finds the causes of the releases.
type judgement struct {
	*replay
	settings caching.Config
	// served are the unknown releases before which the cache had a block
	// for the request behind them.
	served map[int]bool
}

// judge returns the cause of each release, none of them unknown.
func judge(ctx context.Context, p *history.Program, cfg caching.Config, r *replay) ([]history.Cause, error) {
	j := &judgement{replay: r, settings: cfg, served: map[int]bool{}}
	causes := make([]history.Cause, len(p.Releases))
	open := 0
	for i, rel := range p.Releases {
		causes[i] = rel.Cause
		if rel.Cause == history.Unknown {
			open++
		}
	}
	if open == 0 {
		return causes, nil
	}
	r.causes = causes
	if err := j.run(ctx); err != nil {
		return nil, err
	}
	j.decide(causes)
	return causes, nil
}

// run does all ops and looks into the cache before each unknown release.
func (j *judgement) run(ctx context.Context) error {
	ops := j.program.Ops
	for i := 0; i < len(ops); i++ {
		if i%tellEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		op := &ops[i]
		err := error(nil)
		if op.Kind == history.OpRelease && j.causes[op.Slot] == history.Unknown && i+1 < len(ops) {
			err = j.probe(int(op.Slot), &ops[i+1])
		} else {
			err = j.do(op)
		}
		if errors.Is(err, gpu.ErrOutOfMemory) || !j.driver.trail.leads() {
			return nil // what was found until here counts
		}
		if err != nil {
			return fmt.Errorf("event %d: %w", op.Event, err)
		}
	}
	return nil
}

// probe asks for the block of the request behind a release. A cache that has one
// gives it back and is emptied, as the program did.
func (j *judgement) probe(n int, next *history.Op) error {
	if next.Kind != history.OpAlloc {
		return nil
	}
	refused := j.driver.refused
	b, err := j.take(next.Size, int(next.Lane))
	if err != nil {
		return err
	}
	empty := j.driver.refused > refused
	if err := j.alloc.Free(b); err != nil || empty {
		return err
	}
	j.served[n] = true
	return j.alloc.EmptyCache()
}

// decide names a cause for what is unknown.
func (j *judgement) decide(causes []history.Cause) {
	known := limitOf(j.program, j.settings, causes)
	limited := limited(j.program, causes)
	var full, other []int
	for i, rel := range j.program.Releases {
		if causes[i] != history.Unknown {
			continue
		}
		causes[i] = history.ByProgram
		switch {
		case j.served[i]:
		case rel.Before+rel.Need > j.program.Recorded.PeakReserved:
			full = append(full, i)
		case limited && collects(rel, j.settings, known):
			causes[i] = history.ByRequest
		default:
			other = append(other, i)
		}
	}
	if limited || len(full) >= len(other) {
		for _, i := range full {
			causes[i] = history.ByRequest
		}
	}
}

// collects reports whether garbage collection was due before a release. It
// leaves small segments alone.
func collects(rel history.Release, cfg caching.Config, b bounds) bool {
	t := cfg.GarbageCollectionThreshold
	return t > 0 && rel.Least > smallSegment && float64(rel.Before) > t*float64(b.least)
}

// limited reports whether the recording shows a limit: a request failed, or
// gave back a part of the cache.
func limited(p *history.Program, causes []history.Cause) bool {
	for i, rel := range p.Releases {
		if causes[i] == history.ByRequest && (rel.Failed || !rel.All) {
			return true
		}
	}
	return false
}
