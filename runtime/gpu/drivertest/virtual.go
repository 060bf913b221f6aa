package drivertest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/gpu"
)

// mapper is a driver that can give memory to addresses.
type mapper interface {
	gpu.Driver
	gpu.Virtual
}

// Virtual tests a driver that can give memory to addresses piece by piece. One
// that cannot is passed over.
func Virtual(t *testing.T, open Opener) {
	for name, test := range map[string]func(*testing.T, mapper){
		"Addresses":      addresses,
		"Books":          mapBooks,
		"Contents":       contents,
		"WrongSizes":     wrongMaps,
		"WrongAddresses": wrongSpaces,
		"TooLarge":       tooLargeMap,
		"Full":           fullMap,
	} {
		t.Run(name, func(t *testing.T) {
			d, ok := open(t).(mapper)
			if !ok {
				t.Skip("this driver cannot map memory")
			}
			test(t, d)
		})
	}
}

func reserve(t *testing.T, d mapper, size int64) gpu.Ptr {
	t.Helper()
	p, err := d.Reserve(size)
	require.NoError(t, err, "reserve of %d bytes", size)
	return p
}

// addresses cost nothing, may be more than the device has memory, and do not
// overlap.
func addresses(t *testing.T, d mapper) {
	base, size := used(d), 2*share(d, 1)
	a, b := reserve(t, d, size), reserve(t, d, size)
	require.Zero(t, a%page)
	require.Zero(t, b%page)
	require.False(t, a < b+gpu.Ptr(size) && b < a+gpu.Ptr(size), "ranges overlap")
	require.Equal(t, base, used(d))
	require.NoError(t, d.Release(a))
	require.NoError(t, d.Release(b))
}

// mapBooks says that used memory is what is mapped.
func mapBooks(t *testing.T, d mapper) {
	p := reserve(t, d, 100*page)
	base := used(d)
	require.NoError(t, d.Map(p, page))
	require.Equal(t, base+page, used(d))
	require.NoError(t, d.Map(p+page, 10*page))
	require.NoError(t, d.Map(p+50*page, 50*page))
	require.Equal(t, base+61*page, used(d))
	require.NoError(t, d.Unmap(p+5*page, 2*page))
	require.Equal(t, base+59*page, used(d), "a part of what was mapped at once")
	require.NoError(t, d.Map(p+5*page, 2*page))
	require.NoError(t, d.Unmap(p, 11*page))
	require.Equal(t, base+50*page, used(d), "what was mapped in three steps")
	require.NoError(t, d.Unmap(p+50*page, 50*page))
	require.Equal(t, base, used(d))
	require.NoError(t, d.Release(p))
	require.Equal(t, base, used(d))
}

// contents says that mapped memory is like any other, also across pieces.
func contents(t *testing.T, d mapper) {
	p := reserve(t, d, 20*page)
	require.NoError(t, d.Map(p, 3*page))
	require.NoError(t, d.Map(p+3*page, 9*page))
	a := randomArray(12*page - 3)
	require.NoError(t, d.Upload(p, a, 0))
	requireHolds(t, d, p, a, 0)
	require.NoError(t, d.Unmap(p+6*page, 6*page))
	requireHolds(t, d, p, a[:6*page], 0)
	require.NoError(t, d.Map(p+6*page, 2*page))
	b := randomArray(8 * page)
	require.NoError(t, d.Upload(p, b, 0))
	requireHolds(t, d, p, b, 0)
	require.NoError(t, d.Unmap(p, 8*page))
	require.NoError(t, d.Release(p))
}

// wrongMaps lie outside of what is reserved.
func wrongMaps(t *testing.T, d mapper) {
	for _, size := range []int64{0, -page} {
		_, err := d.Reserve(size)
		require.Error(t, err)
	}
	size := int64(16 * page) // a whole number of what any driver rounds to
	p := reserve(t, d, size)
	base := used(d)
	for _, part := range []struct {
		at   gpu.Ptr
		size int64
	}{
		{p, size + page}, {p + page, size}, {p + gpu.Ptr(size), page}, {p - page, page}, {page, page},
	} {
		require.ErrorContains(t, d.Map(part.at, part.size), "not reserved")
		require.ErrorContains(t, d.Unmap(part.at, part.size), "not reserved")
	}
	require.Equal(t, base, used(d))
}

// wrongSpaces were never reserved, or not for long enough.
func wrongSpaces(t *testing.T, d mapper) {
	p := reserve(t, d, 16*page)
	for _, wrong := range []gpu.Ptr{0, page, p + page} {
		require.ErrorContains(t, d.Release(wrong), "not an address that reserve returned")
	}
	require.NoError(t, d.Release(p))
	require.ErrorContains(t, d.Release(p), "not an address that reserve returned")
	require.ErrorContains(t, d.Map(p, page), "not reserved")
}

// tooLargeMap fails with the error that the allocator above looks for, and maps
// nothing.
func tooLargeMap(t *testing.T, d mapper) {
	size := share(d, 1)
	p := reserve(t, d, size)
	base := used(d)
	require.ErrorIs(t, d.Map(p, size), gpu.ErrOutOfMemory)
	require.Equal(t, base, used(d))
	require.NoError(t, d.Map(p, page), "what failed left no trace")
	require.NoError(t, d.Unmap(p, page))
	require.NoError(t, d.Release(p))
}

// fullMap fills the device until it refuses. After an unmap it goes on.
func fullMap(t *testing.T, d mapper) {
	piece := share(d, 16)
	p := reserve(t, d, 17*piece)
	base, mapped := used(d), int64(0)
	var err error
	for err == nil {
		if err = d.Map(p+gpu.Ptr(mapped), piece); err == nil {
			mapped += piece
		}
	}
	require.ErrorIs(t, err, gpu.ErrOutOfMemory)
	require.Positive(t, mapped)
	require.Equal(t, base+mapped, used(d), "a refused request maps nothing")
	_, err = d.Malloc(piece)
	require.ErrorIs(t, err, gpu.ErrOutOfMemory, "it is one memory")
	require.NoError(t, d.Unmap(p, piece))
	q := malloc(t, d, piece)
	require.NoError(t, d.Free(q))
	require.NoError(t, d.Map(p, piece))
	require.NoError(t, d.Unmap(p, mapped))
	require.Equal(t, base, used(d))
	require.NoError(t, d.Release(p))
}
