package report_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/report"
)

// moments draws memory in any state. The names come from a generator; each block
// has the name of its own that the generator gives.
func moments(t *rapid.T, name *rapid.Generator[string]) report.Moment {
	m := report.Moment{Title: rapid.StringN(0, 20, -1).Draw(t, "title"), Names: map[gpu.Ptr]string{}}
	at := gpu.Ptr(1 << 40)
	for range rapid.IntRange(0, 12).Draw(t, "segments") {
		var blocks []caching.BlockRecord
		for range rapid.IntRange(1, 12).Draw(t, "blocks") {
			blocks = append(blocks, caching.BlockRecord{
				Size:  512 * rapid.Int64Range(1, 100_000).Draw(t, "size"),
				State: rapid.SampledFrom([]caching.BlockState{caching.ActiveAllocated, caching.ActivePendingFree, caching.Inactive}).Draw(t, "state"),
			})
		}
		s := segment(at, rapid.SampledFrom([]string{"small", "large"}).Draw(t, "pool"), blocks...)
		s.IsExpandable = rapid.Bool().Draw(t, "expandable")
		s.Stream = gpu.Stream(rapid.SampledFrom([]int{0, 0, 0x5500001234}).Draw(t, "stream"))
		for _, b := range s.Blocks {
			if n := name.Draw(t, "name"); n != "" {
				m.Names[b.Address] = n
			}
		}
		m.Segments = append(m.Segments, s)
		at += gpu.Ptr(s.TotalSize + 512*rapid.Int64Range(1, 100_000).Draw(t, "gap"))
	}
	return m
}

// hostile names have whatever a terminal might obey.
var hostile = rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
	"\x1b]0;title\x07", "\x1b[2J", "a\nb", "a\r", "\u202egnp", strings.Repeat("x", 200), strings.Repeat("広", 200), "\xff\xfe", "\u0301\u0301", "👨‍👩‍👧‍👦",
}))

// TestNoLineIsTooWide holds for every style, width and name, and nothing but our
// own colours reaches the terminal.
func TestNoLineIsTooWide(t *testing.T) {
	ours := regexp.MustCompile(`\x1b\[[0-9]{1,2}m`)
	rapid.Check(t, func(t *rapid.T) {
		before, after := moments(t, hostile), moments(t, hostile)
		width := rapid.IntRange(0, 220).Draw(t, "width")
		style := rapid.SampledFrom([]func(int) report.Style{report.Plain, report.Colour, report.Blocks}).Draw(t, "style")(width)
		for _, text := range []string{style.Map(before), style.Compare(before, after)} {
			for _, line := range strings.Split(text, "\n") {
				if w := ansi.StringWidth(line); w > width {
					t.Fatalf("%d columns of %d: %q", w, width, line)
				}
				for _, r := range ours.ReplaceAllString(line, "") {
					if r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x202e {
						t.Fatalf("%q reaches the terminal: %q", r, line)
					}
				}
			}
		}
	})
}

var (
	bars = regexp.MustCompile(`(?m)^ .*\[([#~._]*)\] +\d.*?(?: x (\d+))?$`)
	unit = regexp.MustCompile(`(\d+) (B|KiB|MiB|GiB) a character`)
)

// TestBarsAreProportional reads the bars back: each has a character for each unit
// of bytes, and those of allocated memory are where the blocks are.
func TestBarsAreProportional(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := moments(t, rapid.Just(""))
		for i := range m.Segments {
			m.Segments[i].IsExpandable = false // each is a bar of its own
		}
		text := report.Plain(rapid.IntRange(80, 200).Draw(t, "width")).Map(m)
		if len(m.Segments) == 0 {
			return
		}
		scale := bytesOf(t, text)
		drawn := drawnBars(text)
		require.Len(t, drawn, len(m.Segments))
		blocks := 0
		for i, s := range m.Segments {
			require.Equal(t, expected(s, scale), drawn[i])
			for _, b := range s.Blocks {
				if b.State == caching.ActiveAllocated {
					blocks++
				}
			}
		}
		if blocks > 0 {
			counted := strings.Join(strings.Fields(strings.SplitN(text, "reserved pool", 2)[0]), " ")
			require.Regexp(t, fmt.Sprintf(`in %d blocks?$`, blocks), strings.TrimSpace(counted))
		}
	})
}

// expected draws a bar the slow way: character by character.
func expected(s caching.Segment, scale int64) string {
	var bar strings.Builder
	for from := int64(0); from < s.TotalSize; from += scale {
		mark := '_'
		for _, b := range s.Blocks {
			start := int64(b.Address - s.Address)
			if start >= from+scale || start+b.Size <= from {
				continue
			}
			switch {
			case b.State == caching.ActiveAllocated:
				mark = '#'
			case b.State == caching.ActivePendingFree && mark != '#':
				mark = '~'
			case mark == '_':
				mark = '.'
			}
		}
		bar.WriteRune(mark)
	}
	return bar.String()
}

func bytesOf(t require.TestingT, text string) int64 {
	found := unit.FindStringSubmatch(text)
	require.NotNil(t, found, text)
	n, err := strconv.ParseInt(found[1], 10, 64)
	require.NoError(t, err)
	return n * map[string]int64{"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}[found[2]]
}

// drawnBars returns the bars of a map, a folded one as often as it stands for.
func drawnBars(text string) []string {
	var all []string
	for _, found := range bars.FindAllStringSubmatch(text, -1) {
		times, err := strconv.Atoi(found[2])
		if err != nil {
			times = 1
		}
		for range times {
			all = append(all, found[1])
		}
	}
	return all
}

// TestEveryNameIsThere makes sure that no name is lost while there is room for it
// in the list: it stands below its block or in the list.
func TestEveryNameIsThere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := 0
		m := moments(t, rapid.Custom(func(t *rapid.T) string {
			n++
			return fmt.Sprintf("n%04d%s", n, strings.Repeat("e", rapid.IntRange(0, 8).Draw(t, "length")))
		}))
		width := rapid.IntRange(100, 200).Draw(t, "width")
		for _, text := range []string{report.Plain(width).Map(m), report.Plain(width).Compare(m, report.Moment{})} {
			if strings.Contains(text, "more") || strings.Contains(text, "...") {
				return // counted
			}
			for _, s := range m.Segments {
				for _, b := range s.Blocks {
					if b.State == caching.ActiveAllocated {
						require.Contains(t, text, m.Names[b.Address])
					}
				}
			}
		}
	})
}
