package whatif

import (
	"context"
	"errors"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/snapshot"
	"github.com/torchmem/workbook/tools/replay/whatif/history"
)

// study is all that is known of one GPU in a snapshot.
type study struct {
	program *history.Program
	events  []snapshot.Event
	conf    string
	cfg     caching.Config
	// causes has the cause of each release.
	causes []history.Cause
	// bounds are those of the recording's limit, and limit is one between
	// them, noLimit if it ran into none.
	bounds bounds
	limit  int64
	// exact tells that the start can be built as it was.
	exact   bool
	remarks []string
	told    tell
	// films tells that replays are filmed, and last is the film of the last
	// one, nil if not even what was there before fitted.
	films bool
	last  *film
}

const (
	// noLimit is more than any GPU has.
	noLimit int64 = 1 << 50
	// unit is what every amount of reserved memory is a multiple of.
	unit = 2 << 20
)

// newStudy reads the history of one GPU.
func newStudy(ctx context.Context, s *snapshot.Snapshot, device int, told tell) (*study, error) {
	told("finding out what was asked for", 0, 0)
	p, err := history.Of(ctx, s, device)
	if err != nil {
		return nil, err
	}
	st := &study{program: p, events: s.Traces[device], limit: noLimit, told: told}
	st.conf, st.cfg, st.remarks = recordedSettings(s)
	if err := st.tryStart(); err != nil {
		return nil, err
	}
	if st.causes, err = st.judge(ctx); err != nil {
		return nil, err
	}
	st.bounds = limitOf(p, st.cfg, st.causes)
	if st.bounds.known() {
		st.limit, err = st.findLimit(ctx)
	}
	return st, err
}

// tryStart finds out whether the start can be built.
func (s *study) tryStart() error {
	r, err := newReplay(s.program, s.cfg, newDriver(noLimit, s.program.Slots))
	if err != nil {
		return err
	}
	err = r.restore(s.cfg)
	s.exact = err == nil
	if errors.Is(err, errInexact) || errors.Is(err, gpu.ErrOutOfMemory) {
		return nil
	}
	return err
}

// judge finds the causes that the history leaves open.
func (s *study) judge(ctx context.Context) ([]history.Cause, error) {
	r, err := s.onTrail(noLimit)
	if err != nil {
		return nil, err
	}
	return judge(ctx, s.program, s.cfg, r)
}

// findLimit picks a limit between the bounds.
func (s *study) findLimit(ctx context.Context) (int64, error) {
	if s.cfg.GarbageCollectionThreshold == 0 || !s.exact {
		return max((s.bounds.below-1)/unit*unit, s.bounds.least), nil
	}
	return calibrate(ctx, s.bounds, s.onTrail)
}

// onTrail makes a replay that begins as the recording did and gets the same
// addresses, as far as the start can be built.
func (s *study) onTrail(limit int64) (*replay, error) {
	r, err := s.replay(s.cfg, limit)
	if err != nil {
		return nil, err
	}
	if !s.exact {
		return r, r.startWithBlocks()
	}
	if err := r.restore(s.cfg); err != nil {
		return nil, err
	}
	r.driver.trail = newTrail(s.events)
	return r, r.limitedBy(limit)
}

// replay makes a replay that has nothing yet.
func (s *study) replay(cfg caching.Config, limit int64) (*replay, error) {
	r, err := newReplay(s.program, cfg, newDriver(memoryFor(limit), s.program.Slots))
	if err != nil {
		return nil, err
	}
	r.causes = s.causes
	return r, nil
}

// recorded replays the program as it was recorded.
func (s *study) recorded(ctx context.Context) (Result, error) {
	if !s.exact {
		return s.under(ctx, s.conf, s.cfg, s.limit)
	}
	limit := noLimit
	if s.cfg.GarbageCollectionThreshold > 0 {
		limit = s.limit
	}
	r, err := s.onTrail(limit)
	if err != nil {
		return Result{}, err
	}
	return s.run(ctx, r, s.conf)
}

// recordedWithin replays the program under the recorded settings and a limit of
// the caller's. What the recording cached before it began may be too much.
func (s *study) recordedWithin(ctx context.Context, limit int64) (Result, error) {
	if s.program.Start.Reserved > limit || !s.exact {
		return s.under(ctx, s.conf, s.cfg, limit)
	}
	r, err := s.onTrail(limit)
	if err != nil {
		return Result{}, err
	}
	r.skips = true
	return s.run(ctx, r, s.conf)
}

// under replays the program under other settings and a limit.
func (s *study) under(ctx context.Context, conf string, cfg caching.Config, limit int64) (Result, error) {
	if f := cfg.MemoryFraction; f != nil {
		limit = int64(*f * float64(limit))
	}
	r, err := s.replay(cfg, limit)
	if err != nil {
		return Result{}, err
	}
	if err := r.limitedBy(limit); err != nil {
		return Result{}, err
	}
	err = r.startWithBlocks()
	if errors.Is(err, gpu.ErrOutOfMemory) {
		s.last = nil
		return r.failedAtStart(), nil
	}
	if err != nil {
		return Result{}, err
	}
	return s.run(ctx, r, conf)
}

// run ends a replay.
func (s *study) run(ctx context.Context, r *replay, conf string) (Result, error) {
	r.told = func(done int) { s.told("replaying under "+title(conf), done, len(s.program.Ops)) }
	if s.films {
		f, end := s.film(r)
		defer end()
		s.last = f
	}
	err := r.run(ctx)
	return r.result, err
}
