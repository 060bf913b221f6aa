package watch

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/grade"
	"github.com/torchmem/workbook/tools/workbook/verdicts"
)

var sizes = [][2]int{{80, 24}, {60, 15}, {40, 10}, {200, 60}}

// told is all that a learner must be able to read about the failing verdict.
var told = []string{
	"4 of 7 checks fail, worst with 36 layers",
	"peak allocated", "155,190,272 of 109,051,904 bytes", "300 of at least 200 bytes",
	"chain, parameter 0: None; want a tensor of shape [512, 512]", "as it was",
	"set at  exercises/02/first.go:17, while the backward pass runs", "loss.Backward()",
	"want    at most 109,051,904 bytes (20 activations)", "cause   Few segments are long.",
	"also    64 layers: 200,000,000 bytes",
	"live tensors at the end, 64 layers", "got     4", "A list still holds them.",
	"alive at the peak, 36 layers: 4,194,304 bytes in tensors",
	"2,097,152  2 x 1,048,576 bytes, held by Linear.weight and graph node AccumulateGrad",
	"2,097,152 bytes made at exercises/02/first.go:17, held by the name 変数",
	"new: 2,097,152 bytes, which that line asks for",
	"segments at the peak, 36 layers", "░░████", "the_weight",
	"printed by the program", "広い hello",
	"graded      peak allocated, gradients, outside of the gap; 3 cases, numbers in 1 of them",
	"not graded  peak reserved, values, time",
}

func TestNothingIsLost(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			b := sit(t, "wide")
			b.answers["wide"] = verdicts.Result{Verdict: failing(), Output: "\x1b[31m広い\thello\r\n\x07"}
			b.resize(size[0], size[1])
			b.press("g", "h", "h", "h")
			all := b.all()
			for _, text := range append(told, benchTasks[2].Title, "exercises/05/wide.go", "hint 1 of 3  広い?", "hint 3 of 3  広い!") {
				require.Contains(t, all, squeezed(text))
			}
		})
	}
}

func TestTheHeaderSaysIt(t *testing.T) {
	b := sit(t, "wide", "first")
	for _, size := range sizes {
		b.resize(size[0], size[1])
		require.Contains(t, b.screen(), "wide")
		require.Contains(t, b.screen(), "✗ fails")
		require.Regexp(t, `1 of 4 passed|1/4`, b.screen())
	}
}

func TestEveryScreenFitsEverySize(t *testing.T) {
	for _, keys := range [][]string{nil, {"l"}, {"?"}, {"s"}, {"r"}, {"h", "h"}, {"end"}} {
		for _, task := range []string{"wide", "first"} {
			b := sit(t, task, "wide")
			b.answers[task] = verdicts.Result{Verdict: failing(), Output: strings.Repeat("長い", 300)}
			b.press("g")
			b.press(keys...)
			b.news(change{polling: errSilent})
			for _, height := range []int{0, 1, 2, 3, 4, 5, 8, 13, 14, 15, 21, 34} {
				for _, width := range []int{0, 1, 2, 3, 5, 8, 13, 34, 59, 144} {
					b.resize(width, height)
					b.screen() // fails where it does not fit
				}
			}
			b.resize(80, 24)
			require.Contains(t, b.screen(), task, "small sizes leave nothing behind")
		}
	}
}

// colour is a sequence that sets one.
var colour = regexp.MustCompile(`\x1b\[([0-9;]*;)?(3[0-9]|4[0-9]|9[0-7]|10[0-7])(;[0-9;]*)?m`)

func TestWithoutColourAllIsASCII(t *testing.T) {
	for _, keys := range [][]string{nil, {"l"}, {"?"}, {"s"}, {"r"}, {"h"}} {
		b := sit(t, "first")
		b.answers["first"] = verdicts.Result{Verdict: passing()}
		b.press("g")
		b.answers["first"] = verdicts.Result{Verdict: failing()}
		b.press("g")
		b.press(keys...)
		require.Regexp(t, colour, b.m.View().Content)
		for _, p := range []colorprofile.Profile{colorprofile.ASCII, colorprofile.NoTTY} {
			b.send(tea.ColorProfileMsg{Profile: p})
			b.m.grading = true
			require.NotRegexp(t, colour, b.m.View().Content)
			b.m.grading = false
			require.NotRegexp(t, colour, b.m.View().Content)
			require.Regexp(t, `^[\x20-\x7e\n]*$`, strings.ReplaceAll(b.screen(), "幅の広い文字", ""))
		}
	}
}

func TestABar(t *testing.T) {
	s := stylesFor(colorprofile.NoTTY)
	bar := func(got, limit int64, ok bool) string {
		return ansi.Strip(s.bar(grade.Amount{Got: got, Limit: limit}, ok, 10))
	}
	require.Equal(t, "..........", bar(0, 100, true))
	require.Equal(t, "#.........", bar(1, 1e12, true), "a little is not nothing")
	require.Equal(t, "#####.....", bar(50, 100, true))
	require.Equal(t, "#########.", bar(99, 100, true), "a bar is full only at the limit")
	require.Equal(t, "##########", bar(100, 100, true))
	require.Equal(t, "#########|", bar(101, 100, false), "a little over is over")
	require.Equal(t, "#####|####", bar(200, 100, false))
	require.Equal(t, "|#########", bar(4, 0, false))
	require.Equal(t, "..........", bar(0, 0, true))
	require.Equal(t, "#####|####", bar(1<<62, 1<<61, false))
}

