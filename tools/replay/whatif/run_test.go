package whatif

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/tools/replay/whatif/history"
)

func recording(name string) string { return filepath.Join(recordings, name+".pickle.gz") }

func run(t *testing.T, o Options) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, Run(context.Background(), o, &out, nil))
	return out.String()
}

// three are settings to compare with.
var three = []string{expandable, "max_split_size_mb:32", "roundup_power2_divisions:4"}

func TestTable(t *testing.T) {
	require.Equal(t, `tiny_all.pickle.gz, GPU 0: 3,864 events, in bytes

                                                  calls of the driver
  peak allocated   peak reserved    idle at peak  mallocs   frees retries  fits
as recorded: the default settings
     204,982,784     216,006,656      19,225,088       46       0       0  yes
expandable_segments:True
     204,982,784     232,783,872      36,002,304       47       0       0  yes
max_split_size_mb:32
     204,982,784     216,006,656      19,225,088       46       0       0  yes
roundup_power2_divisions:4
     205,376,000     216,006,656      20,077,056       46       0       0  yes

Keep the recorded settings: no other reserves noticeably less.

`, run(t, Options{File: recording("tiny_all"), Confs: three}))
}

// TestEveryTableIsNarrow prints all recordings under three settings, with and
// without a limit. No line is wider than a terminal.
func TestEveryTableIsNarrow(t *testing.T) {
	for name := range readCounted(t) {
		for _, limit := range []int64{0, 100e6, 100e9} {
			text := run(t, Options{File: recording(name), Confs: three, Limit: limit})
			for line := range strings.Lines(text) {
				require.LessOrEqual(t, len(strings.TrimSuffix(line, "\n")), width, "%s: %s", name, line)
			}
		}
	}
}

func TestJSON(t *testing.T) {
	text := run(t, Options{File: recording("tiny_none"), Confs: []string{expandable}, JSON: true, Limit: 180e6})
	var rows []map[string]any
	for line := range strings.Lines(text) {
		row := map[string]any{}
		require.NoError(t, json.Unmarshal([]byte(line), &row))
		rows = append(rows, row)
	}
	require.Len(t, rows, 2)
	require.Equal(t, "", rows[0]["alloc_conf"])
	require.Equal(t, expandable, rows[1]["alloc_conf"])
	for _, row := range rows {
		for _, key := range []string{
			"peak_allocated_bytes", "peak_reserved_bytes", "num_device_alloc", "num_device_free", "num_alloc_retries",
		} {
			require.IsType(t, float64(0), row[key], key)
		}
		require.Equal(t, row["fits"], row["failed_at_event"] == nil)
		require.LessOrEqual(t, row["peak_reserved_bytes"], 180e6)
	}
	plain := run(t, Options{File: recording("tiny_none"), JSON: true})
	require.Contains(t, plain, `"peak_allocated_bytes":150432256,"peak_reserved_bytes":188743680,`)
	require.Contains(t, plain, `"fits":true,"failed_at_event":null`)
}

// TestGenerousLimit changes nothing: the recorded settings need what they
// needed.
func TestGenerousLimit(t *testing.T) {
	for name, want := range readCounted(t) {
		if want.overwritten() || want.Retries > 0 {
			continue
		}
		text := run(t, Options{File: recording(name), JSON: true, Limit: 24 << 30})
		var got line
		require.NoError(t, json.Unmarshal([]byte(text), &got))
		require.Equal(t, want.PeakReserved, got.PeakReserved, name)
		require.True(t, got.Fits, name)
	}
}

// TestLimit fails at the same event as PyTorch does under that limit: the
// request that would pass it.
func TestLimit(t *testing.T) {
	text := run(t, Options{File: recording("tiny_all"), Limit: 208e6})
	require.Contains(t, text, "At most 208,000,000 bytes may be reserved.\n")
	require.Contains(t, text, "  fails at event 1,073: alloc of 4,194,304 bytes in forward (linear.py:134)\n")
	require.Contains(t, text, " 1  no\n")
	require.Contains(t, text, "None fits into 208,000,000 bytes: try -alloc-conf expandable_segments:True.\n")

	text = run(t, Options{File: recording("tiny_all"), Limit: 208e6, JSON: true})
	require.Contains(t, text, `"num_alloc_retries":1,"fits":false,"failed_at_event":1073}`)

	text = run(t, Options{File: recording("tiny_all"), Limit: 200e6, Confs: three})
	require.Contains(t, text, "No setting can help: the program itself holds 204,981,260 bytes at once.\n")
	require.Equal(t, 4, strings.Count(text, "fails at event"))

	text = run(t, Options{File: recording("tiny_all"), Limit: 230e6, Confs: three})
	require.Contains(t, text, "It fits as recorded, with 13,993,344 bytes to spare.\n")

	text = run(t, Options{File: recording("ring_limit"), Limit: 1000, Confs: three})
	require.Equal(t, 4, strings.Count(text, "fails before the first event: the blocks that were there do not fit"))
}

