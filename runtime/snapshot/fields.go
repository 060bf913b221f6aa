package snapshot

import (
	"fmt"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/snapshot/pickle"
)

// fields reads the keys of one dict. The first one that is wrong is the error;
// after it all keys read as zero.
type fields struct {
	// what names the dict in errors.
	what  string
	items []pickle.Value
	err   error
}

func fieldsOf(what string, items []pickle.Value) *fields { return &fields{what: what, items: items} }

// wrong notes what is wrong with a key.
func (f *fields) wrong(key string, missing bool, want string) {
	switch {
	case f.err != nil:
	case missing:
		f.err = fmt.Errorf("%s has no %s", f.what, key)
	default:
		f.err = fmt.Errorf("%s whose %s is %s", f.what, key, want)
	}
}

// size returns a number that is not negative.
func (f *fields) size(key string) int64 {
	v, ok := pickle.Find(f.items, key)
	n, isInt := v.Int()
	if !ok || !isInt || n < 0 {
		f.wrong(key, !ok, "no size")
		return 0
	}
	return n
}

// sizeOr returns a number that is not negative, or another where there is
// nothing or None.
func (f *fields) sizeOr(key string, other int64) int64 {
	if v, ok := pickle.Find(f.items, key); !ok || v.IsNone() {
		return other
	}
	return f.size(key)
}

func (f *fields) text(key string) string {
	v, ok := pickle.Find(f.items, key)
	s, isText := v.Text()
	if !ok || !isText {
		f.wrong(key, !ok, "no text")
	}
	return s
}

// textOr returns a text, or none where there is nothing or None.
func (f *fields) textOr(key string) string {
	if v, ok := pickle.Find(f.items, key); !ok || v.IsNone() {
		return ""
	}
	return f.text(key)
}

// truth returns a truth value, false where there is none.
func (f *fields) truth(key string) bool {
	v, ok := pickle.Find(f.items, key)
	if !ok {
		return false
	}
	is, isBool := v.Bool()
	if !isBool {
		f.wrong(key, false, "neither true nor false")
	}
	return is
}

// stack returns the frames under a key, nil where there is none.
func (f *fields) stack(m *maker, key string) []caching.Frame {
	v, ok := pickle.Find(f.items, key)
	if !ok || v.IsNone() {
		return nil
	}
	if tag, n, ok := v.Object(); ok && tag == tagStack {
		return m.stacks[n]
	}
	items, isList := v.List()
	switch {
	case isList && len(items) == 0:
		return noFrames
	case isList && len(items) >= longStack:
		if stack, err := m.long(items); err == nil {
			return stack
		}
	}
	f.wrong(key, false, "no list of frames")
	return nil
}

// noFrames says that a stack was asked for and is empty.
var noFrames = []caching.Frame{}
