package whatif

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/snapshot"
	"github.com/torchmem/workbook/tools/replay/whatif/history"
)

const recordings = "../../../testdata/oracle/snapshots"

// counted is what PyTorch counted while it recorded.
type counted struct {
	Conf          string `json:"conf"`
	Entries       int    `json:"entries"`
	Events        int    `json:"events"`
	PeakAllocated int64  `json:"peak_allocated_bytes"`
	PeakReserved  int64  `json:"peak_reserved_bytes"`
	First         int64  `json:"first_reserved_bytes"`
	LastAllocated int64  `json:"last_allocated_bytes"`
	LastReserved  int64  `json:"last_reserved_bytes"`
	Mallocs       int64  `json:"num_device_alloc"`
	Frees         int64  `json:"num_device_free"`
	Retries       int64  `json:"num_alloc_retries"`
}

// overwritten reports whether the history is a ring that was too small.
func (c counted) overwritten() bool { return c.Events == c.Entries }

func readCounted(tb testing.TB) map[string]counted {
	b, err := os.ReadFile(filepath.Join(recordings, "peaks.json"))
	require.NoError(tb, err)
	all := map[string]counted{}
	require.NoError(tb, json.Unmarshal(b, &all))
	return all
}

func quiet(string, int, int) {}

func readSnapshot(tb testing.TB, name string) *snapshot.Snapshot {
	s, err := read(context.Background(), filepath.Join(recordings, name+".pickle.gz"), quiet)
	require.NoError(tb, err)
	return s
}

func studyOf(tb testing.TB, s *snapshot.Snapshot) *study {
	st, err := newStudy(context.Background(), s, 0, quiet)
	require.NoError(tb, err)
	return st
}

// follow replays a study as it was recorded and holds that each block gets the
// recorded address, if segments are fixed. It shows the replay every block.
func follow(tb testing.TB, st *study, seen func(*replay, *history.Op)) (*replay, Result) {
	limit := noLimit
	if st.cfg.GarbageCollectionThreshold > 0 {
		limit = st.limit
	}
	r, err := st.onTrail(limit)
	require.NoError(tb, err)
	r.seen = func(op *history.Op, b *caching.Block) {
		if !st.cfg.ExpandableSegments && st.exact && st.events[op.Event].Addr != b.Ptr() {
			require.Equal(tb, st.events[op.Event].Addr, b.Ptr(), "event %d", op.Event)
		}
		if seen != nil {
			seen(r, op)
		}
	}
	result, err := st.run(context.Background(), r, st.conf)
	require.NoError(tb, err)
	return r, result
}

// TestTwoRequired has the peaks of the two snapshots of a small language model.
func TestTwoRequired(t *testing.T) {
	for name, want := range map[string]Result{
		"tiny_none": {PeakAllocated: 150_432_256, PeakReserved: 188_743_680},
		"tiny_all":  {PeakAllocated: 204_982_784, PeakReserved: 216_006_656},
	} {
		st := studyOf(t, readSnapshot(t, name))
		_, got := follow(t, st, nil)
		require.Equal(t, want.PeakAllocated, got.PeakAllocated, name)
		require.Equal(t, want.PeakReserved, got.PeakReserved, name)
		require.True(t, got.Fits())
		require.Equal(t, none, got.LeftAt)
		require.EqualValues(t, len(readSnapshot(t, name).Segments), got.Mallocs)
	}
}

