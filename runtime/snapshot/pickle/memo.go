package pickle

import "fmt"

// memo holds the values that a pickle uses again. Writers number them from zero
// on, so they are a list; a writer that leaves out numbers fills a map.
type memo struct {
	dense  []Value
	sparse map[uint64]Value
}

// used marks an empty container in the memo that is part of something already:
// filling it now would change that too. Only what contains itself does so.
const used = 1 << 63

func (m *memo) find(n uint64) (Value, bool) {
	if n < uint64(len(m.dense)) {
		return m.dense[n], true
	}
	v, ok := m.sparse[n]
	return v, ok
}

func (m *memo) set(n uint64, v Value) {
	switch {
	case n < uint64(len(m.dense)):
		m.dense[n] = v
	case n == uint64(len(m.dense)):
		m.dense = append(m.dense, v)
	default:
		if m.sparse == nil {
			m.sparse = map[uint64]Value{}
		}
		m.sparse[n] = v
	}
}

// memoize keeps the top of the stack under the next number.
func (d *decoder) memoize() error {
	return d.keep(uint64(len(d.memo.dense) + len(d.memo.sparse)))
}

func (d *decoder) put(width int) error {
	n, err := d.size(width)
	if err != nil {
		return err
	}
	return d.keep(n)
}

func (d *decoder) keep(n uint64) error {
	if len(d.stack) == d.floor() {
		return errShort
	}
	if _, ok := d.memo.find(n); ok {
		return fmt.Errorf("memo %d is used for two values", n)
	}
	top := &d.stack[len(d.stack)-1]
	if top.ref == emptyList || top.ref == emptyDict {
		top.num = n + 1
	}
	d.memo.set(n, *top)
	return d.charge(2 * valueSize)
}

func (d *decoder) get(width int) error {
	n, err := d.size(width)
	if err != nil {
		return err
	}
	v, ok := d.memo.find(n)
	if !ok {
		return fmt.Errorf("memo %d has no value", n)
	}
	if v.ref == emptyList || v.ref == emptyDict {
		d.memo.set(n, Value{v.ref, v.num | used})
		v.num = 0
	}
	return d.push(v)
}

// replace puts a filled container where the empty one was.
func (d *decoder) replace(empty *Value, full Value) error {
	if n := empty.num; n != 0 {
		if kept, _ := d.memo.find(n - 1); kept.num&used != 0 {
			return fmt.Errorf("memo %d contains itself", n-1)
		}
		d.memo.set(n-1, full)
	}
	*empty = full
	return nil
}
