package pickle

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// plain makes nothing of its own.
type plain struct{}

func (plain) Dict([]Value) (Value, bool, error) { return Value{}, false, nil }
func (plain) List([]Value) (Value, bool, error) { return Value{}, false, nil }

func read(steps string) (Value, error) { return Decode(strings.NewReader(steps), plain{}) }

// goValue spells a value with Go's own types.
func goValue(t *testing.T, v Value) any {
	switch x := v.ref.(type) {
	case nil:
		return nil
	case string:
		return x
	case *List, *Dict:
		return goItems(t, v)
	}
	if n, ok := v.Int(); ok {
		return n
	}
	if f, ok := v.Float(); ok {
		return f
	}
	if b, ok := v.Bool(); ok {
		return b
	}
	if v.ref == blob {
		return "bytes"
	}
	return goItems(t, v)
}

func goItems(t *testing.T, v Value) any {
	if items, ok := v.List(); ok {
		out := []any{}
		for _, i := range items {
			out = append(out, goValue(t, i))
		}
		return out
	}
	items, ok := v.Dict()
	require.True(t, ok)
	out := map[any]any{}
	for i := 0; i < len(items); i += 2 {
		out[goValue(t, items[i])] = goValue(t, items[i+1])
	}
	return out
}

// TestData reads each sort of data as Python writes it.
func TestData(t *testing.T) {
	type list = []any
	type dict = map[any]any
	for _, c := range []struct {
		name, steps string
		want        any
	}{
		{"None", "\x80\x02N.", nil},
		{"True", "\x80\x02\x88.", true},
		{"False", "\x80\x02\x89.", false},
		{"1 byte", "\x80\x04K\xff.", int64(255)},
		{"2 bytes", "\x80\x04M\xff\xff.", int64(65535)},
		{"4 bytes", "\x80\x04\x95\x06\x00\x00\x00\x00\x00\x00\x00J\xff\xff\xff\xff.", int64(-1)},
		{"long", "\x80\x02\x8a\x06\x00\x00\x00\x00\xaa\x7f.", int64(0x7faa00000000)},
		{"long, negative", "\x80\x02\x8a\x05\x00\x00\x00\x00\xff.", int64(-1 << 32)},
		{"long of no bytes", "\x80\x02\x8a\x00.", int64(0)},
		{"2^64-1", "\x80\x02\x8a\x09\xff\xff\xff\xff\xff\xff\xff\xff\x00.", int64(math.MaxInt64)},
		{"float", "\x80\x04G?\xe3333333.", 0.6},
		{"text", "\x80\x04\x8c\x02hi\x94.", "hi"},
		{"text of protocol 2", "\x80\x02X\x02\x00\x00\x00hiq\x00.", "hi"},
		{"text of 8 bytes length", "\x80\x04\x8d\x02\x00\x00\x00\x00\x00\x00\x00hi.", "hi"},
		{"bytes", "\x80\x03C\x02hiq\x00.", "bytes"},
		{"bytes of 4 bytes length", "\x80\x03B\x02\x00\x00\x00hi.", "bytes"},
		{"list", "\x80\x04]\x94(K\x01K\x02e.", list{int64(1), int64(2)}},
		{"list of one", "\x80\x04]\x94K\x01a.", list{int64(1)}},
		{"list in groups", "\x80\x04](K\x01K\x02e(K\x03eK\x04a.", list{int64(1), int64(2), int64(3), int64(4)}},
		{"empty list", "\x80\x04]\x94.", list{}},
		{"dict", "\x80\x04}\x94(\x8c\x01aK\x01\x8c\x01bK\x02u.", dict{"a": int64(1), "b": int64(2)}},
		{"dict of one", "\x80\x04}\x94\x8c\x01aK\x01s.", dict{"a": int64(1)}},
		{"dict in groups", "\x80\x04}(\x8c\x01aK\x01u\x8c\x01bK\x02s.", dict{"a": int64(1), "b": int64(2)}},
		{"empty dict", "\x80\x04}.", dict{}},
		{"a list twice", "\x80\x02]q\x00(]q\x01K\x01ah\x01e.", list{list{int64(1)}, list{int64(1)}}},
		{"an empty list twice", "\x80\x04]\x94(]\x94h\x01e.", list{list{}, list{}}},
		{"4 bytes of memo", "\x80\x02](X\x01\x00\x00\x00ar\x00\x00\x00\x00j\x00\x00\x00\x00e.", list{"a", "a"}},
		{"memo with gaps", "\x80\x02](X\x01\x00\x00\x00aq\x07h\x07e.", list{"a", "a"}},
		{"protocol 5", "\x80\x05\x95\x02\x00\x00\x00\x00\x00\x00\x00K\x01.", int64(1)},
		{"more behind it", "\x80\x04K\x01.garbage", int64(1)},
	} {
		v, err := read(c.steps)
		require.NoError(t, err, c.name)
		require.Equal(t, c.want, goValue(t, v), c.name)
	}
}

