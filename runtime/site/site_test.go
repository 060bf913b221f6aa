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
		require.Equal(t, "runtime/site/site_test.go:26", site.OfPanic().String())
	}()
	panic("here")
}

func TestTextAndBack(t *testing.T) {
	for place, text := range map[site.Place]string{
		{File: "exercises/05/segments.go", Line: 12}: "exercises/05/segments.go:12",
		{}: "an unknown place",
	} {
		written, err := place.MarshalText()
		require.NoError(t, err)
		require.Equal(t, text, string(written))
		var read site.Place
		require.NoError(t, read.UnmarshalText(written))
		require.Equal(t, place, read)
	}
	require.Error(t, new(site.Place).UnmarshalText([]byte("lesson: one")))
}

func TestRunning(t *testing.T) {
	deep := func() site.Place { return func() site.Place { return site.Running() }() }
	require.Equal(t, "runtime/site/site_test.go:45", deep().String())
}
