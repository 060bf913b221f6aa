package caching_test

import (
	"flag"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
	"pgregory.net/rapid"
)

// init makes runs longer than the library's 30 operations. A flag still counts.
func init() {
	if err := flag.Set("rapid.steps", "80"); err != nil {
		panic(err)
	}
}

// TestProperties does random operations under random settings on a random
// device, and checks after each what must always hold. At the end everything
// goes back. A failure is shrunk to the shortest one.
//
//	go test ./runtime/caching -run TestProperties -rapid.checks 10000
func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := newMachine(t)
		t.Repeat(rapid.StateMachineActions(m))
		m.end(t)
	})
}

// machine is an allocator and what its user knows of it.
type machine struct {
	profile  gpu.Profile
	driver   *sim.Driver
	alloc    *caching.Allocator
	settings settings
	streams  []gpu.Stream
	held     []held
	limit    int64

	ledger *ledger
	course *course
	private
	waits
}

// held is a block that the user has, with what was asked for.
type held struct {
	block  *caching.Block
	size   int64
	stream gpu.Stream
	pool   caching.PoolID
	// users are the streams that RecordStream named. Those that it named
	// while a private pool was in use will get no event.
	users, within map[gpu.Stream]bool
}

func newMachine(t *rapid.T) *machine {
	p := gpu.DefaultProfile()
	gib := rapid.SampledFrom([]int64{1, 2, 140}).Draw(t, "GiB of the device")
	p.TotalMemory = p.ContextMemory + gib<<30
	s := drawSettings(t)
	cfg, err := caching.ParseConfig(s.conf)
	require.NoError(t, err)
	d := sim.New(p)
	a, err := caching.New(d, cfg)
	require.NoError(t, err)
	m := &machine{
		profile: p, driver: d, alloc: a, settings: s, streams: []gpu.Stream{0}, limit: math.MaxInt64,
		ledger: newLedger(), course: newCourse(a.Stats()), waits: newWaits(),
	}
	if cfg.MemoryFraction != nil {
		m.noteLimit(*cfg.MemoryFraction)
	}
	a.RecordHistory(1 << 20)
	return m
}

// settings are those that a machine runs under.
type settings struct {
	conf string
	// maxSplit is from where on a block is oversize.
	maxSplit int64
	// segment is what the large pool takes for middling requests.
	segment    int64
	expandable bool
}

// rounds tells that sizes are rounded to more than 512 bytes.
func (s settings) rounds() bool { return strings.Contains(s.conf, "roundup") }

// plain tells that nothing but size and address decides which cached block is
// the best fit.
func (s settings) plain() bool {
	return !s.expandable && s.maxSplit == math.MaxInt64 && !s.rounds()
}

// drawSettings draws a value, or none, for each setting.
func drawSettings(t *rapid.T) settings {
	s := settings{maxSplit: math.MaxInt64}
	var pairs []string
	maybe := func(key string, value func() any) {
		if rapid.Bool().Draw(t, key) {
			pairs = append(pairs, fmt.Sprintf("%s:%v", key, value()))
		}
	}
	segment := 20
	number := func(low, high int) int { return rapid.IntRange(low, high).Draw(t, "MiB") }
	maybe("large_segment_size_mb", func() any { segment = number(11, 64); return segment })
	maybe("max_split_size_mb", func() any {
		mb := number(segment, 100)
		s.maxSplit = int64(mb) << 20
		return mb
	})
	maybe("max_non_split_rounding_mb", func() any { return number(segment, 100) })
	maybe("roundup_power2_divisions", func() any { return drawRoundup(t) })
	maybe("garbage_collection_threshold", func() any { return rapid.Float64Range(0.01, 0.99).Draw(t, "threshold") })
	maybe("expandable_segments", func() any { s.expandable = true; return "True" })
	maybe("per_process_memory_fraction", func() any { return drawFraction(t) })
	maybe("pinned_use_background_threads", func() any { return "True" })
	s.conf = strings.Join(pairs, ",")
	s.segment = int64(segment) << 20
	return s
}

// drawRoundup draws one number or a list.
func drawRoundup(t *rapid.T) string {
	divisions := rapid.SampledFrom([]int{1, 2, 4, 8, 64})
	if rapid.Bool().Draw(t, "list") {
		return fmt.Sprintf("[1:%d,4:%d,>:%d]", divisions.Draw(t, "up to 1"), divisions.Draw(t, "4"), divisions.Draw(t, "above"))
	}
	return fmt.Sprint(divisions.Draw(t, "divisions"))
}

func drawFraction(t *rapid.T) float64 {
	return rapid.SampledFrom([]float64{0, 0.0005, 0.002, 0.05, 0.3, 0.9, 1}).Draw(t, "fraction")
}

func (m *machine) noteLimit(fraction float64) {
	m.limit = math.MaxInt64
	if fraction < 1 {
		m.limit = int64(fraction * float64(m.profile.TotalMemory))
	}
}

// Check is called after each operation.
func (m *machine) Check(t *rapid.T) {
	snapshot := m.alloc.Snapshot()
	requireTiled(t, snapshot)
	m.requireSizes(t, snapshot)
	requireCounted(t, m.alloc, snapshot, m.profile)
	m.requireHeld(t, snapshot)
	m.ledger.read(t, m.alloc)
	m.ledger.requireSame(t, snapshot)
	stats := m.alloc.Stats()
	m.course.requireOnward(t, stats)
	m.waits.require(t, m.ledger, stats)
}

// requireSizes checks that segments have the sizes that the rules give them.
func (m *machine) requireSizes(t *rapid.T, snapshot []caching.Segment) {
	for _, s := range snapshot {
		switch {
		case s.SegmentType == "small":
			require.Zero(t, s.TotalSize%(2<<20))
			require.True(t, s.IsExpandable || s.TotalSize == 2<<20, "a small segment of %d bytes", s.TotalSize)
		case s.IsExpandable:
			require.Zero(t, s.TotalSize%m.settings.segment)
		case s.TotalSize != m.settings.segment:
			require.GreaterOrEqual(t, s.TotalSize, int64(10<<20))
			require.Zero(t, s.TotalSize%(2<<20))
		}
	}
}

// requireHeld checks that the allocated blocks are those that the user has,
// each as it was handed out.
func (m *machine) requireHeld(t *rapid.T, snapshot []caching.Segment) {
	type place struct {
		segment caching.Segment
		block   caching.BlockRecord
	}
	shown := map[gpu.Ptr]place{}
	for _, s := range snapshot {
		for _, b := range s.Blocks {
			if b.State == caching.ActiveAllocated {
				shown[b.Address] = place{s, b}
			}
		}
	}
	require.Len(t, m.held, len(shown), "blocks are handed out twice, or were not freed")
	for _, h := range m.held {
		at, ok := shown[h.block.Ptr()]
		require.True(t, ok, "a held block is not allocated")
		require.Equal(t, h.size, at.block.RequestedSize)
		require.Equal(t, h.block.Size(), at.block.Size)
		require.Equal(t, h.stream, at.segment.Stream)
		require.Equal(t, h.pool, at.segment.SegmentPoolID)
	}
}

// end gives everything back.
func (m *machine) end(t *rapid.T) {
	m.endPools(t)
	for _, h := range m.held {
		require.NoError(t, m.alloc.Free(h.block))
	}
	m.held = nil
	require.NoError(t, m.alloc.EmptyCache())
	m.Check(t)
	requireEmpty(t, m.alloc, m.profile)
}
