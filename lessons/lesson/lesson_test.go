package lesson

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/runtime/torch"
)

const testProse = `# A lesson

Opening.

## first: one tensor

Before it.

### What to notice

After it.

## Next

The end.
`

// run runs a lesson of one program and returns what it prints.
func run(program func(*torch.Torch, *Show), args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	l := Lesson{Number: "99", Prose: testProse, Programs: []Program{{Name: "first", Run: program}}}
	status = Run(l, args, &out, &errs)
	return status, out.String(), errs.String()
}

func oneTensor(torch *torch.Torch, show *Show) {
	x := torch.Let("x", torch.Randn(1000, 1000).Cuda())
	show.Statement("x = torch.randn(1000, 1000).cuda()")
	show.Text("said", "a text", "said aloud")
	x.Del()
	show.Aside("del x")
}

func TestPageHoldsProseRowsAndMap(t *testing.T) {
	status, page, errs := run(oneTensor)
	require.Zero(t, status, errs)
	for _, part := range []string{
		"A lesson\n========", "Opening.", "-- one tensor (first) ---", "Before it.",
		"x = torch.randn(1000, 1000).cuda()           4,000,256   20,971,520    4,000,256",
		"del x                                                0   20,971,520    4,000,256",
		"a text:\nsaid aloud", "segment map: ", "What to notice\nAfter it.", "The end.",
	} {
		require.Contains(t, page, part)
	}
	for _, line := range strings.Split(page, "\n") {
		require.LessOrEqual(t, len([]rune(line)), width, line)
	}
}

func TestJSONRows(t *testing.T) {
	status, lines, errs := run(oneTensor, "-json")
	require.Zero(t, status, errs)
	var rows []Row
	for d := json.NewDecoder(strings.NewReader(lines)); d.More(); {
		var r Row
		require.NoError(t, d.Decode(&r))
		rows = append(rows, r)
	}
	require.Len(t, rows, 2)
	require.Equal(t, "first", rows[0].Program)
	require.Equal(t, rows[0].Statement, rows[0].Label)
	require.Len(t, rows[0].Events, 2)
	require.Nil(t, rows[0].Texts)
	require.Empty(t, rows[1].Program, "no recording has an aside")
	require.Empty(t, rows[1].Label)
	require.Equal(t, map[string]string{"said": "said aloud"}, rows[1].Texts)
	require.EqualValues(t, 4000256, rows[0].AllocatedBytes)
	require.EqualValues(t, 0, rows[1].AllocatedBytes)
}

func TestMisuseInAProgramIsOneLine(t *testing.T) {
	mistakes := map[string]struct {
		program func(*torch.Torch, *Show)
		says    string
	}{
		"deleted name": {func(torch *torch.Torch, _ *Show) {
			x := torch.Let("x", torch.Randn(2, 2))
			x.Del()
			x.Add(1)
		}, "name 'x' is not defined: it was deleted at lessons/lesson/lesson_test.go:91 (at lessons/lesson/lesson_test.go:92)"},
		"shapes": {func(torch *torch.Torch, _ *Show) {
			torch.Randn(2, 3).MatMul(torch.Randn(2, 3))
		}, "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"},
		"negative size": {func(torch *torch.Torch, _ *Show) {
			torch.Cuda.Empty(-1)
		}, "Trying to create tensor with negative dimension -1: [-1]"},
		"huge size": {func(torch *torch.Torch, _ *Show) {
			torch.Cuda.Empty(1<<40, 1<<40)
		}, "Storage size calculation overflowed with sizes=[1099511627776, 1099511627776]"},
		"more than the device": {func(torch *torch.Torch, _ *Show) {
			torch.Cuda.EmptyUint8(1 << 40)
		}, "CUDA out of memory. Tried to allocate 1024.00 GiB."},
		"more than an exbibyte": {func(torch *torch.Torch, _ *Show) {
			torch.Cuda.EmptyUint8(1 << 60)
		}, "CUDA out of memory. Tried to allocate more than 1EB memory."},
		"temporary used twice": {func(torch *torch.Torch, _ *Show) {
			t := torch.Randn(2, 2)
			t.Add(1).Drop()
			t.Add(1)
		}, "a temporary (float32 2x2 on cpu) is used after the call that consumed it; give it a name"},
	}
	for name, m := range mistakes {
		t.Run(name, func(t *testing.T) {
			status, _, errs := run(m.program)
			require.Equal(t, 1, status)
			require.Contains(t, errs, "lesson 99: first: "+m.says)
			require.Equal(t, 1, strings.Count(errs, "\n"), errs)
		})
	}
}

// What a statement makes and nobody keeps ends with the statement, as in
// Python. Using it later says so.
func TestDiscardedResultsEndWithTheirStatement(t *testing.T) {
	status, lines, errs := run(func(torch *torch.Torch, show *Show) {
		x := torch.Let("x", torch.Randn(1000, 1000).Cuda())
		for range 3 {
			x.Mul(2)
			show.Statement("x * 2")
		}
		y := x.Mul(2)
		show.Statement("x * 2")
		y.Add(1)
	}, "-json")
	require.Equal(t, 4, strings.Count(lines, `"allocated_bytes":4000256,`))
	require.Equal(t, 1, status)
	require.Contains(t, errs, "give it a name")
}

// A tensor that only Go code remembers is a mistake of the lesson. It is
// listed with its holder.
func TestForgottenTensorIsListed(t *testing.T) {
	status, _, errs := run(func(torch *torch.Torch, _ *Show) {
		torch.Randn(3, 4).Cuda().Own(forgetful{})
	})
	require.Equal(t, 1, status)
	require.Contains(t, errs, "tensors are left, 1 of them: ")
	require.Contains(t, errs, "float32 3x4 on cuda:0, 48 bytes of 48, made at lessons/lesson/lesson_test.go:")
	require.Contains(t, errs, "held by somebody forgetful")
}

type forgetful struct{}

func (forgetful) Holder() string { return "somebody forgetful" }

func TestProseMustNameEveryProgram(t *testing.T) {
	l := Lesson{Number: "99", Prose: "# A lesson\n", Programs: []Program{{Name: "first", Run: oneTensor}}}
	var out, errs bytes.Buffer
	require.Equal(t, 1, Run(l, nil, &out, &errs))
	require.Contains(t, errs.String(), "lesson.md has no section for the program first")
}

// A picture is for those who read lesson.md on a page. In the terminal not even a
// gap is left.
func TestPicturesAreNotInTheTerminal(t *testing.T) {
	plain := Lesson{Number: "99", Prose: testProse, Programs: []Program{{Name: "first", Run: oneTensor}}}
	pictured := plain
	pictured.Prose = strings.NewReplacer(
		"Opening.\n", "![a leak (of 4 MB)](../../docs/pictures/99.svg)\n\nOpening.\n",
		"Before it.\n", "Before it.\n\n![another](99b.svg)\n",
	).Replace(testProse)
	require.NotEqual(t, plain.Prose, pictured.Prose)
	var want, got, errs bytes.Buffer
	require.Zero(t, Run(plain, nil, &want, &errs))
	require.Zero(t, Run(pictured, nil, &got, &errs))
	require.Equal(t, want.String(), got.String())
}

func TestWrapKeepsWordsWhole(t *testing.T) {
	long := strings.Repeat("word ", 40)
	for _, line := range strings.Split(wrap(long), "\n") {
		require.LessOrEqual(t, len(line), width)
		require.NotContains(t, strings.ReplaceAll(line, "word", ""), "w")
	}
	unbroken := strings.Repeat("x", 100)
	require.Equal(t, unbroken, wrap(unbroken))
}
