//go:build cuda

package cuda_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMapMisuse is refused before the NVIDIA driver is asked, and changes
// nothing. The simulated driver does not look so closely.
func TestMapMisuse(t *testing.T) {
	const page = 2 << 20
	d := open(t)
	_, err := d.Reserve(page + 512)
	require.ErrorContains(t, err, "not a multiple of 2 MiB")
	p, err := d.Reserve(16 * page)
	require.NoError(t, err)
	require.NoError(t, d.Map(p+4*page, 2*page))
	before := used(d)
	require.ErrorContains(t, d.Map(p+4*page, page), "mapped already")
	require.ErrorContains(t, d.Map(p, 5*page), "mapped already")
	require.ErrorContains(t, d.Unmap(p, page), "not all are mapped")
	require.ErrorContains(t, d.Unmap(p+5*page, 2*page), "not all are mapped")
	require.ErrorContains(t, d.Map(p, 512), "not in multiples of 2 MiB")
	require.ErrorContains(t, d.Map(p+512, page), "not in multiples of 2 MiB")
	require.ErrorContains(t, d.Release(p), "4194304 bytes are still mapped")
	require.Equal(t, before, used(d))
	require.NoError(t, d.Unmap(p+4*page, 2*page))
	require.NoError(t, d.Release(p))
}
