package replay_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/replay"
)

const traces = "../../testdata/oracle/traces/"

// small is a trace of three operations, whole and correct.
const small = `{"torch":"2.11.0","conf":"","columns":["allocated_bytes.all.current","num_ooms"],
"ops":[{"op":"alloc","id":0,"bytes":100,"stream":0,"ok":true,"counters":[512,0]},
{"op":"record_stream","id":0,"stream":0,"counters":[512,0]},
{"op":"free","id":0,"counters":[0,0]},{"op":"empty_cache","counters":[0,0]}],
"streams":[0],"events":[{"action":"segment_alloc","addr":4096,"size":2097152,"stream":0},
{"action":"alloc","addr":4096,"size":100,"stream":0},
{"action":"free_requested","addr":4096,"size":100,"stream":0},
{"action":"free_completed","addr":4096,"size":100,"stream":0},
{"action":"segment_free","addr":4096,"size":2097152,"stream":0}],
"segments":[],"stats":{},"summary":""}`

func decode(text string) error {
	_, err := replay.Decode(strings.NewReader(text))
	return err
}

// TestReadPackedAndPlain reads one trace in both forms.
func TestReadPackedAndPlain(t *testing.T) {
	packed := traces + "fuzz_default_limit_streams_0.json.gz"
	want, err := replay.Read(packed)
	require.NoError(t, err)
	require.Len(t, want.Ops, 1500)
	require.Len(t, want.Columns, 43)
	require.Len(t, want.Streams, 3)
	require.Len(t, want.Stats, 122)
	require.NotEmpty(t, want.Segments)

	plain := filepath.Join(t.TempDir(), "plain.json")
	require.NoError(t, os.WriteFile(plain, unpacked(t, packed), 0o600))
	got, err := replay.Read(plain)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func unpacked(t *testing.T, file string) []byte {
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	text, err := io.ReadAll(z)
	require.NoError(t, err)
	return text
}

// TestReadRefusals holds what is said of a file that is no trace.
func TestReadRefusals(t *testing.T) {
	require.NoError(t, decode(small))
	with := func(old, new string) string {
		require.Contains(t, small, old)
		return strings.Replace(small, old, new, 1)
	}
	for text, want := range map[string]string{
		"":                                     "not a whole trace: it ends too early",
		small[:len(small)/2]:                   "not a whole trace: it ends too early",
		small[:len(small)-1]:                   "not a whole trace: it ends too early",
		small + "{}":                           "not a recorded trace: something follows its end",
		"PK\x03\x04":                           "not a recorded trace: invalid character 'P' looking for beginning of value at byte 1",
		"[1,2]":                                "not a recorded trace: \"[\" where \"{\" is due",
		`"text"`:                               "not a recorded trace: \"text\" where \"{\" is due",
		`{}`:                                   `not a recorded trace: it has no "columns"`,
		`{"rows":[]}`:                          `not a recorded trace: it has no "columns"`,
		`{"ops":{}}`:                           `not a recorded trace: "ops": "{" where "[" is due`,
		`{"ops":[{"op":1}]}`:                   `not a recorded trace: "ops": element 0: "op" cannot be a number`,
		`{"ops":[[]]}`:                         `not a recorded trace: "ops": element 0: it cannot be an array`,
		`{"conf":{}}`:                          `not a recorded trace: "conf": it cannot be an object`,
		`{"streams":[1e99]}`:                   `not a recorded trace: "streams": it cannot be a number 1e99`,
		with("[0],", "[],"):                    "not a recorded trace: its streams do not begin with the default one",
		with("[0],", "[7],"):                   "not a recorded trace: its streams do not begin with the default one",
		with("num_ooms", "oo"):                 `not a recorded trace: its columns have "oo", which is no counter`,
		with("[512,0]", "[5]"):                 "not a recorded trace: operation 0: 1 counters for 2 columns",
		with(`"free"`, `"del"`):                `not a recorded trace: operation 2: "del" is unknown`,
		with(`"free","id":0`, `"free","id":5`): "not a recorded trace: operation 2: free 5, which is not allocated",
		with(`"record_stream"`, `"free"`):      "not a recorded trace: operation 2: free 0, which is not allocated",
		with(`"bytes":100,"stream":0`, `"bytes":-1`):         "not a recorded trace: operation 0: alloc 0 of -1 bytes on stream 0 cannot be",
		with(`"bytes":100,"stream":0`, `"stream":1`):         "not a recorded trace: operation 0: stream 1 of 1",
		with(`"segment_free"`, `"gone"`):                     `not a recorded trace: event 4 is "gone", which is unknown`,
		with(`"segments":[]`, `"segments":[{"address":1}]`):  "not a recorded trace: segment 0 has no blocks",
		with(`"conf":""`, `"total_memory":-1`):               "not a recorded trace: it has a device of -1 bytes",
		with(`"conf":""`, `"total_memory":1125899906842625`): "not a recorded trace: it has a device of 1125899906842625 bytes",
		"\x1f\x8b\x08":                        "not a whole trace: it ends too early",
		"\x1f\x8bjunkjunkjunk":                "damaged: gzip: invalid header",
		strings.Repeat("[", 1000):             "not a recorded trace: \"[\" where \"{\" is due",
		`{"x":` + strings.Repeat("[", 20_000): "not a recorded trace: \"x\": invalid character '[' exceeded max depth at byte 10004",
	} {
		err := decode(text)
		require.EqualError(t, err, want, "%.80q", text)
		require.NotContains(t, err.Error(), "\n")
	}
	_, err := replay.Read(filepath.Join(t.TempDir(), "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestReadTruncated cuts a packed file at many places.
func TestReadTruncated(t *testing.T) {
	whole, err := os.ReadFile(traces + "fuzz_expand_streams_0.json.gz")
	require.NoError(t, err)
	for n := 1; n < len(whole); n += len(whole) / 40 {
		_, err := replay.Decode(bytes.NewReader(whole[:n]))
		require.Error(t, err, "%d bytes", n)
		require.NotContains(t, err.Error(), "\n")
	}
	_, err = replay.Decode(bytes.NewReader(whole[:len(whole)-3]))
	require.EqualError(t, err, "not a whole trace: it ends too early")
	whole[len(whole)/2] ^= 0xff
	_, err = replay.Decode(bytes.NewReader(whole))
	require.Error(t, err, "one byte is wrong")
}

// FuzzDecode looks for texts that break the reader or the replay.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte(strings.Replace(small, `"conf":""`, `"conf":"expandable_segments:True","fraction":0.5`, 1)))
	f.Add([]byte(strings.Replace(small, `"ok":true`, `"ok":false`, 1)))
	f.Add([]byte("\x1f\x8b\x08\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		trace, err := replay.Decode(bytes.NewReader(data))
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		result, err := replay.Recorded(t.Context(), trace, nil)
		if err == nil {
			require.LessOrEqual(t, result.Equal, result.Operations)
		}
		_, _ = replay.Modelled(t.Context(), trace, nil)
	})
}
