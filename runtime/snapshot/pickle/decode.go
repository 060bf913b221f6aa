package pickle

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// Maker may put objects of its own in the place of dicts and lists.
type Maker interface {
	// Dict is shown a dict: its keys and values in turn. They are only
	// valid during the call. If the second result is true, the first one
	// takes the dict's place.
	Dict(items []Value) (Value, bool, error)
	// List is shown a list or tuple in the same way.
	List(items []Value) (Value, bool, error)
}

// Decode reads one pickle of protocol 2 to 5. What follows it is not looked at.
// The error is one line and tells the byte.
func Decode(r io.Reader, m Maker) (Value, error) {
	return decode(r, m, usual)
}

func decode(r io.Reader, m Maker, l limits) (Value, error) {
	in := &meter{from: r, most: l.bytes}
	d := &decoder{in: in, r: bufio.NewReaderSize(in, bufferSize), maker: m, limits: l}
	v, err := d.run()
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the pickle ends too early")
	}
	if err != nil {
		return Value{}, fmt.Errorf("byte %d: %w", d.offset(), err)
	}
	return v, nil
}

// decoder is the machine that a pickle is a program for.
type decoder struct {
	in    *meter
	r     *bufio.Reader
	maker Maker
	limits
	// spent is an estimate of the memory in use, and allowed what there may
	// be without looking how much was read.
	spent, allowed int64
	// high is the most that the stack has held.
	high int

	stack []Value
	// marks are heights of the stack.
	marks []int
	memo  memo
}

func (d *decoder) run() (Value, error) {
	if err := d.header(); err != nil {
		return Value{}, err
	}
	for {
		op, err := d.r.ReadByte()
		if err != nil {
			return Value{}, err
		}
		if op == opStop {
			return d.result()
		}
		step := steps[op]
		if step == nil {
			return Value{}, fmt.Errorf("unexpected step %#02x in a pickle of data", op)
		}
		if err := step(d); err != nil {
			return Value{}, err
		}
	}
}

// header reads the two bytes that every pickle from protocol 2 on begins with.
func (d *decoder) header() error {
	var head [2]byte
	if _, err := io.ReadFull(d.r, head[:]); err != nil {
		return err
	}
	if head[0] != opProto {
		return errors.New("not a pickle of protocol 2 to 5")
	}
	if head[1] < 2 || head[1] > 5 {
		return fmt.Errorf("a pickle of protocol %d, not 2 to 5", head[1])
	}
	return nil
}

func (d *decoder) result() (Value, error) {
	if len(d.stack) != 1 || len(d.marks) != 0 {
		return Value{}, fmt.Errorf("the pickle ends with %d values, not one", len(d.stack))
	}
	return d.stack[0], nil
}

// push puts a value on the stack.
func (d *decoder) push(v Value) error {
	d.stack = append(d.stack, v)
	if len(d.stack) > d.high {
		d.high = len(d.stack)
		return d.charge(valueSize)
	}
	return nil
}

// pop takes the values from height at on off the stack. They stay readable
// until the next push.
func (d *decoder) pop(at int) []Value {
	items := d.stack[at:]
	d.stack = d.stack[:at]
	return items
}

var errShort = errors.New("a step needs more values than there are")

// mark ends the values that belong to the next step and returns where they
// begin. Below them there must be room for the container.
func (d *decoder) mark() (int, error) {
	if len(d.marks) == 0 {
		return 0, errors.New("a step ends a group that nothing began")
	}
	at := d.marks[len(d.marks)-1]
	d.marks = d.marks[:len(d.marks)-1]
	if at > len(d.stack) {
		return 0, errShort
	}
	return at, nil
}

// floor is where the present group begins: nothing below may be touched.
func (d *decoder) floor() int {
	if len(d.marks) == 0 {
		return 0
	}
	return d.marks[len(d.marks)-1]
}
