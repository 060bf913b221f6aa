package pickle

import "math"

// Value is something that a pickle holds. The zero value is None.
type Value struct {
	// ref is nil for None, a kind for what fits into num, a Tag for what a
	// Maker made, else the text, list or dict.
	ref any
	num uint64
}

// kind says what num means.
type kind uint8

const (
	integer kind = iota
	float
	boolean
	// blob stands for bytes, which are not kept.
	blob
	// emptyList and emptyDict have nothing in them yet. For them num is one
	// more than their place in the memo, zero without one.
	emptyList
	emptyDict
)

// Tag tells the objects of a [Maker] apart.
type Tag uint8

// Object returns a value that stands for an object of a Maker: what sort it is,
// and which one.
func Object(t Tag, n int) Value { return Value{t, uint64(n)} }

// List is a list or a tuple.
type List struct{ Items []Value }

// Dict is a dict: keys and values in turn, in the order of the pickle.
type Dict struct{ Items []Value }

// IsNone reports whether v is None.
func (v Value) IsNone() bool { return v.ref == nil }

// Int returns a number without fraction.
func (v Value) Int() (int64, bool) { return int64(v.num), v.ref == integer }

// Bool returns a truth value.
func (v Value) Bool() (is, ok bool) { return v.num != 0, v.ref == boolean }

// Float returns a number.
func (v Value) Float() (float64, bool) {
	switch v.ref {
	case float:
		return math.Float64frombits(v.num), true
	case integer:
		return float64(int64(v.num)), true
	default:
		return 0, false
	}
}

// Text returns a text.
func (v Value) Text() (string, bool) {
	s, ok := v.ref.(string)
	return s, ok
}

// List returns the items of a list or tuple.
func (v Value) List() ([]Value, bool) {
	switch l := v.ref.(type) {
	case *List:
		return l.Items, true
	case kind:
		return nil, l == emptyList
	default:
		return nil, false
	}
}

// Dict returns the keys and values of a dict in turn.
func (v Value) Dict() ([]Value, bool) {
	switch d := v.ref.(type) {
	case *Dict:
		return d.Items, true
	case kind:
		return nil, d == emptyDict
	default:
		return nil, false
	}
}

// Object returns what a Maker made.
func (v Value) Object() (t Tag, n int, ok bool) {
	t, ok = v.ref.(Tag)
	return t, int(v.num), ok
}

// Find returns the value of a key among keys and values in turn.
func Find(items []Value, key string) (Value, bool) {
	for i := 0; i+1 < len(items); i += 2 {
		if s, ok := items[i].Text(); ok && s == key {
			return items[i+1], true
		}
	}
	return Value{}, false
}
