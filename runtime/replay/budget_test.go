package replay

import (
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// endless repeats a text for ever.
type endless struct {
	text string
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.text[e.at]
		e.at = (e.at + 1) % len(e.text)
	}
	return len(p), nil
}

// TestHugeValue reads values without an end. Each is refused after a bounded
// amount, with bounded memory.
func TestHugeValue(t *testing.T) {
	for start, c := range map[string]struct{ text, want string }{
		"":                         {" ", "one value of more than 16 MiB"},
		`{"summary":"`:             {"x", `"summary": one value of more than 16 MiB`},
		`{"x":[`:                   {"[],", `"x": one value of more than 16 MiB`},
		`{"stats":{`:               {`"a":1,`, `"stats": one value of more than 16 MiB`},
		`{"segments":[{"blocks":[`: {"{},", `"segments": element 0: one value of more than 16 MiB`},
	} {
		before := allocated()
		_, err := Decode(io.MultiReader(strings.NewReader(start), &endless{text: c.text}))
		require.EqualError(t, err, c.want, start)
		require.Less(t, allocated()-before, uint64(1<<30), start)
	}
}

// TestHugeText reads lists without an end, under a smaller limit.
func TestHugeText(t *testing.T) {
	for start, text := range map[string]string{
		`{"segments":[`: `{"blocks":[{}]},`,
		`{"ops":[`:      `{"op":"free","counters":[1]},`,
		`{"events":[`:   `{"action":"alloc"},`,
	} {
		r := newReader(io.MultiReader(strings.NewReader(start), &endless{text: text}))
		r.budget.whole = 4 << 20
		before := allocated()
		err := r.trace(new(Trace))
		require.ErrorContains(t, err, "more than 256 MiB of text", start)
		require.Less(t, allocated()-before, uint64(256<<20), start)
	}
}

// allocated is what was ever allocated, garbage too.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
