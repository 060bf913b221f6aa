package site_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/site"
)

func TestHereIsTheCallersCaller(t *testing.T) {
	place := func() site.Site { return site.Here() }
	require.Equal(t, "runtime/site/site_test.go:13", place().String())
}

func TestNoPlace(t *testing.T) {
	require.Equal(t, "an unknown place", site.Site{}.String())
}

func TestOfPanic(t *testing.T) {
	defer func() {
		// This line is above the panic.
		require.NotNil(t, recover())
		require.Equal(t, "runtime/site/site_test.go:26", site.OfPanic())
	}()
	panic("here")
}