func TestACompileErrorIsShownMessageFirst(t *testing.T) {
	b := sit(t, "")
	b.answers["first"] = verdicts.Result{Problem: "exercises/02/first.go:17:7: declared and not used: y\nexercises/02/first.go:19: undefined: z\n    it could be Z"}
	b.press("g")
	require.Contains(t, b.screen(), "declared and not used: y")
	lines := strings.Split(strings.Join(strings.Fields(b.screen()[strings.Index(b.screen(), "declared"):]), " "), "──")[0]
	require.Equal(t, "declared and not used: y exercises/02/first.go:17:7 undefined: z exercises/02/first.go:19 it could be Z ", lines)
	require.Contains(t, b.screen(), "✗ no verdict")

	b.answers["first"] = verdicts.Result{Problem: "exercises/02/first.go is missing; go run ./tools/workbook reset first puts it back"}
	b.press("g")
	require.Contains(t, b.screen(), "first.go is missing")
}

func TestAPassShowsItsPeak(t *testing.T) {
	b := sit(t, "")
	b.answers["first"] = verdicts.Result{Verdict: passing()}
	b.press("g")
	for _, text := range []string{"passed: 1 check holds. n is the next task", "nearest to a limit: 16 layers", "9 of 10 bytes", "set at  exercises/02/first.go:9", "y := x.Sum()", "alive at the peak, 16 layers"} {
		require.Contains(t, b.all(), squeezed(text))
	}
	require.NotContains(t, b.all(), squeezed("while the backward pass runs"))
}

func TestOnlyTheEndOfALongOutputIsShown(t *testing.T) {
	b := sit(t, "")
	b.answers["first"] = verdicts.Result{Verdict: passing(), Output: "begins\n" + strings.Repeat("長", longOutput) + "\nends"}
	b.press("g")
	all := b.all()
	require.Contains(t, all, squeezed("printed by the program (without the first 16,396 bytes)"))
	require.Contains(t, all, "ends")
	require.NotContains(t, all, "begins")
}

func TestAChangeOutsideOfTheGapHasNoWorstCase(t *testing.T) {
	v := passing()
	v.Passed = false
	v.Checks = append(v.Checks, grade.Check{Case: "first.go", Metric: grade.Outside, Got: "the function First has changed", Want: "as it was"})
	b := sit(t, "")
	b.answers["first"] = verdicts.Result{Verdict: v}
	b.press("g")
	require.Contains(t, b.screen(), "✗ 1 of 2 checks fails\n")
	require.Contains(t, b.screen(), "the function First has changed; want as it was")
}

func TestTheLastPassSaysSo(t *testing.T) {
	b := sit(t, "last", "first", "second", "wide")
	b.answers["last"] = verdicts.Result{Verdict: passing()}
	b.press("g")
	require.Contains(t, b.screen(), "That was the last task.")
	require.Contains(t, b.screen(), "4 of 4 passed")
}

func TestThePictureOfTheEndIsCalledSo(t *testing.T) {
	v := failing()
	v.Checks = []grade.Check{{Case: "c", Metric: grade.EndAllocated, Amount: &grade.Amount{Got: 2, Limit: 1}, Place: &grade.Line{Place: "a.go:1"}}}
	v.Picture.Case, v.Picture.AtEnd, v.Picture.Bytes = "c", true, 0
	b := sit(t, "")
	b.answers["first"] = verdicts.Result{Verdict: v}
	b.press("g")
	require.Contains(t, b.all(), squeezed("alive at the end, c: 4,194,304 bytes"))
	require.NotContains(t, b.all(), squeezed("which that line asks for"))
	require.NotContains(t, b.all(), squeezed("while the backward pass runs"))
}

func TestAVerdictWithoutAPictureIsShown(t *testing.T) {
	b := sit(t, "")
	b.answers["first"] = verdicts.Result{Verdict: &grade.Verdict{Checks: []grade.Check{{Case: "c", Metric: grade.Finished, Got: "out of memory", Want: "it runs to its end"}}}}
	b.press("g")
	require.Contains(t, b.screen(), "out of memory; want it runs to its end")
	b.answers["first"] = verdicts.Result{Verdict: &grade.Verdict{}}
	b.press("g")
	require.Contains(t, b.screen(), "0 of 0 checks fail")
}

func TestWrap(t *testing.T) {
	require.Equal(t, []string{"head  one two three", "      and four"}, wrap("head  ", "one two three and four", 22), "the others are indented")
	require.Equal(t, []string{"head", "one", "two"}, wrap("head  ", "one two", 5), "no room beside the head")
	require.Equal(t, []string{"a", "b"}, wrap("", "a\nb", 10))
	require.Equal(t, []string{"広い", "広い"}, wrap("", "広い広い", 5))
	require.Equal(t, "a    b", clean("\x1b[31ma\tb\x1b[0m\r\x07"))
	require.Equal(t, "ab", clean("a\u202eb"), "nothing turns the line round")
}
