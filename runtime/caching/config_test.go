package caching_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/torchmem/workbook/runtime/caching"
)

// TestParseConfigRefusals holds the texts that PyTorch gave.
func TestParseConfigRefusals(t *testing.T) {
	for conf, want := range map[string]string{
		"max_split_size_mb:10":                          "CachingAllocator option max_split_size_mb too small, must be >= 20",
		"max_split_size_mb:abc":                         "stoull",
		"max_split_size_mb":                             "allocator settings end too early: a value is missing after 'max_split_size_mb'",
		"max_split_size_mb=100":                         "Unrecognized key 'max_split_size_mb=100' in Accelerator allocator config.",
		"foo:1":                                         "Unrecognized key 'foo' in Accelerator allocator config.",
		"throw_on_cudamalloc_oom:True":                  "Unrecognized key 'throw_on_cudamalloc_oom' in Accelerator allocator config.",
		"max_non_split_rounding_mb:19":                  "CachingAllocator option max_non_split_rounding_mb too small, must be >= 20",
		"expandable_segments:true":                      "Expected 'True' or 'False' at index 2 in ConfigTokenizer but got 'true'",
		"roundup_power2_divisions:0":                    "For roundups, the divisions has to be power of 2 ",
		"roundup_power2_divisions:3":                    "For roundups, the divisions has to be power of 2 ",
		"roundup_power2_divisions:[4:3]":                "For roundups, the divisions has to be power of 2 or 0 to disable roundup ",
		"roundup_power2_divisions:[3:4]":                "For roundups, the intervals have to be power of 2 ",
		"roundup_power2_divisions:[4:4":                 "allocator settings end too early: a value is missing after 'roundup_power2_divisions:[4:4'",
		"garbage_collection_threshold:1.0":              "garbage_collect_threshold is invalid, set it in (0.0, 1.0)",
		"garbage_collection_threshold:0":                "garbage_collect_threshold is invalid, set it in (0.0, 1.0)",
		"garbage_collection_threshold:much":             "stod",
		"large_segment_size_mb:10":                      "CachingAllocator option large_segment_size_mb must be > 10 MB",
		"per_process_memory_fraction:2":                 "per_process_memory_fraction is invalid, set it in [0.0, 1.0]",
		"backend:foo":                                   "Unknown allocator backend, options are native and cudaMallocAsync",
		"backend:cudaMallocAsync":                       "backend cudaMallocAsync is not part of this workbook, use native",
		"pinned_num_register_threads:3":                 "Number of register threads has to be power of 2, got 3",
		"pinned_num_register_threads:256":               "Number of register threads should be less than or equal to 128, got 256",
		"pinned_reserve_segment_size_mb:0":              "Pinned reserve segment size has to be greater than 0",
		"pinned_use_background_threads:maybe":           "Expected 'True' or 'False' at index 2 in ConfigTokenizer but got 'maybe'",
		"large_segment_size_mb:64,max_split_size_mb:32": "CachingAllocator option max_split_size_mb too small, must be >= 64",
	} {
		_, err := caching.ParseConfig(conf)
		require.EqualError(t, err, want, conf)
	}
}

func TestParseConfig(t *testing.T) {
	parse := func(conf string) caching.Config {
		cfg, err := caching.ParseConfig(conf)
		require.NoError(t, err, conf)
		return cfg
	}
	require.Equal(t, parse(""), parse("backend:native,release_lock_on_cudamalloc:True"))
	require.EqualValues(t, 100<<20, parse("max_split_size_mb:100x").MaxSplitSize, "letters behind a number")
	require.EqualValues(t, 20<<20, parse("max_split_size_mb : 20 ,").MaxSplitSize, "spaces and a last comma")
	require.EqualValues(t, 32<<20, parse("large_segment_size_mb:32").LargeSegment)
	require.EqualValues(t, 64<<20, parse("max_non_split_rounding_mb:64").MaxNonSplitRounding)
	require.Equal(t, 0.6, parse("garbage_collection_threshold:0.6").GarbageCollectionThreshold)
	require.Equal(t, 0.0, *parse("per_process_memory_fraction:0").MemoryFraction)
	require.True(t, parse("expandable_segments:True").ExpandableSegments)
	require.Equal(t, [16]int64{8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8},
		parse("roundup_power2_divisions:8").RoundupDivisions)
	require.Equal(t, [16]int64{1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 4, 8, 8, 8, 8, 8},
		parse("roundup_power2_divisions:[256:1,512:2,1024:4,>:8]").RoundupDivisions)
}

// TestSizes holds requests and the sizes that they got.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		conf            string
		request         int64
		block, reserved int64
	}{
		{"", 1, 512, 2 << 20},
		{"", 513, 1024, 2 << 20},
		{"", 1 << 20, 1 << 20, 2 << 20},
		{"", 1<<20 + 1, 1<<20 + 512, 20 << 20},
		{"", 10<<20 - 512, 10<<20 - 512, 20 << 20},
		{"", 10 << 20, 10 << 20, 10 << 20},
		{"", 33_000_000, 33_554_432, 33_554_432},
		{"roundup_power2_divisions:[256:4,>:8]", 3_000_001, 3_145_728, 20 << 20},
		{"roundup_power2_divisions:[256:4,>:8]", 314_572_801, 335_544_320, 335_544_320},
		{"roundup_power2_divisions:[2:8,4:2]", 5_000_000, 6 << 20, 20 << 20},
		{"roundup_power2_divisions:4", 4 << 20, 4 << 20, 20 << 20},
		{"large_segment_size_mb:64", 2 << 20, 2 << 20, 64 << 20},
	} {
		a := newAllocator(t, c.conf)
		b := malloc(t, a, c.request)
		require.Equal(t, c.block, b.Size(), "%s: %d", c.conf, c.request)
		require.Equal(t, c.request, b.Requested())
		require.Equal(t, c.reserved, a.Stats().ReservedBytes.All.Current, "%s: %d", c.conf, c.request)
	}
}
