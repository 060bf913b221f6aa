package snapshot

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
)

func readDict(t *testing.T, d dict) *Snapshot {
	t.Helper()
	s, err := Read(bytes.NewReader(pickled(4, d)))
	require.NoError(t, err)
	return s
}

func TestWhole(t *testing.T) {
	forward := caching.Frame{Filename: "model.py", Line: 12, Name: "forward"}
	want := &Snapshot{
		Segments: []caching.Segment{{
			Address: 4096, TotalSize: 2097152, AllocatedSize: 1024, ActiveSize: 1024, RequestedSize: 1000,
			Stream: 7, SegmentType: "small", Frames: []caching.Frame{},
			Blocks: []caching.BlockRecord{
				{Address: 4096, Size: 1024, RequestedSize: 1000, State: caching.ActiveAllocated, Frames: []caching.Frame{forward}},
				{Address: 5120, Size: 2096128, State: caching.Inactive, Frames: []caching.Frame{}},
			},
		}},
		Traces: [][]Event{{{
			Entry:  caching.Entry{Action: caching.ActionAlloc, Addr: 4096, Size: 1000, Stream: 7},
			TimeUS: 1700000000000000, Frames: []caching.Frame{forward, forward}, CompileContext: "N/A",
		}}, nil},
		Settings: &Settings{
			Conf: "max_split_size_mb:32", MaxSplitSize: 32 << 20, GarbageCollectionThreshold: 0.5,
			ExpandableSegments: true, RoundupDivisions: [16]int64{0: 4, 15: 8}, PinnedNumRegisterThreads: 1,
			GraphCaptureRecordStreamReuse: true,
		},
		Annotations: []Annotation{{Stage: "START", Name: "Optimizer.step", TimeUS: 1700000000000001}},
	}
	for protocol := byte(2); protocol <= 5; protocol++ {
		s, err := Read(bytes.NewReader(pickled(protocol, whole)))
		require.NoError(t, err)
		require.Equal(t, want, s)
	}
}

// TestOlderVersions leaves out what not every version of PyTorch writes.
func TestOlderVersions(t *testing.T) {
	for _, key := range []string{"device", "allocated_size", "stream", "segment_type", "segment_pool_id", "is_expandable", "frames"} {
		s := readDict(t, withSegment(aSegment.with(key, gone)))
		require.Len(t, s.Segments, 1, key)
	}
	for _, key := range []string{"stream", "time_us", "frames", "compile_context", "user_metadata"} {
		s := readDict(t, withEvent(anEvent.with(key, gone)))
		require.Len(t, s.Traces[0], 1, key)
	}
	require.Nil(t, readDict(t, whole.with("allocator_settings", gone)).Settings)
	require.Nil(t, readDict(t, whole.with("external_annotations", gone)).Annotations)
	require.Nil(t, readDict(t, withEvent(anEvent.with("frames", gone))).Traces[0][0].Frames)
	require.Empty(t, readDict(t, whole.with("unknown", []any{dict{}, "x", nil, 1.5})).Settings.RoundupDivisions[1])

	none := dict{"PYTORCH_CUDA_ALLOC_CONF", "", "max_split_size", -1}
	require.Equal(t, &Settings{MaxSplitSize: -1}, readDict(t, whole.with("allocator_settings", none)).Settings)
	other := dict{"PYTORCH_ALLOC_CONF", "expandable_segments:True"}
	require.Equal(t, "expandable_segments:True", readDict(t, whole.with("allocator_settings", other)).Settings.Conf)
}

// TestBlockHistory reads the frames where PyTorch 2.0 and 2.1 keep them, and
// finds the address that they leave out.
func TestBlockHistory(t *testing.T) {
	b := aBlock.with("frames", gone).with("address", gone)
	b = b.with("history", []any{dict{"addr", 4096, "real_size", 1000, "frames", []any{aFrame}}})
	s := readDict(t, withBlock(b))
	require.Equal(t, "forward", s.Segments[0].Blocks[0].Frames[0].Name)
	require.EqualValues(t, 4096, s.Segments[0].Blocks[0].Address)
	require.Nil(t, readDict(t, withBlock(b.with("history", []any{}))).Segments[0].Blocks[0].Frames)
}

func TestWaitingBlock(t *testing.T) {
	for _, state := range []string{"active_pending_free", "active_awaiting_free"} {
		s := readDict(t, withBlock(aBlock.with("state", state)))
		require.Equal(t, caching.ActivePendingFree, s.Segments[0].Blocks[0].State)
	}
}

func TestOOMEvent(t *testing.T) {
	e := readDict(t, withEvent(dict{"action", "oom", "device_free", 512, "size", 2048, "stream", 0})).Traces[0][0]
	require.Equal(t, caching.Entry{Action: caching.ActionOOM, Addr: 512, Size: 2048}, e.Entry)
}

