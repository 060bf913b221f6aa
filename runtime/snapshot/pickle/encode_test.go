package pickle

import (
	"bytes"
	"math"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// keep makes no objects.
type keep struct{}

func (keep) Dict([]Value) (Value, bool, error) { return Value{}, false, nil }
func (keep) List([]Value) (Value, bool, error) { return Value{}, false, nil }

// reread writes something and reads it again.
func reread(t require.TestingT, write func(*Encoder)) Value {
	var out bytes.Buffer
	e := NewEncoder(&out)
	write(e)
	require.NoError(t, e.Close())
	v, err := Decode(&out, keep{})
	require.NoError(t, err)
	return v
}

func TestNumbersAgain(t *testing.T) {
	for shift := range 63 {
		for d := int64(-2); d <= 2; d++ {
			for _, n := range []int64{1<<shift + d, -1<<shift + d} {
				got, ok := reread(t, func(e *Encoder) { e.Int(n) }).Int()
				require.True(t, ok)
				require.Equal(t, n, got)
			}
		}
	}
	for _, n := range []uint64{0, 255, math.MaxInt64, math.MaxUint64} {
		got, _ := reread(t, func(e *Encoder) { e.Uint(n) }).Int()
		require.EqualValues(t, min(n, math.MaxInt64), got, "what is more is no bound to the decoder")
	}
	for _, x := range []float64{0, 1, -0.5, math.Pi, math.Inf(1)} {
		got, _ := reread(t, func(e *Encoder) { e.Float(x) }).Float()
		require.Equal(t, x, got)
	}
}

// TestRandomDataAgain writes lists of texts and numbers, many of them twice.
func TestRandomDataAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.String(), 0, 700).Draw(t, "texts")
		numbers := rapid.SliceOfN(rapid.Int64(), 0, 2500).Draw(t, "numbers")
		v := reread(t, func(e *Encoder) {
			e.Dict(func() {
				e.Text("texts")
				e.List(2*len(texts), func(i int) { e.Text(texts[i/2]) })
				e.Text("numbers")
				e.List(len(numbers), func(i int) { e.Int(numbers[i]) })
				e.Text("both")
				e.List(2, func(i int) { e.Pair(int64(i), -1) })
				e.Text("nothing")
				e.None()
				e.Text("true")
				e.Bool(true)
			})
		})
		items, ok := v.Dict()
		require.True(t, ok)
		list := func(key string) []Value {
			found, _ := Find(items, key)
			values, ok := found.List()
			require.True(t, ok)
			return values
		}
		require.Len(t, list("texts"), 2*len(texts))
		for i, got := range list("texts") {
			s, _ := got.Text()
			require.Equal(t, texts[i/2], s)
		}
		require.Len(t, list("numbers"), len(numbers))
		for i, got := range list("numbers") {
			n, _ := got.Int()
			require.Equal(t, numbers[i], n)
		}
		pair, _ := list("both")[1].List()
		require.Len(t, pair, 2)
		nothing, _ := Find(items, "nothing")
		require.True(t, nothing.IsNone())
	})
}

// TestTextsThatPythonReads writes what is no UTF-8, and asks Python.
func TestTextsThatPythonReads(t *testing.T) {
	require.Equal(t, "a\ufffdb", decodable("a\xffb"))
	require.Equal(t, "\xed\xb2\x80", decodable("\xed\xb2\x80"), "half a character, as Python spells it")
	require.Equal(t, "\ufffd\ufffd", decodable("\xed\xb2"))
	require.Equal(t, "\ufffd", decodable("\ufffd"))
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 on this machine: it is what reads the texts")
	}
	var out bytes.Buffer
	e := NewEncoder(&out)
	e.List(3, func(i int) { e.Text([]string{"a\xffb", "\xed\xb2\x80", strings.Repeat("ä", 200)}[i]) })
	require.NoError(t, e.Close())
	c := exec.Command(python, "-c", `import pickle, sys; assert pickle.load(sys.stdin.buffer) == ["a\ufffdb", "\udc80", "ä" * 200]`)
	c.Stdin = &out
	said, err := c.CombinedOutput()
	require.NoError(t, err, "%s", said)
}
