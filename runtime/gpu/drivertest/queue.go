package drivertest

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/gpu"
)

// Queue tests streams and events.
func Queue(t *testing.T, open Opener) {
	each(t, open, map[string]func(*testing.T, gpu.Driver){
		"Handles":       handles,
		"Order":         order,
		"Synchronize":   synchronize,
		"UnknownStream": unknownStream,
		"ManyEvents":    manyEvents,
		"Concurrent":    concurrentQueue,
	})
}

// handles of streams are never the default stream's, and ascend: the allocator
// above sorts by them and expects the order of creation.
func handles(t *testing.T, d gpu.Driver) {
	last := gpu.Stream(0)
	for range 33 {
		s := stream(t, d)
		require.Greater(t, s, last)
		last = s
	}
}

// order says that an event is done when one after it in the same stream is,
// and that a wait leaves nothing to be done.
func order(t *testing.T, d gpu.Driver) {
	p := malloc(t, d, 16*page)
	for _, s := range []gpu.Stream{0, stream(t, d), stream(t, d)} {
		before := record(t, d, s)
		require.NoError(t, d.Upload(p, randomArray(16*page), s))
		middle := record(t, d, s)
		require.NoError(t, d.Upload(p, randomArray(16*page), s))
		after := record(t, d, s)
		require.NoError(t, d.Wait(after))
		for _, e := range []gpu.Event{after, before, middle, after} {
			requireDone(t, d, e)
			require.NoError(t, d.Wait(e), "a wait for what is done")
		}
	}
}

func requireDone(t *testing.T, d gpu.Driver, e gpu.Event) {
	t.Helper()
	done, err := d.Done(e)
	require.NoError(t, err)
	require.True(t, done)
}

// synchronize ends the work of all streams.
func synchronize(t *testing.T, d gpu.Driver) {
	require.NoError(t, d.Synchronize(), "of an idle device")
	p := malloc(t, d, 16*page)
	var events []gpu.Event
	for _, s := range []gpu.Stream{0, stream(t, d), stream(t, d)} {
		require.NoError(t, d.Upload(p, randomArray(16*page), s))
		events = append(events, record(t, d, s), record(t, d, s))
	}
	require.NoError(t, d.Synchronize())
	for _, e := range events {
		requireDone(t, d, e)
	}
}

// unknownStream cannot be recorded on, before a stream is made and after.
func unknownStream(t *testing.T, d gpu.Driver) {
	for _, wrong := range []gpu.Stream{12345, 1 << 63} {
		_, err := d.Record(wrong)
		require.ErrorContains(t, err, "no such stream")
	}
	s := stream(t, d)
	_, err := d.Record(s + 1)
	require.ErrorContains(t, err, "no such stream")
	requireEnds(t, d, record(t, d, s))
}

// requireEnds waits for an event.
func requireEnds(t *testing.T, d gpu.Driver, e gpu.Event) {
	t.Helper()
	require.NoError(t, d.Wait(e))
	requireDone(t, d, e)
}

// manyEvents says that events cost no memory of the device, and that old ones
// are not mistaken for new ones.
func manyEvents(t *testing.T, d gpu.Driver) {
	streams := []gpu.Stream{0, stream(t, d), stream(t, d)}
	requireEnds(t, d, record(t, d, streams[1]))
	before := used(d)
	seen := map[gpu.Event]bool{}
	for i := range 10_000 {
		e := record(t, d, streams[i%3])
		require.False(t, seen[e], "event %d comes twice", e)
		seen[e] = true
		switch i % 100 {
		case 0, 1, 2:
			requireEnds(t, d, e)
		case 3:
			_, err := d.Done(e)
			require.NoError(t, err)
		}
	}
	require.NoError(t, d.Synchronize())
	for e := range seen {
		requireDone(t, d, e)
	}
	require.Equal(t, before, used(d))
}

// concurrentQueue has a stream for each goroutine.
func concurrentQueue(t *testing.T, d gpu.Driver) {
	var all sync.WaitGroup
	for range 8 {
		s := stream(t, d)
		all.Go(func() {
			for range 50 {
				e, err := d.Record(s)
				assert.NoError(t, err)
				assert.NoError(t, d.Wait(e))
				done, err := d.Done(e)
				assert.NoError(t, err)
				assert.True(t, done)
			}
		})
	}
	all.Wait()
	require.NoError(t, d.Synchronize())
}
