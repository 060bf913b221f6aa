package caching_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/torchmem/workbook/runtime/caching"
)

// TestTextOfSettings spells random settings and reads them again.
func TestTextOfSettings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want, err := caching.ParseConfig(drawSettings(t).conf)
		require.NoError(t, err)
		got, err := caching.ParseConfig(want.Text())
		require.NoError(t, err, want.Text())
		require.Equal(t, want, got)
	})
}

func TestTextOfFewSettings(t *testing.T) {
	require.Empty(t, caching.DefaultConfig().Text())
	for _, conf := range []string{"", "expandable_segments:True", "max_split_size_mb:200", "roundup_power2_divisions:4",
		"garbage_collection_threshold:0.00001,per_process_memory_fraction:0.5"} {
		cfg, err := caching.ParseConfig(conf)
		require.NoError(t, err)
		require.Equal(t, conf, cfg.Text())
		a := newAllocator(t, conf)
		require.Equal(t, cfg.Text(), a.Config().Text())
	}
}