func TestTuples(t *testing.T) {
	v, err := read("\x80\x04()K\x01\x85K\x02K\x03\x86K\x04K\x05K\x06\x87(K\x07K\x08K\x09K\x0att.")
	require.NoError(t, err)
	one := func(n ...int64) []any {
		out := []any{}
		for _, i := range n {
			out = append(out, i)
		}
		return out
	}
	require.Equal(t, []any{one(), one(1), one(2, 3), one(4, 5, 6), one(7, 8, 9, 10)}, goValue(t, v))
}

// TestCutAnywhere reads every beginning of a pickle.
func TestCutAnywhere(t *testing.T) {
	whole := "\x80\x04\x95\x20\x00\x00\x00\x00\x00\x00\x00}\x94(\x8c\x01a\x94]\x94(K\x01J\x00\x00\x00\x01e\x8c\x01b\x94G?\xe3333333u."
	_, err := read(whole)
	require.NoError(t, err)
	for n := range len(whole) {
		_, err := read(whole[:n])
		require.ErrorContains(t, err, "the pickle ends too early", "%d bytes", n)
	}
	_, err = Decode(iotest.OneByteReader(strings.NewReader(whole)), plain{})
	require.NoError(t, err)
	_, err = Decode(iotest.ErrReader(io.ErrClosedPipe), plain{})
	require.ErrorIs(t, err, io.ErrClosedPipe)
}

// TestDepth reads a million lists in each other.
func TestDepth(t *testing.T) {
	const n = 1_000_000
	v, err := read("\x80\x04" + strings.Repeat("]", n) + strings.Repeat("a", n-1) + ".")
	if err == nil {
		items, ok := v.List()
		require.True(t, ok)
		require.Len(t, items, 1)
	} else {
		require.ErrorContains(t, err, "far more memory")
	}
	_, err = read("\x80\x04" + strings.Repeat("(", n) + ".")
	require.ErrorContains(t, err, "not one")
}

// TestLongText reads a text that is longer than the buffer.
func TestLongText(t *testing.T) {
	text := strings.Repeat("0123456789", 10_000)
	b := binary.LittleEndian.AppendUint32([]byte("\x80\x04X"), uint32(len(text)))
	v, err := Decode(bytes.NewReader(append(append(b, text...), '.')), plain{})
	require.NoError(t, err)
	s, _ := v.Text()
	require.Equal(t, text, s)
}

// numbers puts an object in the place of each dict with a key n.
type numbers struct{ seen []int64 }

func (n *numbers) Dict(items []Value) (Value, bool, error) {
	v, ok := Find(items, "n")
	if !ok {
		return Value{}, false, nil
	}
	i, isInt := v.Int()
	if !isInt {
		return Value{}, true, errors.New("n is no number")
	}
	n.seen = append(n.seen, i)
	return Object(7, len(n.seen)-1), true, nil
}

func (n *numbers) List([]Value) (Value, bool, error) { return Value{}, false, nil }

// TestMaker makes objects of dicts, which the memo has then, too.
func TestMaker(t *testing.T) {
	m := &numbers{}
	v, err := Decode(strings.NewReader("\x80\x04]\x94(}\x94\x8c\x01n\x94K\x05sh\x01}\x94(h\x02K\x06u}\x94N\x88se."), m)
	require.NoError(t, err)
	require.Equal(t, []int64{5, 6}, m.seen)
	items, _ := v.List()
	require.Len(t, items, 4)
	for i, want := range []int{0, 0, 1} {
		tag, n, ok := items[i].Object()
		require.True(t, ok)
		require.Equal(t, Tag(7), tag)
		require.Equal(t, want, n)
	}
	_, _, ok := items[3].Object()
	require.False(t, ok)

	_, err = Decode(strings.NewReader("\x80\x04}\x8c\x01nNs."), m)
	require.ErrorContains(t, err, "n is no number")
	_, err = Decode(strings.NewReader("\x80\x04}(\x8c\x01nK\x01u\x8c\x01mK\x01s."), m)
	require.ErrorContains(t, err, "keys for something that is no dict")
}

// FuzzDecode tries anything. Whatever comes out can be walked through.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		"\x80\x04]\x94(K\x01K\x02e.", "\x80\x02}q\x00(X\x01\x00\x00\x00aq\x01]q\x02h\x01ah\x01h\x02u.",
		"\x80\x04()K\x01\x85K\x02K\x03\x86t.", "\x80\x02cos\nsystem\n.", "\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\x7fab.",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, steps []byte) {
		v, err := Decode(bytes.NewReader(steps), plain{})
		if err != nil {
			require.NotContains(t, err.Error(), "\n")
			return
		}
		v.List()
		v.Dict()
	})
}
