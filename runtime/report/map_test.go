package report_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/caching"
	"github.com/torchmem/workbook/runtime/gpu"
	"github.com/torchmem/workbook/runtime/report"
)

var update = flag.Bool("update", false, "rewrite the pictures in testdata")

const mib = 1 << 20

// segment makes one of blocks that lie one behind the other.
func segment(at gpu.Ptr, class string, blocks ...caching.BlockRecord) caching.Segment {
	s := caching.Segment{Address: at, SegmentType: class}
	for _, b := range blocks {
		b.Address = at + gpu.Ptr(s.TotalSize)
		s.TotalSize += b.Size
		if b.State == caching.ActiveAllocated {
			s.AllocatedSize += b.Size
		}
		s.Blocks = append(s.Blocks, b)
	}
	return s
}

func used(size int64) caching.BlockRecord {
	return caching.BlockRecord{State: caching.ActiveAllocated, Size: size}
}

func waiting(size int64) caching.BlockRecord {
	return caching.BlockRecord{State: caching.ActivePendingFree, Size: size}
}

func free(size int64) caching.BlockRecord {
	return caching.BlockRecord{State: caching.Inactive, Size: size}
}

// expandable makes the segment a part of one.
func expandable(s caching.Segment) caching.Segment {
	s.IsExpandable = true
	return s
}

// busy has all that a map can show.
func busy() report.Moment {
	return report.Moment{
		Title: "before del",
		Segments: []caching.Segment{
			segment(0x1000000, "large", used(4*mib), used(4*mib), used(4*mib), free(8*mib)),
			segment(0x4000000, "large", used(4*mib), waiting(6*mib), used(10*mib)),
			segment(0x8000000, "small", used(512), used(512), free(2*mib-1024)),
			segment(0x9000000, "large", used(32*mib)),
			segment(0xc000000, "large", used(20*mib)),
			segment(0xe000000, "large", used(20*mib)),
			expandable(segment(0x100000000, "large", used(4*mib), free(2*mib))),
			expandable(segment(0x100000000+14*mib, "large", free(2*mib), used(4*mib))),
		},
		Names: map[gpu.Ptr]string{
			0x1000000: "outs", 0x1400000: "x", 0x1800000: "Linear.weight", 0x4000000: "outs", 0x4a00000: "h\x1b[31m\nfoo",
			0x8000000: "bias", 0x8000200: "総和", 0x9000000: "(cuBLAS)", 0xc000000: "twin", 0xe000000: "twin",
			0x100000000: "first", 0x100000000 + 16*mib: strings.Repeat("long ", 40),
		},
	}
}

// calm is what is left of it.
func calm() report.Moment {
	m := busy()
	m.Title = "after del"
	m.Segments[0] = segment(0x1000000, "large", free(8*mib), used(4*mib), free(8*mib))
	m.Segments = append(m.Segments[:1], m.Segments[2:6]...)
	m.Segments = append(m.Segments, segment(0x20000000, "large", used(20*mib)))
	m.Names[0x20000000] = "y"
	return m
}

// TestPictures compares whole pictures with those in testdata, which somebody has
// looked at.
func TestPictures(t *testing.T) {
	for _, width := range []int{20, 40, 80, 120, 200} {
		for name, style := range map[string]report.Style{
			"plain": report.Plain(width), "colour": report.Colour(width), "blocks": report.Blocks(width),
		} {
			t.Run(fmt.Sprintf("%s_%d", name, width), func(t *testing.T) {
				text := style.Map(busy()) + "\n" + style.Compare(busy(), calm())
				for _, line := range strings.Split(text, "\n") {
					require.LessOrEqual(t, ansi.StringWidth(line), width, line)
				}
				file := fmt.Sprintf("testdata/maps/%s_%d.txt", name, width)
				if *update {
					require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
				}
				want, err := os.ReadFile(file)
				require.NoError(t, err)
				require.Equal(t, string(want), text)
			})
		}
	}
}

// The styles differ in characters and colours, and in nothing else.
func TestStylesShowTheSame(t *testing.T) {
	ascii := strings.NewReplacer("█", "#", "▒", "~", "░", ".", "·", "_", "│", "|")
	for _, width := range []int{1, 20, 40, 80, 120} {
		plain := report.Plain(width).Compare(busy(), calm())
		require.NotContains(t, plain, "\x1b")
		require.Regexp(t, `^[\x20-\x7e\n]*$`, strings.ReplaceAll(plain, "総和", ""))
		require.Equal(t, plain, ansi.Strip(report.Colour(width).Compare(busy(), calm())))
		require.Equal(t, plain, ascii.Replace(ansi.Strip(report.Blocks(width).Compare(busy(), calm()))))
	}
}

