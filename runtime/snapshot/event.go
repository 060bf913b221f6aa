package snapshot

import (
	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/snapshot/pickle"
)

// event keeps one entry of a history. This is what a file has millions of, so
// it looks at each key once.
func (m *maker) event(items []pickle.Value) (pickle.Value, error) {
	r := fieldsOf("an event", items)
	var e Event
	addr := ""
	for i := 0; i < len(items); i += 2 {
		key, _ := items[i].Text()
		one := fields{what: r.what, items: items[i : i+2]}
		switch key {
		case "action":
			e.Action = known(one.text(key))
		case "addr", "device_free":
			e.Addr = gpu.Ptr(one.size(key))
			addr = key
		case "size":
			e.Size = one.size(key)
		case "stream":
			e.Stream = gpu.Stream(one.size(key))
		case "time_us":
			e.TimeUS = one.size(key)
		case "frames":
			e.Frames = one.stack(m, key)
		case "compile_context":
			e.CompileContext = one.textOr(key)
		case "user_metadata":
			e.UserMetadata = one.textOr(key)
		}
		if one.err != nil {
			return pickle.Value{}, one.err
		}
	}
	if addr == "" {
		r.size("addr")
	}
	if e.Size == 0 {
		r.size("size")
	}
	m.events = append(m.events, e)
	return pickle.Object(tagEvent, len(m.events)-1), r.err
}

// known returns the constant for an action, so that a million events share one
// text.
func known(action string) caching.Action {
	for _, a := range actions {
		if string(a) == action {
			return a
		}
	}
	return caching.Action(action)
}

var actions = []caching.Action{
	caching.ActionAlloc, caching.ActionFreeRequested, caching.ActionFreeCompleted,
	caching.ActionSegmentAlloc, caching.ActionSegmentFree, caching.ActionSegmentMap,
	caching.ActionSegmentUnmap, caching.ActionOOM, ActionSnapshot,
}