// TestFailedRequestsAreLeftOut has room for what failed in the recording. The
// program went on without it, so the replay does, too; the cache that the request
// emptied stays empty.
func TestFailedRequestsAreLeftOut(t *testing.T) {
	for _, name := range []string{"oom", "oom_random", "limit_all"} {
		s := readSnapshot(t, name)
		failed := 0
		for i, e := range s.Traces[0] {
			if e.Action == caching.ActionOOM {
				failed++
				s.Traces[0][i].Size = 20 << 30
			}
		}
		require.Positive(t, failed, name)
		st := studyOf(t, s)
		got, err := st.recordedWithin(t.Context(), 24<<30)
		require.NoError(t, err)
		require.True(t, got.Fits(), name)
		require.Less(t, got.PeakReserved, int64(1<<30), "%s: the failed request is not replayed", name)
	}
}

// TestFailedRequestEmptiesTheCache replays a request that failed where there is
// no recorded driver to follow: what was cached is gone.
func TestFailedRequestEmptiesTheCache(t *testing.T) {
	r, err := newReplay(&history.Program{Slots: 1, Lanes: []history.Lane{{}}}, caching.DefaultConfig(), newDriver(noLimit, 1))
	require.NoError(t, err)
	b, err := r.take(4<<20, 0)
	require.NoError(t, err)
	require.NoError(t, r.alloc.Free(b))
	require.EqualValues(t, 20<<20, r.driver.reserved)
	require.NoError(t, r.do(&history.Op{Kind: history.OpFailed, Size: 1 << 30}))
	require.Zero(t, r.driver.reserved)
}

// TestFraction takes a share of the limit, to the byte.
func TestFraction(t *testing.T) {
	limit := int64(216_006_656) // what tiny_all needs
	for _, c := range []struct {
		limit int64
		fits  string
	}{{2 * limit, "true"}, {2*limit - 2, "false"}} {
		text := run(t, Options{
			File: recording("tiny_all"), JSON: true, Limit: c.limit,
			Confs: []string{"per_process_memory_fraction:0.5"},
		})
		require.Contains(t, text[strings.Index(text, "\n"):], `"fits":`+c.fits)
	}
}

// TestRemarks says what a reader has to know.
func TestRemarks(t *testing.T) {
	for name, want := range map[string]string{
		"late":      "The history begins in the middle: 910,163,968 bytes were reserved, with 70\nblocks of 717,280,407 bytes.",
		"limit_all": "In the recording, 2 requests failed for want of memory, and are left out here.\nRequests of the recording found no room: it could reserve some 634 MiB at most,\nand so may each row.",
		"oom":       "In the recording, 3 requests failed for want of memory, and are left out here.",
		"late_pow2": "more for each of",
	} {
		require.Contains(t, run(t, Options{File: recording(name), Confs: three}), want, name)
	}
}

// TestAdvice follows from the numbers.
func TestAdvice(t *testing.T) {
	for _, c := range []struct {
		name  string
		confs []string
		limit int64
		want  string
	}{
		{"tiny_all", nil, 0, "9 % of the peak is idle: settings save little, smaller or fewer tensors do."},
		{"tiny_none", nil, 0, "24 % of the peak is idle: try -alloc-conf expandable_segments:True."},
		{"expandable", nil, 0, "of the peak is idle: settings save little"},
		{"record_stream", three, 0, "expandable_segments:True reserves"},
		{"ring_streams", three, 0, "expandable_segments:True reserves at least 488,636,416 bytes (25 %) less."},
		{"record_stream", three, 900e6, "expandable_segments:True fits, with"},
		{"empty_cache_random", three, 24 << 30, "It fits as recorded, with"},
	} {
		require.Contains(t, run(t, Options{File: recording(c.name), Confs: c.confs, Limit: c.limit}), c.want, c.name)
	}
}

func TestMisuse(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Confs: []string{"foo:1"}}, `the settings "foo:1": Unrecognized key 'foo' in Accelerator allocator config.`},
		{Options{Confs: []string{expandable, "max_split_size_mb:1"}}, "CachingAllocator option max_split_size_mb too small, must be >= 20"},
		{Options{Confs: []string{"per_process_memory_fraction:0.5"}}, "give it with -limit"},
		{Options{Limit: -1}, "a limit of -1 bytes"},
	} {
		c.o.File = recording("oom")
		var out strings.Builder
		err := Run(context.Background(), c.o, &out, nil)
		var misuse *MisuseError
		require.ErrorAs(t, err, &misuse)
		require.ErrorContains(t, err, c.want)
		require.Empty(t, out.String())
	}
}

func TestParseLimit(t *testing.T) {
	for text, want := range map[string]int64{
		"24GiB": 24 << 30, "24GB": 24e9, "1.5 GiB": 3 << 29, "512MiB": 512 << 20, "123456": 123456, "24gib": 24 << 30,
	} {
		n, err := ParseLimit(text)
		require.NoError(t, err, text)
		require.Equal(t, want, n, text)
	}
	for _, text := range []string{"", "0", "-1", "much", "24XB", "99999999999999999999", "1EiB"} {
		_, err := ParseLimit(text)
		var misuse *MisuseError
		require.ErrorAs(t, err, &misuse, text)
	}
}
