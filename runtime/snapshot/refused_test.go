package snapshot

import (
	"bytes"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSharedListsAreBounded uses one long list over and over. Each use costs the
// file a few bytes, and must not cost a copy of the list.
func TestSharedListsAreBounded(t *testing.T) {
	list := func(object dict, n int) string {
		o := string(appendValue(nil, object))
		return "]q\x02(" + o[:1] + "q\x01" + o[1:] + strings.Repeat("h\x01", n) + "e"
	}
	again := func(first, other string) code { return code("](" + first + strings.Repeat(other, 2000) + "e") }
	event := func(frames string) string { return string(appendValue(nil, anEvent.with("frames", code(frames)))) }
	segment := func(blocks string) string {
		return string(appendValue(nil, aSegment.with("total_size", 100_001).with("blocks", code(blocks))))
	}
	b := dict{"size", 1, "state", "inactive"}
	for name, c := range map[string]struct {
		content dict
		want    string
	}{
		"stacks": {whole.with("device_traces", []any{again(event(list(aFrame, 100_000)), event("h\x02"))}), ""},
		"not only frames": {
			whole.with("device_traces", []any{again(event(list(anEvent, 100_000)), event("h\x02"))}), "no list of frames",
		},
		"traces": {whole.with("device_traces", again(list(anEvent, 100_000), "h\x02")), "its items are used again and again"},
		"blocks": {
			whole.with("segments", again(segment(list(b, 100_000)), segment("h\x02"))), "its items are used again and again",
		},
	} {
		before := allocated()
		_, err := Read(bytes.NewReader(pickled(4, c.content)))
		if c.want == "" {
			require.NoError(t, err, name)
		} else {
			require.ErrorContains(t, err, c.want, name)
		}
		require.Less(t, allocated()-before, uint64(600<<20), name)
	}
}

// allocated is what was ever allocated, garbage too.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// TestRefused is what looks like a snapshot and is none.
func TestRefused(t *testing.T) {
	for name, c := range map[string]struct {
		content any
		want    string
	}{
		"a number":            {1, "its content is no dict"},
		"segments alone":      {[]any{aSegment}, "its content is no dict"},
		"a state dict":        {dict{"layer.weight", 1}, "it has no segments"},
		"no segments":         {whole.with("segments", gone), "it has no segments"},
		"segments of text":    {whole.with("segments", "x"), "segments: no list"},
		"other segments":      {whole.with("segments", []any{1}), "segments: item 0 is something else"},
		"events as segments":  {whole.with("segments", []any{anEvent}), "segments: item 0 is something else"},
		"no traces":           {whole.with("device_traces", gone), "it has no device_traces"},
		"traces of nothing":   {whole.with("device_traces", nil), "device_traces: no list"},
		"trace of text":       {whole.with("device_traces", []any{"x"}), "device_traces, GPU 0: no list"},
		"trace of numbers":    {whole.with("device_traces", []any{[]any{}, []any{1}}), "device_traces, GPU 1: item 0 is something else"},
		"settings of text":    {whole.with("allocator_settings", "x"), "allocator_settings: no dict"},
		"settings: conf":      {whole.with("allocator_settings", dict{"PYTORCH_CUDA_ALLOC_CONF", 1}), "a dict whose PYTORCH_CUDA_ALLOC_CONF is no text"},
		"settings: split":     {whole.with("allocator_settings", dict{"max_split_size", "x"}), "whose max_split_size is no size"},
		"settings: gc":        {whole.with("allocator_settings", dict{"garbage_collection_threshold", 1.5}), "is no fraction"},
		"settings: expand":    {whole.with("allocator_settings", dict{"expandable_segments", 1}), "is neither true nor false"},
		"settings: roundup":   {whole.with("allocator_settings", dict{"roundup_power2_divisions", 1}), "is no dict"},
		"settings: roundup 1": {whole.with("allocator_settings", dict{"roundup_power2_divisions", dict{"1", "x"}}), "roundup_power2_divisions whose 1 is no size"},
		"event: no action":    {withEvent(anEvent.with("action", gone)), "item 0 is something else"},
		"event: action":       {withEvent(anEvent.with("action", 1)), "an event whose action is no text"},
		"event: no address":   {withEvent(anEvent.with("addr", gone)), "an event has no addr"},
		"event: address":      {withEvent(anEvent.with("addr", "x")), "an event whose addr is no size"},
		"event: no size":      {withEvent(anEvent.with("size", gone)), "an event has no size"},
		"event: size":         {withEvent(anEvent.with("size", -1)), "an event whose size is no size"},
		"event: float size":   {withEvent(anEvent.with("size", 1.5)), "an event whose size is no size"},
		"event: frames":       {withEvent(anEvent.with("frames", "x")), "an event whose frames is no list of frames"},
		"event: frames of it": {withEvent(anEvent.with("frames", []any{anEvent})), "no list of frames"},
		"event: metadata":     {withEvent(anEvent.with("user_metadata", 1)), "an event whose user_metadata is no text"},
		"frame":               {withEvent(anEvent.with("frames", []any{aFrame.with("line", "x")})), "a frame whose line is no size"},
		"segment: address":    {withSegment(aSegment.with("address", gone)), "a segment has no address"},
		"segment: pool":       {withSegment(aSegment.with("segment_pool_id", tuple{1})), "a segment whose segment_pool_id is no pair"},
		"segment: pools":      {withSegment(aSegment.with("segment_pool_id", tuple{1, "x"})), "is no pair of numbers"},
		"segment: no blocks":  {withSegment(aSegment.with("blocks", gone)), "segments: item 0 is something else"},
		"segment: blocks":     {withSegment(aSegment.with("blocks", 1)), "blocks of a segment: no list"},
		"segment: overlap":    {withBlock(aBlock.with("address", 4097)), "a segment whose blocks do not fill it"},
		"segment: too short":  {withSegment(aSegment.with("total_size", 4096)), "a segment whose blocks do not fill it"},
		"block: size":         {withBlock(aBlock.with("size", 0)), "a segment whose blocks do not fill it"},
		"block: state":        {withBlock(aBlock.with("state", 1)), "a block whose state is no text"},
		"block: history":      {withBlock(aBlock.with("frames", gone).with("history", []any{1})), "a block whose history is no list of dicts"},
		"note":                {whole.with("external_annotations", []any{1}), "external_annotations: item 0 is something else"},
		"code":                {whole.with("x", code("cos\nsystem\n")), `the pickle refers to code ("os.system")`},
		"code called":         {whole.with("x", code("cos\nsystem\nX\x02\x00\x00\x00ls\x85R")), "the pickle refers to code"},
	} {
		s, err := Read(bytes.NewReader(pickled(4, c.content)))
		require.ErrorContains(t, err, c.want, name)
		require.Nil(t, s, name)
		require.Regexp(t, "^not a snapshot", err.Error(), name)
		require.NotContains(t, err.Error(), "\n", name)
		require.Less(t, len(err.Error()), 200, name)
	}
}
