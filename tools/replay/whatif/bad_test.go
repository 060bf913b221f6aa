package whatif

import (
	"context"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/snapshot"
	"github.com/torchmem/workbook/tools/replay/whatif/history"
)

// TestBadFiles end in one line, soon, and print nothing.
func TestBadFiles(t *testing.T) {
	dir := t.TempDir()
	packed, err := os.ReadFile(recording("oom"))
	require.NoError(t, err)
	for name, c := range map[string]struct{ content, want string }{
		"empty":     {"", "not a snapshot: byte 0: the pickle ends too early"},
		"text":      {"hello, world", "not a snapshot: byte 2: not a pickle of protocol 2 to 5"},
		"json":      {`{"segments": []}`, "the segments of a lesson as JSON, which no verb reads"},
		"code":      {"\x80\x04\x8c\x05posix\x94\x8c\x06system\x94\x93\x94\x8c\x02id\x94\x85\x94R\x94.", "the pickle refers to code"},
		"lists":     {"\x80\x04" + strings.Repeat("]", 1_000_000) + strings.Repeat("a", 999_999) + ".", "not a snapshot"},
		"long text": {"\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\x7fx.", "a text of 9223372036854775807 bytes"},
		"half gzip": {string(packed[:len(packed)/2]), "the pickle ends too early"},
		"no gzip":   {"\x1f\x8bhello, world", "gzip: invalid header"},
		"bad gzip":  {string(packed[:100]) + "xxxxxxxxxx" + string(packed[110:]), "not a snapshot"},
		"no dict":   {"\x80\x04]\x94.", "its content is no dict"},
		"a model":   {"\x80\x04}\x94\x8c\x06weight\x94K\x01s.", "it has no segments"},
		"no events": {"\x80\x04}(\x8c\x08segments]\x8c\x0ddevice_traces](]]eu.", "the snapshot has no history; call torch.cuda.memory._record_memory_history()"},
		"no GPU":    {"\x80\x04}(\x8c\x08segments]\x8c\x0ddevice_traces]u.", "the snapshot has no history"},
	} {
		file := filepath.Join(dir, strings.ReplaceAll(name, " ", "_"))
		require.NoError(t, os.WriteFile(file, []byte(c.content), 0o600))
		refused(t, file, c.want)
	}
	refused(t, dir, "a folder, not a snapshot")
	require.ErrorIs(t, refused(t, filepath.Join(dir, "missing"), ""), fs.ErrNotExist)
}

func refused(t *testing.T, file, want string) error {
	t.Helper()
	var out strings.Builder
	start := time.Now()
	err := Run(context.Background(), Options{File: file}, &out, nil)
	require.ErrorContains(t, err, want, file)
	require.ErrorContains(t, err, file)
	require.NotContains(t, err.Error(), "\n")
	require.Empty(t, out.String())
	require.Less(t, time.Since(start), 20*time.Second)
	var misuse *MisuseError
	require.NotErrorAs(t, err, &misuse)
	return err
}

// TestDamagedHistories takes events out of recordings, doubles and swaps them.
// What comes of it is a result or one line.
func TestDamagedHistories(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	refusedOnes := 0
	for _, name := range []string{"oom", "mempool", "limit_all", "expandable_train", "record_stream", "gc"} {
		s := readSnapshot(t, name)
		whole := s.Traces[0]
		for range 60 {
			s.Traces[0] = damaged(rng, whole)
			c := &comparison{}
			var err error
			if c.study, err = newStudy(context.Background(), s, 0, quiet); err == nil {
				err = c.replay(context.Background(), nil)
			}
			if err != nil {
				refusedOnes++
				require.NotContains(t, err.Error(), "\n")
			}
		}
	}
	require.Greater(t, refusedOnes, 50)
}

// TestVastStart begins with blocks that lie terabytes apart. To build such a
// cache would take a request for each MiB of it.
func TestVastStart(t *testing.T) {
	const gap = 1 << 37
	seg := caching.Segment{Address: 1 << 47, TotalSize: 1000 * gap, SegmentType: "small", IsExpandable: true}
	for i := range 1000 {
		at := seg.Address + gpu.Ptr(i)*gap
		seg.Blocks = append(seg.Blocks,
			caching.BlockRecord{Address: at, Size: 512, RequestedSize: 512, State: caching.ActiveAllocated},
			caching.BlockRecord{Address: at + 512, Size: gap - 512, State: caching.Inactive})
	}
	s := &snapshot.Snapshot{
		Segments: []caching.Segment{seg}, Settings: &snapshot.Settings{MaxSplitSize: -1, ExpandableSegments: true},
		Traces: [][]snapshot.Event{{{Entry: caching.Entry{Action: snapshot.ActionSnapshot}}}},
	}
	st := studyOf(t, s)
	require.False(t, st.exact)
	result, err := st.recorded(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 512_000, result.PeakAllocated)
}

// TestPatienceWithSizes gives up where sizes are rounded so coarsely that
// nothing fills a gap, after so many tries that they take some seconds.
func TestPatienceWithSizes(t *testing.T) {
	cfg := caching.DefaultConfig()
	for i := range cfg.RoundupDivisions {
		cfg.RoundupDivisions[i] = 2
	}
	l, err := newLayout(history.Start{}, cfg)
	require.NoError(t, err)
	_, err = l.fill(3<<30-512, false)
	require.ErrorIs(t, err, errInexact)
	require.Greater(t, l.asked, 100_000)
	l.asked = maxAsked
	_, err = l.fill(2<<30, false)
	require.ErrorIs(t, err, errInexact)
	l.asked = 0
	_, err = l.fill(2<<30, false)
	require.NoError(t, err)
}

func damaged(rng *rand.Rand, events []snapshot.Event) []snapshot.Event {
	events = slices.Clone(events)
	for range 1 + rng.IntN(3) {
		i, j := rng.IntN(len(events)), rng.IntN(len(events))
		switch rng.IntN(4) {
		case 0:
			events = slices.Delete(events, i, i+1)
		case 1:
			events = slices.Insert(events, i, events[j])
		case 2:
			events[i], events[j] = events[j], events[i]
		case 3:
			events[i].Size = events[j].Size
		}
	}
	return events
}
