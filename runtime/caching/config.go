package caching

import (
	"math"
	"slices"
)

// Config is what PYTORCH_CUDA_ALLOC_CONF can say. Its zero value is PyTorch's
// default. Sizes are bytes.
type Config struct {
	// MaxSplitSize bars cached blocks of at least this size from being
	// split, and from serving smaller requests. Zero sets no bar.
	MaxSplitSize int64
	// MaxNonSplitRounding is how much larger than the request a block above
	// MaxSplitSize may be. Zero means the size of LargeSegment.
	MaxNonSplitRounding int64
	// LargeSegment is the segment for requests between 1 and 10 MiB. Zero
	// means 20 MiB.
	LargeSegment int64
	// RoundupDivisions rounds sizes up to steps between powers of two. Entry
	// i is for sizes of 2^i MiB to below 2^(i+1) MiB, the first entry also
	// for all below, the last for all above. Zero and one round to 512 bytes.
	RoundupDivisions [16]int64
	// GarbageCollectionThreshold is the share of the memory limit above
	// which old cached segments are given back. Zero collects nothing, and
	// so does a missing limit.
	GarbageCollectionThreshold float64
	// ExpandableSegments grows segments page by page instead of taking many
	// of fixed size.
	ExpandableSegments bool
	// MemoryFraction limits reserved memory to a share of the device. Nil
	// sets no limit.
	MemoryFraction *float64

	// rounds tells that some division is set, which is rare.
	rounds bool
}

// DefaultConfig returns the settings of an empty PYTORCH_CUDA_ALLOC_CONF.
func DefaultConfig() Config { return Config{} }

// resolved replaces the zero values by what they stand for.
func (c Config) resolved() Config {
	if c.MaxSplitSize == 0 {
		c.MaxSplitSize = math.MaxInt64
	}
	if c.LargeSegment == 0 {
		c.LargeSegment = largeSegment
	}
	if c.MaxNonSplitRounding == 0 {
		c.MaxNonSplitRounding = c.LargeSegment
	}
	c.rounds = slices.Max(c.RoundupDivisions[:]) > 1
	return c
}

// barsSplits reports whether some blocks are too large to be split.
func (c *Config) barsSplits() bool { return c.MaxSplitSize != math.MaxInt64 }

// maxSplitSizeShown is the setting as memory_stats shows it.
func maxSplitSizeShown(c Config) int64 {
	if !c.barsSplits() {
		return -1
	}
	return c.MaxSplitSize
}
