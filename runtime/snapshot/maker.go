package snapshot

import (
	"encoding/binary"
	"fmt"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/snapshot/pickle"
)

// The sorts of objects that take the place of dicts and lists.
const (
	tagEvent pickle.Tag = iota
	tagFrame
	tagStack
	tagBlock
	tagSegment
	tagAnnotation
)

// maker turns dicts into Go structs while they are read.
type maker struct {
	events      []Event
	blocks      []caching.BlockRecord
	segments    []caching.Segment
	annotations []Annotation

	// frames and stacks are each kept once: the same lines run again and
	// again.
	frames   []caching.Frame
	frameIDs map[caching.Frame]int
	stacks   [][]caching.Frame
	stackIDs map[string]int
	scratch  []byte
	// copied counts what gather had to copy.
	copied int
	// longStacks are the other stacks, by the first item of their lists.
	longStacks map[*pickle.Value][]caching.Frame
}

func newMaker() *maker {
	return &maker{
		frameIDs: map[caching.Frame]int{}, stackIDs: map[string]int{},
		longStacks: map[*pickle.Value][]caching.Frame{},
	}
}

// Dict recognizes a dict by its keys.
func (m *maker) Dict(items []pickle.Value) (pickle.Value, bool, error) {
	for i := 0; i < len(items); i += 2 {
		key, _ := items[i].Text()
		if make, ok := sorts[key]; ok {
			v, err := make(m, items)
			return v, true, err
		}
	}
	return pickle.Value{}, false, nil
}

// sorts has a key for each sort of dict that no other sort has.
var sorts = map[string]func(*maker, []pickle.Value) (pickle.Value, error){
	"action":   (*maker).event,
	"filename": (*maker).frame,
	"state":    (*maker).block,
	"blocks":   (*maker).segment,
	"stage":    (*maker).annotation,
}

const (
	// longStack is how many frames a stack has that may go on: Python writes
	// a list in groups of so many. The frames from there on are left out.
	longStack = 1000
	// longName is how many bytes of a name are kept. Those of C++ can be
	// long, and a million frames may share one.
	longName = 4096
)

// List recognizes a stack of frames.
func (m *maker) List(items []pickle.Value) (pickle.Value, bool, error) {
	if len(items) == 0 || len(items) >= longStack {
		return pickle.Value{}, false, nil
	}
	m.scratch = m.scratch[:0]
	for _, item := range items {
		tag, n, ok := item.Object()
		if !ok || tag != tagFrame {
			return pickle.Value{}, false, nil
		}
		m.scratch = binary.AppendUvarint(m.scratch, uint64(n))
	}
	id, ok := m.stackIDs[string(m.scratch)]
	if !ok {
		id = len(m.stacks)
		m.stacks = append(m.stacks, m.stackOf(items))
		m.stackIDs[string(m.scratch)] = id
	}
	return pickle.Object(tagStack, id), true, nil
}

// long returns a stack of so many frames that it stayed a list. Events may share
// the list, so they share the stack, too.
func (m *maker) long(frames []pickle.Value) ([]caching.Frame, error) {
	first := &frames[0]
	stack, ok := m.longStacks[first]
	if !ok {
		for i, f := range frames[:longStack] {
			if tag, _, ok := f.Object(); !ok || tag != tagFrame {
				return nil, fmt.Errorf("item %d is something else", i)
			}
		}
		stack = m.stackOf(frames[:longStack])
		m.longStacks[first] = stack
	}
	return stack, nil
}

func (m *maker) stackOf(frames []pickle.Value) []caching.Frame {
	stack := make([]caching.Frame, len(frames))
	for i, f := range frames {
		_, n, _ := f.Object()
		stack[i] = m.frames[n]
	}
	return stack
}

func shortened(name string) string { return name[:min(len(name), longName)] }

// frame keeps one line of a stack.
func (m *maker) frame(items []pickle.Value) (pickle.Value, error) {
	r := fieldsOf("a frame", items)
	f := caching.Frame{
		Filename: shortened(r.textOr("filename")),
		Name:     shortened(r.textOr("name")),
		Line:     int(r.sizeOr("line", 0)),
	}
	if r.err != nil {
		return pickle.Value{}, r.err
	}
	id, ok := m.frameIDs[f]
	if !ok {
		id = len(m.frames)
		m.frames = append(m.frames, f)
		m.frameIDs[f] = id
	}
	return pickle.Object(tagFrame, id), nil
}
