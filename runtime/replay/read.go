package replay

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

const (
	// maxText is how many bytes of JSON a trace may have, unpacked. It is
	// some 600,000 operations.
	maxText = 256 << 20
	// maxValue is how many bytes one operation, event or segment may have.
	// It bounds the memory that a hostile file can take.
	maxValue = 16 << 20
)

// Read reads the trace in a file of JSON, packed with gzip or plain. An error
// is one line that names the file.
func Read(file string) (*Trace, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := Decode(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return t, nil
}

// Decode reads a trace. It takes at most a few times the memory of its text,
// and refuses what is too long, incomplete or no trace.
func Decode(r io.Reader) (*Trace, error) {
	text, err := unpack(r)
	if err != nil {
		return nil, explain(err)
	}
	t := new(Trace)
	if err := newReader(text).trace(t); err != nil {
		return nil, explain(err)
	}
	if err := t.check(); err != nil {
		return nil, foreign(err.Error())
	}
	return t, nil
}

// unpack looks at the first bytes to see whether they are gzip's.
func unpack(r io.Reader) (io.Reader, error) {
	b := bufio.NewReader(r)
	if start, _ := b.Peek(2); bytes.Equal(start, []byte{0x1f, 0x8b}) {
		return gzip.NewReader(b)
	}
	return b, nil
}

// reader reads the text of a trace value by value.
type reader struct {
	*json.Decoder
	budget *budget
}

func newReader(text io.Reader) *reader {
	b := &budget{from: text, whole: maxText, value: maxValue}
	return &reader{json.NewDecoder(b), b}
}

// trace reads the one object that the text is.
func (r *reader) trace(t *Trace) error {
	parts := map[string]func() error{
		"conf":         r.value(&t.Conf),
		"total_memory": r.value(&t.TotalMemory),
		"fraction":     r.value(&t.Fraction),
		"streams":      r.value(&t.Streams),
		"columns":      r.value(&t.Columns),
		"stats":        r.value(&t.Stats),
		"summary":      r.value(&t.Summary),
		"ops":          list(r, &t.Ops),
		"events":       list(r, &t.Events),
		"segments":     list(r, &t.Segments),
	}
	if err := r.expect('{'); err != nil {
		return err
	}
	for r.More() {
		key, err := r.Token()
		if err != nil {
			return err
		}
		name := key.(string) // a key is nothing else
		read, known := parts[name]
		if !known {
			read = r.value(new(json.RawMessage))
		}
		if err := read(); err != nil {
			return within(strconv.Quote(name), err)
		}
		delete(parts, name)
	}
	if err := r.expect('}'); err != nil {
		return err
	}
	for _, needed := range []string{"columns", "ops", "streams", "events", "segments", "stats", "summary"} {
		if _, missing := parts[needed]; missing {
			return foreign(fmt.Sprintf("it has no %q", needed))
		}
	}
	return r.end()
}

// value returns a function that reads one value.
func (r *reader) value(into any) func() error {
	return func() error {
		r.budget.renew()
		return plainly(r.Decode(into))
	}
}

// list returns a function that reads a list element by element.
func list[T any](r *reader, into *[]T) func() error {
	return func() error {
		if err := r.expect('['); err != nil {
			return err
		}
		for r.More() {
			var element T
			if err := r.value(&element)(); err != nil {
				return within(fmt.Sprintf("element %d", len(*into)), err)
			}
			*into = append(*into, element)
		}
		return r.expect(']')
	}
}

// expect reads a bracket.
func (r *reader) expect(want json.Delim) error {
	r.budget.renew()
	got, err := r.Token()
	if err == nil && got != want {
		err = foreign(fmt.Sprintf("%.40q where %q is due", fmt.Sprint(got), want.String()))
	}
	return err
}

// end makes sure that nothing follows.
func (r *reader) end() error {
	_, err := r.Token()
	switch err {
	case io.EOF:
		return nil
	case nil:
		return foreign("something follows its end")
	default:
		return err
	}
}

// foreign is an error of a file that is something else.
type foreign string

func (f foreign) Error() string { return "not a recorded trace: " + string(f) }

// plainly says what is wrong with a value without the names of Go's types.
func plainly(err error) error {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return err
	}
	what := "it"
	if wrong.Field != "" {
		what = strconv.Quote(wrong.Field)
	}
	return foreign(fmt.Sprintf("%s cannot be %.40s", what, article(wrong.Value)))
}

// article puts the right one before the name of a JSON value.
func article(value string) string {
	if strings.HasPrefix(value, "array") || strings.HasPrefix(value, "object") {
		return "an " + value
	}
	return "a " + value
}

// within says where an error is.
func within(place string, err error) error {
	var f foreign
	if errors.As(err, &f) {
		return foreign(place + ": " + string(f))
	}
	return fmt.Errorf("%s: %w", place, err)
}

// explain spells an error of reading as one line for people.
func explain(err error) error {
	var syntax *json.SyntaxError
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("not a whole trace: it ends too early")
	case errors.As(err, &syntax):
		return foreign(fmt.Sprintf("%v at byte %d", err, syntax.Offset))
	case errors.As(err, &corrupt), errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader):
		return fmt.Errorf("damaged: %w", err)
	default:
		return err
	}
}
