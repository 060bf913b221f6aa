package caching

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Text spells the settings as PYTORCH_CUDA_ALLOC_CONF holds them: those that are
// not PyTorch's defaults. ParseConfig reads it.
func (c Config) Text() string {
	c, usual := c.resolved(), DefaultConfig().resolved()
	var pairs []string
	add := func(key string, value any) { pairs = append(pairs, fmt.Sprintf("%s:%v", key, value)) }
	if c.LargeSegment != usual.LargeSegment {
		add("large_segment_size_mb", c.LargeSegment>>20)
	}
	if c.MaxSplitSize != usual.MaxSplitSize {
		add("max_split_size_mb", c.MaxSplitSize>>20)
	}
	if c.MaxNonSplitRounding != c.LargeSegment {
		add("max_non_split_rounding_mb", c.MaxNonSplitRounding>>20)
	}
	if c.RoundupDivisions != usual.RoundupDivisions {
		add("roundup_power2_divisions", divisionsText(c.RoundupDivisions))
	}
	if c.GarbageCollectionThreshold != 0 {
		add("garbage_collection_threshold", decimal(c.GarbageCollectionThreshold))
	}
	if c.ExpandableSegments {
		add("expandable_segments", "True")
	}
	if c.MemoryFraction != nil {
		add("per_process_memory_fraction", decimal(*c.MemoryFraction))
	}
	return strings.Join(pairs, ",")
}

func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// divisionsText spells one number for all sizes, or a list of all.
func divisionsText(divisions [16]int64) string {
	if same := slices.Compact(slices.Clone(divisions[:])); len(same) == 1 {
		return fmt.Sprint(same[0])
	}
	var pairs []string
	for i, n := range divisions {
		pairs = append(pairs, fmt.Sprintf("%d:%d", 1<<i, n))
	}
	return "[" + strings.Join(pairs, ",") + "]"
}

// Config returns the settings, and in them what stands for their zero values.
func (a *Allocator) Config() Config { return a.cfg }