func TestTouchingBlocksDifferInColour(t *testing.T) {
	m := report.Moment{Segments: []caching.Segment{segment(0, "large", used(4*mib), used(4*mib), free(2*mib), waiting(4*mib))}}
	require.Contains(t, report.Colour(80).Map(m), "[\x1b[32m########\x1b[0m\x1b[36m########\x1b[0m\x1b[2m....\x1b[0m\x1b[33m~~~~~~~~\x1b[0m]")
}

func TestNothingReserved(t *testing.T) {
	require.Equal(t, "segment map: nothing is reserved\n", report.Plain(80).Map(report.Moment{}))
	require.Equal(t, "before: nothing is reserved\n\nafter: nothing is reserved\n", report.Plain(80).Compare(report.Moment{}, report.Moment{}))
	side := report.Plain(100).Compare(report.Moment{Title: "early"}, busy())
	require.Regexp(t, `^early: nothing is reserved +\| before del: 8 segments`, side)
	require.Contains(t, side, "\n(not reserved)  ")
}

// TestOfAnAllocator draws what an allocator really does.
func TestOfAnAllocator(t *testing.T) {
	a, d := newAllocator(t)
	for range 10 {
		malloc(t, a, 4_000_000)
	}
	freed := malloc(t, a, 6<<20)
	malloc(t, a, 1)
	named := malloc(t, a, 33<<20)
	s, err := a.NewStream()
	require.NoError(t, err)
	d.Busy(s)
	require.NoError(t, a.RecordStream(freed, s))
	require.NoError(t, a.Free(freed))
	want := `segment map: 5 segments, 96 MiB reserved, 74 MiB allocated in 12 blocks
    reserved pool  blocks by address                     allocated
      34 MiB large [##################################]     34 MiB
                    model
      20 MiB large [~~~~~~..............]                      0 B
       2 MiB small [#.]                                      512 B
      20 MiB large [####################]                   20 MiB x 2
  # (partly) allocated  ~ waits for an event  . cached   1 MiB a character
`
	require.Equal(t, want, report.Plain(80).Map(report.Moment{Segments: a.Snapshot(), Names: map[gpu.Ptr]string{named.Ptr(): "model"}}))
}

// TestManySegmentsFold keeps a map of many segments short.
func TestManySegmentsFold(t *testing.T) {
	a, _ := newAllocator(t)
	for range 250 {
		malloc(t, a, 4_000_000)
	}
	text := report.Plain(80).Map(report.Moment{Segments: a.Snapshot()})
	require.Contains(t, text, "x 50\n")
	require.Equal(t, 4, strings.Count(text, "\n"), "title, columns, one line for all, legend")
}

// A snapshot of somebody's run may have thousands of segments, each different.
func TestWhatIsNotDrawnIsCounted(t *testing.T) {
	m := report.Moment{Names: map[gpu.Ptr]string{}}
	for i := range 150 {
		at := gpu.Ptr(i) << 32
		m.Segments = append(m.Segments, segment(at, "large", used(int64(i+1)*mib), free(mib)))
		m.Names[at] = fmt.Sprintf("a_long_name_%d", i)
	}
	text := report.Plain(80).Map(m)
	require.Contains(t, text, "150 segments,")
	require.Contains(t, text, "  and 50 segments more: 6.2 GiB reserved, 6.1 GiB allocated\n")
	text = report.Plain(120).Compare(m, report.Moment{})
	require.Contains(t, text, "  and 50 segments more\n")
	require.Less(t, strings.Count(text, "\n"), 320)
}

// A hundred names in one segment do not become a hundred lines.
func TestNamesWithoutRoomAreCounted(t *testing.T) {
	m := report.Moment{Names: map[gpu.Ptr]string{}}
	var blocks []caching.BlockRecord
	for i := range 60 {
		m.Names[gpu.Ptr(i*4*mib)] = fmt.Sprintf("an_activation_%d", i)
		blocks = append(blocks, used(4*mib))
	}
	m.Segments = []caching.Segment{segment(0, "large", blocks...)}
	text := report.Plain(200).Map(m)
	require.Contains(t, text, "24 an_activation_37, an_activation_38")
	require.Contains(t, text, "and 20 names more")
}
