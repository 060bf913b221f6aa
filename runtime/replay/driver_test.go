package replay_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/replay"
)

const mib = 1 << 20

func entry(action caching.Action, addr gpu.Ptr, size int64) caching.Entry {
	return caching.Entry{Action: action, Addr: addr, Size: size}
}

func allocatorOn(t *testing.T, d *replay.Driver, conf string) *caching.Allocator {
	cfg, err := caching.ParseConfig(conf)
	require.NoError(t, err)
	a, err := caching.New(d, cfg)
	require.NoError(t, err)
	a.RecordHistory(1000)
	return a
}

// TestDriverOfAFullDevice follows a recording on a device that somebody else
// fills: the driver refused what the books here would allow.
func TestDriverOfAFullDevice(t *testing.T) {
	want := []caching.Entry{
		entry(caching.ActionSegmentAlloc, 100*mib, 20*mib),
		entry(caching.ActionAlloc, 100*mib, 5*mib),
		entry(caching.ActionFreeRequested, 100*mib, 5*mib),
		entry(caching.ActionFreeCompleted, 100*mib, 5*mib),
		// The first request for 30 MiB failed, the second succeeded.
		entry(caching.ActionSegmentFree, 100*mib, 20*mib),
		entry(caching.ActionSegmentAlloc, 200*mib, 30*mib),
		entry(caching.ActionAlloc, 200*mib, 30*mib),
		entry(caching.ActionOOM, 0, 40*mib),
	}
	d := replay.NewDriver(gpu.DefaultProfile(), want, nil)
	a := allocatorOn(t, d, "")
	b, err := a.Malloc(5*mib, 0)
	require.NoError(t, err)
	require.NoError(t, a.Free(b))
	d.Follow(4)
	b, err = a.Malloc(30*mib, 0)
	require.NoError(t, err)
	require.Equal(t, gpu.Ptr(200*mib), b.Ptr())
	d.Follow(7)
	_, err = a.Malloc(40*mib, 0)
	require.ErrorIs(t, err, gpu.ErrOutOfMemory)
	got := a.History()
	got[len(got)-1].Addr = 0 // the free bytes of the device
	require.Equal(t, want, got)
	free, total := d.MemInfo()
	require.Equal(t, int64(30*mib), total-gpu.DefaultProfile().ContextMemory-free)
	_, err = a.Malloc(1, 0)
	require.ErrorIs(t, err, gpu.ErrOutOfMemory, "the recording got nothing here either")
}

// TestDriverRefusesOtherCalls meets requests that the recording does not have.
func TestDriverRefusesOtherCalls(t *testing.T) {
	log := []caching.Entry{
		entry(caching.ActionSegmentAlloc, 100*mib, 20*mib),
		entry(caching.ActionAlloc, 100*mib, 5*mib),
		entry(caching.ActionSegmentAlloc, 100*mib, 2*mib),
	}
	d := replay.NewDriver(gpu.DefaultProfile(), log, []gpu.Stream{0, 77})
	_, err := d.Malloc(2 * mib)
	require.EqualError(t, err, "segment_alloc of 2097152 bytes: the recording has 20971520")
	p, err := d.Malloc(20 * mib)
	require.NoError(t, err)
	_, err = d.Malloc(20 * mib)
	require.EqualError(t, err, "segment_alloc of 20971520 bytes: the recording goes on with alloc")
	d.Follow(2)
	_, err = d.Malloc(2 * mib)
	require.EqualError(t, err, "malloc of 2097152 bytes: the recording has 0x6400000 twice")
	_, err = d.Malloc(2 * mib)
	require.EqualError(t, err, "segment_alloc of 2097152 bytes: the recording has no more")
	require.NoError(t, d.Free(p))
	require.EqualError(t, d.Free(p), "free of 0x6400000: not live")
	s, err := d.NewStream()
	require.NoError(t, err)
	require.Equal(t, gpu.Stream(77), s)
	_, err = d.NewStream()
	require.EqualError(t, err, "the recording has no more streams")
}

// TestDriverRanges follows a recording whose expandable segments lie elsewhere
// than those of the simulated driver.
func TestDriverRanges(t *testing.T) {
	const at = 0x7700_0000_0000
	want := []caching.Entry{
		entry(caching.ActionSegmentMap, at, 20*mib),
		entry(caching.ActionAlloc, at, 15*mib),
		entry(caching.ActionSegmentMap, at+20*mib, 20*mib),
		entry(caching.ActionAlloc, at+15*mib, 25*mib),
		entry(caching.ActionFreeRequested, at+15*mib, 25*mib),
		entry(caching.ActionFreeCompleted, at+15*mib, 25*mib),
		entry(caching.ActionSegmentUnmap, at+20*mib, 20*mib),
	}
	d := replay.NewDriver(gpu.DefaultProfile(), want, nil)
	a := allocatorOn(t, d, "expandable_segments:True")
	x, err := a.Malloc(15*mib, 0)
	require.NoError(t, err)
	d.Follow(2)
	y, err := a.Malloc(25*mib, 0)
	require.NoError(t, err)
	require.NoError(t, a.Free(y))
	d.Follow(6)
	require.NoError(t, a.EmptyCache())
	require.Equal(t, want, a.History())

	require.NoError(t, a.Free(x))
	require.NoError(t, a.EmptyCache())
	free, total := d.MemInfo()
	require.Equal(t, gpu.DefaultProfile().ContextMemory, total-free, "everything is back")
	require.EqualError(t, d.Map(at, 2*mib), "map of 0x770000000000: not reserved")
	require.EqualError(t, d.Unmap(at, 2*mib), "unmap of 0x770000000000: not reserved")
	require.EqualError(t, d.Release(at), "release of 0x770000000000: not reserved")
	p, err := d.Reserve(64 * mib)
	require.NoError(t, err)
	require.Equal(t, gpu.Ptr(0x302000000), p, "the recording does not say where")
}