// TestSharedObjects reads a pickle that names an event and a list of frames
// twice.
func TestSharedObjects(t *testing.T) {
	frame := string(appendValue(nil, aFrame))
	frames := "]q\x01(" + frame + frame + "e"
	event := string(appendValue(nil, anEvent.with("frames", code(frames))))
	twice := "](" + event + string(appendValue(nil, anEvent.with("frames", code("h\x01")))) + "e"
	s := readDict(t, whole.with("device_traces", []any{code(twice)}))
	require.Len(t, s.Traces[0], 2)
	require.Same(t, &s.Traces[0][0].Frames[0], &s.Traces[0][1].Frames[0])

	event = event[:1] + "q\x05" + event[1:]
	s = readDict(t, whole.with("device_traces", []any{code("](" + event + "h\x05e")}))
	require.Len(t, s.Traces[0], 2)
	require.Equal(t, s.Traces[0][0], s.Traces[0][1])
}

// TestDeepStack reads a stack of more frames than Python writes at once.
func TestDeepStack(t *testing.T) {
	group := strings.Repeat(string(appendValue(nil, aFrame)), 1000)
	frames := "](" + group + "e(" + group + "e" + string(appendValue(nil, aFrame)) + "a"
	s := readDict(t, withEvent(anEvent.with("frames", code(frames))))
	require.Len(t, s.Traces[0][0].Frames, longStack)
	require.Equal(t, "forward", s.Traces[0][0].Frames[longStack-1].Name)
}

// TestLongNames keeps the begin of a name that a million frames may share.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	s := readDict(t, withEvent(anEvent.with("frames", []any{aFrame.with("name", long).with("filename", long)})))
	f := s.Traces[0][0].Frames[0]
	require.Equal(t, [2]string{long[:longName], long[:longName]}, [2]string{f.Name, f.Filename})
}

// TestCutAnywhere reads every beginning of a snapshot.
func TestCutAnywhere(t *testing.T) {
	file := pickled(4, whole)
	for n := range file {
		_, err := Read(bytes.NewReader(file[:n]))
		require.ErrorContains(t, err, "the pickle ends too early")
	}
}

// unpack reads a recorded file.
func unpack(tb testing.TB, name string) []byte {
	f, err := os.Open("../../testdata/oracle/snapshots/" + name + ".pickle.gz")
	require.NoError(tb, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(tb, err)
	b, err := io.ReadAll(z)
	require.NoError(tb, err)
	return b
}

// TestRecorded reads what PyTorch wrote, in the protocols 2 to 5.
func TestRecorded(t *testing.T) {
	for name, protocol := range map[string]byte{"late": 2, "ring": 3, "tiny_all": 4, "limit": 5} {
		file := unpack(t, name)
		require.Equal(t, protocol, file[1])
		s, err := Read(bytes.NewReader(file))
		require.NoError(t, err, name)
		require.NotEmpty(t, s.Segments)
		require.NotNil(t, s.Settings)
		for _, seg := range s.Segments {
			var allocated int64
			for _, b := range seg.Blocks {
				if b.State == caching.ActiveAllocated {
					allocated += b.Size
				}
			}
			require.Equal(t, seg.AllocatedSize, allocated)
		}
	}
	s, err := Read(bytes.NewReader(unpack(t, "tiny_all")))
	require.NoError(t, err)
	require.Len(t, s.Traces[0], 3864)
	last := s.Traces[0][3863]
	require.Equal(t, caching.ActionFreeCompleted, last.Action)
	require.Equal(t, caching.Frame{Filename: "adam.py", Line: 971, Name: "adam"}, last.Frames[0])
	require.Len(t, last.Frames, 6)
	require.EqualValues(t, 140455998128128, last.Addr)
	require.Len(t, s.Segments, 46)
	require.Len(t, s.Segments[0].Blocks[0].Frames, 10)
}

// FuzzRead tries anything.
func FuzzRead(f *testing.F) {
	for protocol := byte(2); protocol <= 5; protocol++ {
		f.Add(pickled(protocol, whole))
	}
	f.Add(unpack(f, "mempool"))
	f.Fuzz(func(t *testing.T, file []byte) {
		s, err := Read(bytes.NewReader(file))
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		for _, seg := range s.Segments {
			for _, b := range seg.Blocks {
				require.Positive(t, b.Size)
			}
		}
		for _, trace := range s.Traces {
			for _, e := range trace {
				require.GreaterOrEqual(t, e.Size, int64(0))
			}
		}
	})
}

// BenchmarkRead tells how many megabytes of a file are read in a second.
func BenchmarkRead(b *testing.B) {
	for _, name := range []string{"tiny_none", "tiny_all"} {
		file := unpack(b, name)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(file)))
			b.ReportAllocs()
			for b.Loop() {
				_, err := Read(bytes.NewReader(file))
				require.NoError(b, err)
			}
		})
	}
}
