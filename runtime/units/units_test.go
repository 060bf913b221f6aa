package units_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/units"
)

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 1023: "1023 B", 1024: "1 KiB", 1536: "1.5 KiB", 4_000_256: "3.8 MiB", 20 << 20: "20 MiB",
		1<<30 - 1: "1 GiB", -(3 << 19): "-1.5 MiB", 1 << 60: "1048576 TiB",
	} {
		require.Equal(t, want, units.Size(n))
	}
}

func TestCount(t *testing.T) {
	require.Equal(t, "0 blocks", units.Count(0, "block"))
	require.Equal(t, "1 block", units.Count(1, "block"))
	require.Equal(t, "2 blocks", units.Count(2, "block"))
}
