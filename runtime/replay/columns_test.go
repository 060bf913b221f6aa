package replay

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
)

// TestColumns gives every counter a number of its own and finds each by name.
func TestColumns(t *testing.T) {
	var s caching.Stats
	next := int64(0)
	number(reflect.ValueOf(&s).Elem(), &next)
	require.EqualValues(t, 122, next)
	for name, want := range s.Map() {
		get, ok := column(name)
		require.True(t, ok, name)
		require.Equal(t, want, *get(&s), name)
	}
	for _, name := range []string{"", ".", "..", "active", "active.all", "active.all.sum", "x.all.peak", "active.x.peak", "x.peak", "num_ooms.peak", "a.b.c.peak"} {
		_, ok := column(name)
		require.False(t, ok, name)
	}
}

func number(v reflect.Value, next *int64) {
	if v.Kind() == reflect.Int64 {
		*next++
		v.SetInt(*next)
		return
	}
	for i := range v.NumField() {
		number(v.Field(i), next)
	}
}
