package whatif

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/snapshot"
)

// invented makes a snapshot of some bytes: four for each event or segment. Most
// are impossible, some nearly not.
func invented(b []byte) *snapshot.Snapshot {
	const mib = 1 << 20
	actions := []caching.Action{
		caching.ActionAlloc, caching.ActionFreeRequested, caching.ActionFreeCompleted, caching.ActionSegmentAlloc,
		caching.ActionSegmentFree, caching.ActionSegmentMap, caching.ActionSegmentUnmap, caching.ActionOOM,
	}
	sizes := []int64{
		0, 1, 512, 513, mib, mib + 1, 2 * mib, 3 * mib, 10 * mib, 12 * mib, 20 * mib, 22 * mib, 40 * mib, 1 << 40, 1 << 50, 1 << 62,
	}
	s := &snapshot.Snapshot{Traces: [][]snapshot.Event{nil}, Settings: &snapshot.Settings{MaxSplitSize: -1}}
	for ; len(b) >= 4; b = b[4:] {
		at := gpu.Ptr(0x7f0000000000) + gpu.Ptr(b[1])*mib/2 + gpu.Ptr(b[2]>>4)*512
		size, stream := sizes[b[2]&15], gpu.Stream(b[3]&3)
		switch {
		case b[0] < 200:
			e := snapshot.Event{Entry: caching.Entry{Action: actions[b[0]%8], Addr: at, Size: size, Stream: stream}}
			s.Traces[0] = append(s.Traces[0], e)
		case b[0] < 240:
			seg := caching.Segment{Address: at, TotalSize: size, Stream: stream, IsExpandable: b[3]&4 != 0, SegmentPoolID: caching.PoolID{0, int(b[3] >> 6)}}
			half := size / 2
			seg.Blocks = []caching.BlockRecord{
				{Address: at, Size: half, RequestedSize: half - int64(b[3]&8), State: caching.ActiveAllocated},
				{Address: at + gpu.Ptr(half), Size: size - half, State: caching.Inactive},
			}
			s.Segments = append(s.Segments, seg)
		case b[0] == 250:
			s.Settings.ExpandableSegments = !s.Settings.ExpandableSegments
		case b[0] == 251:
			s.Settings.MaxSplitSize = size
		case b[0] == 252:
			s.Settings.GarbageCollectionThreshold = 0.5
		case b[0] == 253:
			s.Settings.RoundupDivisions = [16]int64{4, 2, 8}
		}
	}
	return s
}

// FuzzHistory replays histories that nobody recorded. They end in a result or in
// one line.
func FuzzHistory(f *testing.F) {
	// A segment and two blocks, one freed; a release; a failed request.
	f.Add([]byte{3, 0, 10, 0, 0, 0, 7, 0, 0, 8, 6, 0, 1, 0, 7, 0, 2, 0, 7, 0, 220, 0, 10, 0})
	f.Add([]byte{3, 0, 10, 0, 0, 0, 7, 0, 1, 0, 7, 0, 2, 0, 7, 0, 4, 0, 10, 0, 3, 40, 12, 0, 0, 40, 12, 0, 220, 40, 12, 0})
	f.Add([]byte{250, 0, 0, 0, 1, 0, 5, 0, 2, 0, 5, 0, 220, 0, 10, 4})
	f.Add([]byte{252, 0, 0, 0, 7, 0, 12, 0, 220, 0, 10, 0, 253, 0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 400 {
			return
		}
		ctx := context.Background()
		st, err := newStudy(ctx, invented(b), 0, quiet)
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		c := &comparison{study: st}
		cfg, err := caching.ParseConfig(expandable)
		require.NoError(t, err)
		if err := c.replay(ctx, []setting{{expandable, cfg}}); err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		for _, r := range c.rows {
			require.GreaterOrEqual(t, r.PeakReserved, r.Idle)
		}
		var text discard
		require.NoError(t, c.writeText(&text))
	})
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