// TestRecordings replays each recording under its own settings and compares
// with what PyTorch counted. Where a ring has overwritten the begin of a
// history, PyTorch's peaks may lie before it; then the end is compared.
func TestRecordings(t *testing.T) {
	for name, want := range readCounted(t) {
		t.Run(name, func(t *testing.T) {
			st := studyOf(t, readSnapshot(t, name))
			r, got := follow(t, st, nil)
			require.True(t, got.Fits())
			require.Equal(t, none, got.LeftAt)
			require.True(t, st.exact)
			require.Equal(t, want.LastReserved, r.driver.reserved)
			require.Equal(t, want.LastAllocated, r.allocated)
			require.Equal(t, st.program.Recorded.PeakReserved, got.PeakReserved)
			require.Equal(t, st.program.Recorded.Mallocs, got.Mallocs)
			require.Equal(t, st.program.Recorded.Frees, got.Frees)
			if want.overwritten() {
				require.LessOrEqual(t, got.PeakAllocated, want.PeakAllocated)
				require.LessOrEqual(t, got.PeakReserved, want.PeakReserved)
				return
			}
			require.Equal(t, want.First, st.program.Start.Reserved)
			require.InDelta(t, want.PeakAllocated, got.PeakAllocated, unknownRest(st))
			require.LessOrEqual(t, got.PeakAllocated, want.PeakAllocated)
			require.Equal(t, want.PeakReserved, got.PeakReserved)
			require.Equal(t, want.Mallocs, got.Mallocs)
			require.Equal(t, want.Frees, got.Frees)
			require.Equal(t, want.Retries, got.Retries)
		})
	}
}

// unknownRest is how much the blocks at the start may have occupied beyond what
// is known: nothing but in histories that begin late, and there up to a rest of
// 1 MiB for each block that is freed before anything shows its end.
func unknownRest(st *study) float64 {
	return float64(st.unsure()) * smallBlock
}

// TestCutAnywhere cuts the begin of recordings off, as a ring does, and holds
// that the peaks of the rest stay the same.
func TestCutAnywhere(t *testing.T) {
	for _, name := range []string{
		"tiny_all", "empty_cache_random", "record_stream_cleared", "expandable", "expandable_streams", "limit_alone",
		"split", "split_free", "pow2", "pow2_list", "mempools",
	} {
		t.Run(name, func(t *testing.T) {
			s := readSnapshot(t, name)
			whole := s.Traces[0]
			exact := 0
			for part := 1; part < 8; part++ {
				at := len(whole) * part / 8
				s.Traces[0] = whole
				want := peaksFrom(t, studyOf(t, s), at)
				s.Traces[0] = whole[at:]
				st := studyOf(t, s)
				if !st.exact {
					continue
				}
				exact++
				r, got := follow(t, st, nil)
				require.Equal(t, none, got.LeftAt, "cut at %d", at)
				require.Equal(t, want.PeakReserved, got.PeakReserved, "cut at %d", at)
				require.InDelta(t, want.PeakAllocated, got.PeakAllocated, unknownRest(st), "cut at %d", at)
				require.Equal(t, want.Idle, r.driver.reserved, "cut at %d", at)
			}
			require.GreaterOrEqual(t, exact, 4)
		})
	}
}

// peaksFrom returns the peaks of a replay from an event on, and as Idle what is
// reserved at the end.
func peaksFrom(t *testing.T, st *study, event int) Result {
	r, err := st.onTrail(noLimit)
	require.NoError(t, err)
	begun := false
	for i := range st.program.Ops {
		op := &st.program.Ops[i]
		if int(op.Event) >= event && !begun {
			begun = true
			r.begin()
		}
		require.NoError(t, r.do(op))
	}
	return Result{PeakAllocated: r.result.PeakAllocated, PeakReserved: r.driver.peak, Idle: r.driver.reserved}
}

// TestPlainFile reads a file that is not packed.
func TestPlainFile(t *testing.T) {
	f, err := os.Open(filepath.Join(recordings, "tiny_none.pickle.gz"))
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	b, err := io.ReadAll(z)
	require.NoError(t, err)
	plain := filepath.Join(t.TempDir(), "tiny_none.pickle")
	require.NoError(t, os.WriteFile(plain, b, 0o600))

	var packed, unpacked strings.Builder
	require.NoError(t, Run(context.Background(), Options{File: f.Name(), JSON: true}, &packed, nil))
	require.NoError(t, Run(context.Background(), Options{File: plain, JSON: true}, &unpacked, nil))
	require.Equal(t, packed.String(), unpacked.String())
}
