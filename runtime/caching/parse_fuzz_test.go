package caching_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
)

// FuzzParseConfig looks for settings that break the parser. A refusal is one
// line. What is accepted has a meaning: spelled out and read again it is the
// same, and an allocator works under it.
//
//	go test ./runtime/caching -run '^$' -fuzz FuzzParseConfig
func FuzzParseConfig(f *testing.F) {
	f.Fuzz(func(t *testing.T, conf string) {
		cfg, err := caching.ParseConfig(conf)
		if err != nil {
			require.NotEmpty(t, err.Error())
			require.NotContains(t, err.Error(), "\n")
			return
		}
		again, err := caching.ParseConfig(spell(cfg))
		require.NoError(t, err, spell(cfg))
		require.Equal(t, cfg, again, spell(cfg))
		use(t, cfg)
	})
}

// spell writes settings out. The size of a large segment comes twice, because
// other settings are compared with the first one.
func spell(c caching.Config) string {
	pairs := []string{
		"large_segment_size_mb:" + megabytes(min(c.LargeSegment, c.MaxSplitSize, c.MaxNonSplitRounding)),
		"max_split_size_mb:" + megabytes(c.MaxSplitSize),
		"max_non_split_rounding_mb:" + megabytes(c.MaxNonSplitRounding),
		"large_segment_size_mb:" + megabytes(c.LargeSegment),
		"expandable_segments:" + map[bool]string{true: "True", false: "False"}[c.ExpandableSegments],
	}
	var slots []string
	for i, d := range c.RoundupDivisions {
		slots = append(slots, fmt.Sprintf("%d:%d", 1<<i, uint64(d)))
	}
	pairs = append(pairs, "roundup_power2_divisions:["+strings.Join(slots, ",")+"]")
	if c.GarbageCollectionThreshold > 0 {
		pairs = append(pairs, "garbage_collection_threshold:"+strconv.FormatFloat(c.GarbageCollectionThreshold, 'g', -1, 64))
	}
	if c.MemoryFraction != nil {
		pairs = append(pairs, "per_process_memory_fraction:"+strconv.FormatFloat(*c.MemoryFraction, 'g', -1, 64))
	}
	return strings.Join(pairs, ",")
}

// megabytes spells a size. What is no bound was more than an int64 holds.
func megabytes(bytes int64) string {
	if bytes == math.MaxInt64 {
		return "8796093022208"
	}
	return strconv.FormatInt(bytes>>20, 10)
}

// use allocates and frees under some settings. Requests may fail: a limit may
// be nothing at all.
func use(t *testing.T, cfg caching.Config) {
	a, err := caching.New(sim.New(gpu.DefaultProfile()), cfg)
	require.NoError(t, err)
	for _, size := range []int64{1, 1 << 20, 3_000_001, 100 << 20, 1 << 50} {
		if b, err := a.Malloc(size, 0); err == nil {
			require.GreaterOrEqual(t, b.Size(), size)
			require.NoError(t, a.Free(b))
		}
	}
	require.NoError(t, a.EmptyCache())
	require.Empty(t, a.Snapshot())
}
