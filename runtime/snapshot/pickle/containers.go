package pickle

import (
	"errors"
	"slices"
)

// begin marks where the values of the next container begin.
func (d *decoder) begin() error {
	d.marks = append(d.marks, len(d.stack))
	return d.charge(8)
}

// append adds one value to a list.
func (d *decoder) append() error {
	if len(d.stack) < d.floor()+2 {
		return errShort
	}
	at := len(d.stack) - 1
	return d.extend(at, d.pop(at))
}

// appends adds all values since the mark to a list.
func (d *decoder) appends() error {
	at, err := d.mark()
	if err != nil {
		return err
	}
	if at < d.floor()+1 {
		return errShort
	}
	return d.extend(at, d.pop(at))
}

// extend adds items to the list below them.
func (d *decoder) extend(at int, items []Value) error {
	list := &d.stack[at-1]
	switch l := list.ref.(type) {
	case *List:
		if err := d.charge(valueSize * int64(len(items))); err != nil {
			return err
		}
		l.Items = append(l.Items, items...)
		return nil
	case kind:
		if l == emptyList {
			return d.fill(list, items, d.listOf)
		}
	}
	return errors.New("items for something that is no list")
}

// fill makes a container of its first items. Python writes a thousand at a
// time.
func (d *decoder) fill(empty *Value, items []Value, make func([]Value) (Value, error)) error {
	full, err := make(items)
	if err != nil {
		return err
	}
	return d.replace(empty, full)
}

func (d *decoder) listOf(items []Value) (Value, error) {
	made, ok, err := d.maker.List(items)
	if err != nil {
		return Value{}, err
	}
	if err := d.charge(objectSize); ok || err != nil {
		return made, err
	}
	return Value{ref: &List{slices.Clone(items)}}, d.charge(valueSize * int64(len(items)))
}

func (d *decoder) dictOf(items []Value) (Value, error) {
	made, ok, err := d.maker.Dict(items)
	if err != nil {
		return Value{}, err
	}
	if err := d.charge(objectSize); ok || err != nil {
		return made, err
	}
	return Value{ref: &Dict{slices.Clone(items)}}, d.charge(valueSize * int64(len(items)))
}

// setItem adds one key and its value to a dict.
func (d *decoder) setItem() error {
	if len(d.stack) < d.floor()+3 {
		return errShort
	}
	at := len(d.stack) - 2
	return d.update(at, d.pop(at))
}

// setItems adds all keys and values since the mark to a dict.
func (d *decoder) setItems() error {
	at, err := d.mark()
	if err != nil {
		return err
	}
	if at < d.floor()+1 {
		return errShort
	}
	return d.update(at, d.pop(at))
}

// update adds keys and values to the dict below them.
func (d *decoder) update(at int, items []Value) error {
	if len(items)%2 != 0 {
		return errors.New("a key without a value")
	}
	dict := &d.stack[at-1]
	switch t := dict.ref.(type) {
	case *Dict:
		if err := d.charge(valueSize * int64(len(items))); err != nil {
			return err
		}
		t.Items = append(t.Items, items...)
		return nil
	case kind:
		if t == emptyDict {
			return d.fill(dict, items, d.dictOf)
		}
	}
	return errors.New("keys for something that is no dict")
}

// tuple makes a tuple of all values since the mark.
func (d *decoder) tuple() error {
	at, err := d.mark()
	if err != nil {
		return err
	}
	return d.tupleOf(len(d.stack) - at)
}

// tupleOf makes a tuple of the last n values.
func (d *decoder) tupleOf(n int) error {
	if len(d.stack) < d.floor()+n {
		return errShort
	}
	v, err := d.listOf(d.pop(len(d.stack) - n))
	if err != nil {
		return err
	}
	return d.push(v)
}
