package snapshot

import (
	"errors"
	"fmt"
	"io"

	"github.com/torchmem/workbook/runtime/snapshot/pickle"
)

// Read reads a snapshot. The error is one line. Memory and time are bounded by
// the length of what is read.
func Read(r io.Reader) (*Snapshot, error) {
	m := newMaker()
	root, err := pickle.Decode(r, m)
	if err != nil {
		return nil, fmt.Errorf("not a snapshot: %w", err)
	}
	s, err := m.snapshot(root)
	if err != nil {
		return nil, fmt.Errorf("not a snapshot of torch.cuda.memory._dump_snapshot: %w", err)
	}
	return s, nil
}

// snapshot puts together what the maker made.
func (m *maker) snapshot(root pickle.Value) (*Snapshot, error) {
	dict, ok := root.Dict()
	if !ok {
		return nil, errors.New("its content is no dict")
	}
	s := &Snapshot{}
	segments, err := need(dict, "segments")
	if err != nil {
		return nil, err
	}
	if s.Segments, err = gather(m, segments, tagSegment, m.segments); err != nil {
		return nil, fmt.Errorf("segments: %w", err)
	}
	if s.Traces, err = m.traces(dict); err != nil {
		return nil, err
	}
	if s.Settings, err = settingsOf(dict); err != nil {
		return nil, fmt.Errorf("allocator_settings: %w", err)
	}
	if notes, ok := pickle.Find(dict, "external_annotations"); ok && !notes.IsNone() {
		if s.Annotations, err = gather(m, notes, tagAnnotation, m.annotations); err != nil {
			return nil, fmt.Errorf("external_annotations: %w", err)
		}
	}
	return s, nil
}

func need(dict []pickle.Value, key string) (pickle.Value, error) {
	v, ok := pickle.Find(dict, key)
	if !ok {
		return v, fmt.Errorf("it has no %s", key)
	}
	return v, nil
}

// traces returns the history of each GPU.
func (m *maker) traces(dict []pickle.Value) ([][]Event, error) {
	v, err := need(dict, "device_traces")
	if err != nil {
		return nil, err
	}
	devices, ok := v.List()
	if !ok {
		return nil, errors.New("device_traces: no list")
	}
	var traces [][]Event
	for i, d := range devices {
		t, err := gather(m, d, tagEvent, m.events)
		if err != nil {
			return nil, fmt.Errorf("device_traces, GPU %d: %w", i, err)
		}
		traces = append(traces, t)
	}
	return traces, nil
}

// maxCopied is how many objects may be copied into lists. PyTorch's files need
// none, but a hostile one can name a list of a million a million times.
const maxCopied = 1 << 20

// gather returns the objects of a list. In PyTorch's files they lie side by side
// already, and then nothing is copied.
func gather[T any](m *maker, v pickle.Value, want pickle.Tag, all []T) ([]T, error) {
	items, ok := v.List()
	if !ok {
		return nil, errors.New("no list")
	}
	if len(items) == 0 {
		return nil, nil
	}
	first, inRow := -1, true
	for i, item := range items {
		tag, n, ok := item.Object()
		if !ok || tag != want {
			return nil, fmt.Errorf("item %d is something else", i)
		}
		if i == 0 {
			first = n
		}
		inRow = inRow && n == first+i
	}
	if inRow {
		return all[first : first+len(items) : first+len(items)], nil
	}
	if m.copied += len(items); m.copied > maxCopied {
		return nil, errors.New("its items are used again and again")
	}
	out := make([]T, len(items))
	for i, item := range items {
		_, n, _ := item.Object()
		out[i] = all[n]
	}
	return out, nil
}
