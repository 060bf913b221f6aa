package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/gpu/sim"
)

const mib = 1 << 20

func malloc(t *testing.T, d *sim.Driver, size int64) gpu.Ptr {
	p, err := d.Malloc(size)
	require.NoError(t, err)
	return p
}

// TestAddresses follows the rules of cudaMalloc: the two holes that the context
// left, new chunks downwards, the newest chunk with a hole first.
func TestAddresses(t *testing.T) {
	d := sim.New(gpu.DefaultProfile())
	first := malloc(t, d, 2*mib)
	require.Equal(t, gpu.Ptr(74*mib), malloc(t, d, 20*mib)-first, "both holes of the context")
	a := malloc(t, d, 20*mib)
	require.Equal(t, gpu.Ptr(414*mib+32*mib), first-a, "a new chunk ends at the ceiling")
	require.Equal(t, a+20*mib, malloc(t, d, 12*mib), "the rest of that chunk")
	b := malloc(t, d, 34*mib)
	require.Equal(t, a-64*mib, b, "the next chunk lies below")
	require.Equal(t, b+34*mib, malloc(t, d, 2*mib), "the newest chunk first")
	require.NoError(t, d.Free(a))
	require.Equal(t, b+36*mib, malloc(t, d, 20*mib), "the newest even where an older hole fits exactly")
	require.Equal(t, a, malloc(t, d, 10*mib), "then the older one")
}

// TestAddressesWithStreams has another start: making streams took memory.
func TestAddressesWithStreams(t *testing.T) {
	d := sim.New(gpu.DefaultProfile())
	_, err := d.NewStream()
	require.NoError(t, err)
	first := malloc(t, d, 20*mib)
	require.Equal(t, first+20*mib, malloc(t, d, 2*mib))
	require.Equal(t, first-6*mib-32*mib, malloc(t, d, 20*mib))
}

// TestEmptyChunks are given back, but a gap of exactly a chunk is passed over.
func TestEmptyChunks(t *testing.T) {
	d := sim.New(gpu.DefaultProfile())
	a, b, c := malloc(t, d, 32*mib), malloc(t, d, 64*mib), malloc(t, d, 32*mib)
	require.Equal(t, a-64*mib, b)
	require.NoError(t, d.Free(b))
	require.Equal(t, c-64*mib, malloc(t, d, 64*mib))
	require.Equal(t, a-32*mib, malloc(t, d, 32*mib), "a larger gap is used from its upper end")
}

func TestMemory(t *testing.T) {
	profile := gpu.DefaultProfile()
	d := sim.New(profile)
	free, total := d.MemInfo()
	require.Equal(t, profile.TotalMemory, total)
	require.Equal(t, int64(149_557_477_376), free, "as recorded in a fresh process")
	_, err := d.Malloc(free + 1)
	require.ErrorIs(t, err, gpu.ErrOutOfMemory)
	p := malloc(t, d, free)
	_, err = d.Malloc(1)
	require.ErrorIs(t, err, gpu.ErrOutOfMemory)
	require.NoError(t, d.Free(p))
	require.ErrorContains(t, d.Free(p), "not an address that malloc returned")
	_, err = d.Malloc(0)
	require.Error(t, err)
}

// TestSpaces are reserved upwards from a fixed address, and memory is counted
// when it is mapped.
func TestSpaces(t *testing.T) {
	d := sim.New(gpu.DefaultProfile())
	a, err := d.Reserve(33 * mib)
	require.NoError(t, err)
	require.Equal(t, gpu.Ptr(0x302000000), a)
	b, err := d.Reserve(2 * mib)
	require.NoError(t, err)
	require.Equal(t, a+64*mib, b)
	before, _ := d.MemInfo()
	require.NoError(t, d.Map(a, 20*mib))
	after, _ := d.MemInfo()
	require.Equal(t, int64(20*mib), before-after)
	require.ErrorContains(t, d.Map(a, before), "not reserved", "beyond the range")
	c, err := d.Reserve(before)
	require.NoError(t, err)
	require.ErrorIs(t, d.Map(c, before), gpu.ErrOutOfMemory)
	require.NoError(t, d.Unmap(a, 20*mib))
	require.NoError(t, d.Release(a))
	require.Error(t, d.Release(a))
	require.Error(t, d.Map(a, 2*mib))
}

func TestBusyStreams(t *testing.T) {
	d := sim.New(gpu.DefaultProfile())
	s, err := d.NewStream()
	require.NoError(t, err)
	record := func() gpu.Event {
		e, err := d.Record(s)
		require.NoError(t, err)
		return e
	}
	done := func(e gpu.Event) bool {
		ok, err := d.Done(e)
		require.NoError(t, err)
		return ok
	}
	before := record()
	d.Busy(s)
	during := record()
	require.True(t, done(before))
	require.False(t, done(during))
	d.Idle(s)
	require.True(t, done(during))

	for name, end := range map[string]func(gpu.Event) error{
		"wait":        d.Wait,
		"synchronize": func(gpu.Event) error { return d.Synchronize() },
	} {
		d.Busy(s)
		e := record()
		require.False(t, done(e), name)
		require.NoError(t, end(e))
		require.True(t, done(e), name)
		require.True(t, done(record()), "%s leaves the stream idle", name)
	}
	_, err = d.Record(12345)
	require.ErrorContains(t, err, "no such stream")
}
