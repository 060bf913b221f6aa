package svg

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/dustin/go-humanize"
	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/timeline"
)

func drawn(t *testing.T, recordings ...*timeline.Recording) string {
	var b strings.Builder
	require.NoError(t, WriteAll(&b, recordings, Options{}))
	return b.String()
}

// textsOf reads a picture as a browser does, and returns what stands in its
// elements.
func textsOf(t *testing.T, picture string) map[string][]string {
	texts := map[string][]string{}
	var open []string
	for d := xml.NewDecoder(strings.NewReader(picture)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return texts
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			open = append(open, token.Name.Local)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if n := len(open); n > 0 {
				texts[open[n-1]] = append(texts[open[n-1]], string(token))
			}
		}
	}
}

func TestPictureSaysWhatItShows(t *testing.T) {
	r := leaking(t, 10)
	c := r.Curves()
	last := len(r.Events) - 1
	texts := textsOf(t, drawn(t, r))
	require.Equal(t, []string{"a leak"}, texts["title"])
	description := strings.Join(texts["desc"], "")
	for _, part := range []string{
		"a leak: the peak is " + humanize.Comma(c.Peak[last]) + " bytes",
		humanize.Comma(c.Allocated[last]) + " bytes in 11 allocations are still held",
		humanize.Comma(c.Reserved[last]) + " bytes are reserved",
		"outs.append(model(x)): 10 rounds, each ends about 4 MiB higher",
	} {
		require.Contains(t, description, part)
	}
	for _, text := range []string{
		"model = Linear()", "outs.append(model(x))", "peak 50 MiB", "48 MiB", "piled up 40 MiB",
		"outs ×10 40 MiB", "weight 8 MiB", "reserved 60 MiB", "piles up, round after round",
	} {
		require.Contains(t, texts["text"], text)
	}
	require.Contains(t, drawn(t, r), `role="img" aria-labelledby="t d"`)
}

func TestLoopWithoutLeakHasNoGrowth(t *testing.T) {
	texts := textsOf(t, drawn(t, fixed(t, 10)))
	require.Contains(t, texts["text"], "10 rounds, no growth")
	require.NotContains(t, strings.Join(texts["text"], "\n"), "piled up", "the tensor of the last round is no leak")
}

func TestTextsAreEscaped(t *testing.T) {
	const nasty = `</script><img src=x onerror="a&b">`
	p := newProgram(t, nasty)
	p.malloc(nasty, 64*mib)
	p.statement(nasty + "\x00")
	picture := drawn(t, p.recording)
	require.NotContains(t, picture, "<img")
	require.NotContains(t, picture, "</script")
	texts := textsOf(t, picture)
	require.Equal(t, []string{nasty}, texts["title"])
	require.Contains(t, texts["text"], nasty+" 64 MiB", "the label of the band")
	require.Contains(t, texts["text"], nasty+"\uFFFD", "the statement")
}

func TestSameRecordingSameBytes(t *testing.T) {
	for seed := range uint64(5) {
		require.Equal(t, drawn(t, random(t, seed, 300)), drawn(t, random(t, seed, 300)))
	}
}

// TestLongHistoriesStaySmall draws what has far more events than columns.
func TestLongHistoriesStaySmall(t *testing.T) {
	r := random(t, 3, 30_000)
	picture := drawn(t, r)
	require.Less(t, len(picture), 60_000)
	texts := textsOf(t, picture)
	require.Contains(t, strings.Join(texts["text"], "\n"), "Too small for bands of their own, drawn together: ")
	require.Contains(t, texts["text"], "peak "+size(r.Curves().Peak[len(r.Events)-1]))
}

// TestManyStepsStaySmall has a queue: whenever the oldest goes, all others move.
func TestManyStepsStaySmall(t *testing.T) {
	p := newProgram(t, "a queue")
	for range 400 {
		p.held = append(p.held, p.malloc("x", 2*mib))
		if len(p.held) > 40 {
			p.free(p.held[0])
			p.held = p.held[1:]
		}
	}
	require.Less(t, len(drawn(t, p.recording)), 60_000)
}

// TestThinningLosesNoPeak has one moment among thousands at which most is held.
func TestThinningLosesNoPeak(t *testing.T) {
	p := newProgram(t, "a spike")
	for i := range 6000 {
		b := p.malloc("x", mib)
		if i == 2345 {
			p.free(p.malloc("spike", 77*mib))
		}
		p.free(b)
	}
	peak := p.allocator.Stats().AllocatedBytes.All.Peak
	require.Contains(t, textsOf(t, drawn(t, p.recording))["text"], "peak "+size(peak))
}

func TestCompareSaysWhatIsSaved(t *testing.T) {
	var b strings.Builder
	require.NoError(t, Compare(&b, leaking(t, 10), fixed(t, 10), Options{Title: "Both"}))
	texts := textsOf(t, b.String())
	require.Equal(t, []string{"Both"}, texts["title"])
	require.Contains(t, texts["text"], "a leak")
	require.Contains(t, texts["text"], "no leak")
	require.Contains(t, texts["text"], "the peak on the left")
	require.Contains(t, texts["text"], "peak 32 MiB lower (64 %)")
	require.Contains(t, strings.Join(texts["desc"], ""), "The second peak is 33,554,432 bytes lower, by 64 %.")
}

func TestCompareHasOneScale(t *testing.T) {
	p := newPair(leaking(t, 10), fixed(t, 4), Options{})
	for _, bytes := range []int64{0, mib, 40 * mib} {
		require.InDelta(t, p.panels[0].level(bytes), p.panels[1].level(bytes), 0)
	}
}

func TestCompareOfEquals(t *testing.T) {
	var b strings.Builder
	require.NoError(t, Compare(&b, fixed(t, 4), fixed(t, 4), Options{}))
	require.Contains(t, b.String(), "The peaks are equal.")
	require.NotContains(t, b.String(), " lower (")
}

// A recording may be empty, begin in the middle, or have no statements.
func TestOddRecordings(t *testing.T) {
	whole := random(t, 1, 200)
	half := &timeline.Recording{Title: "half", Start: whole.SegmentsAt(99), Events: whole.Events[100:]}
	for name, r := range map[string]*timeline.Recording{
		"empty":         {},
		"one statement": {Statements: []timeline.Statement{{Text: "import torch"}}},
		"no statements": {Events: whole.Events},
		"half":          half,
	} {
		t.Run(name, func(t *testing.T) {
			picture := drawn(t, r)
			textsOf(t, picture)
			require.NotContains(t, picture, "NaN")
			require.NotContains(t, picture, "Inf")
		})
	}
	require.NotEmpty(t, drawn(t), "no recordings at all")
}

func TestWriterFails(t *testing.T) {
	err := Write(broken{}, leaking(t, 3), Options{})
	require.ErrorIs(t, err, errBroken)
	require.EqualError(t, err, "picture: the disk is full")
}

var errBroken = errors.New("the disk is full")

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestUnits(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 512: "512 B", 1536: "1.5 KiB", mib: "1 MiB", 3 << 30: "3 GiB"} {
		require.Equal(t, want, size(n))
	}
	for _, top := range []int64{1, 1000, 7 * mib, 140 << 30} {
		require.LessOrEqual(t, top/tickStep(top), int64(mostTicks), fmt.Sprint(top))
	}
	require.Equal(t, "abc", cut("abc", 3))
	require.Equal(t, "ab…", cut("abcd", 3))
	require.Equal(t, "…", cut("abcd", 0))
}
