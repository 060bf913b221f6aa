package snapshot

import (
	"encoding/binary"
	"fmt"
	"math"
)

// dict is a dict of Python: keys and values in turn.
type dict []any

// tuple is a tuple of Python.
type tuple []any

// code is something that no pickle of data holds.
type code string

// pickled writes a value as Python's pickle does, without a memo.
func pickled(protocol byte, v any) []byte {
	return append(appendValue([]byte{0x80, protocol}, v), '.')
}

func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, 'N')
	case bool:
		if v {
			return append(b, 0x88)
		}
		return append(b, 0x89)
	case int:
		return binary.LittleEndian.AppendUint64(append(b, 0x8a, 8), uint64(v))
	case float64:
		return binary.BigEndian.AppendUint64(append(b, 'G'), math.Float64bits(v))
	case string:
		return append(binary.LittleEndian.AppendUint32(append(b, 'X'), uint32(len(v))), v...)
	case code:
		return append(b, v...)
	case []any:
		return append(appendAll(append(b, ']', '('), v), 'e')
	case tuple:
		return append(appendAll(append(b, '('), v), 't')
	case dict:
		return append(appendAll(append(b, '}', '('), v), 'u')
	default:
		panic(fmt.Sprintf("cannot pickle %T", v))
	}
}

func appendAll(b []byte, all []any) []byte {
	for _, v := range all {
		b = appendValue(b, v)
	}
	return b
}

// with returns a dict with a key set to a value, or left out if that is gone.
func (d dict) with(key string, v any) dict {
	out := dict{}
	found := false
	for i := 0; i < len(d); i += 2 {
		switch {
		case d[i] != key:
			out = append(out, d[i], d[i+1])
		case v != gone:
			out = append(out, key, v)
			found = true
		default:
			found = true
		}
	}
	if !found {
		out = append(out, key, v)
	}
	return out
}

type absent struct{}

var gone = absent{}

// The parts of a small snapshot as PyTorch 2.11 writes it.
var (
	aFrame   = dict{"name", "forward", "filename", "model.py", "line", 12}
	aBlock   = dict{"address", 4096, "size", 1024, "requested_size", 1000, "state", "active_allocated", "frames", []any{aFrame}}
	rest     = dict{"address", 5120, "size", 2097152 - 1024, "requested_size", 0, "state", "inactive", "frames", []any{}}
	aSegment = dict{
		"device", 0, "address", 4096, "total_size", 2097152, "allocated_size", 1024, "active_size", 1024,
		"requested_size", 1000, "stream", 7, "segment_type", "small", "segment_pool_id", tuple{0, 0},
		"is_expandable", false, "frames", []any{}, "blocks", []any{aBlock, rest},
	}
	anEvent = dict{
		"action", "alloc", "addr", 4096, "size", 1000, "stream", 7, "time_us", 1700000000000000,
		"compile_context", "N/A", "user_metadata", "", "frames", []any{aFrame, aFrame},
	}
	someSettings = dict{
		"PYTORCH_CUDA_ALLOC_CONF", "max_split_size_mb:32", "max_split_size", 32 << 20,
		"garbage_collection_threshold", 0.5, "expandable_segments", true, "pinned_num_register_threads", 1,
		"release_lock_on_cudamalloc", false, "pinned_use_cuda_host_register", false,
		"graph_capture_record_stream_reuse", true, "roundup_power2_divisions", dict{"1", 4, "32768", 8},
	}
	aNote = dict{"stage", "START", "name", "Optimizer.step", "device", 0, "time_us", 1700000000000001}
	whole = dict{
		"segments", []any{aSegment}, "device_traces", []any{[]any{anEvent}, []any{}},
		"allocator_settings", someSettings, "external_annotations", []any{aNote},
	}
)

// withSegment, withEvent and withBlock replace the one that there is.
func withSegment(s any) dict { return whole.with("segments", []any{s}) }
func withEvent(e any) dict   { return whole.with("device_traces", []any{[]any{e}}) }
func withBlock(b any) dict   { return withSegment(aSegment.with("blocks", []any{b, rest})) }
