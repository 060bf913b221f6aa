package predict

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"
)

// three is a story of a start and two statements.
func three() story {
	start := row("import torch", 0, 0, 0)
	start.Label = "start"
	made := row("x = torch.randn(1000, 1000).cuda()", 4000256, 20971520, 4000256)
	made.RequestedBytes, made.AllocsTotal = 4000000, 1
	gone := row("del x", 0, 20971520, 4000256)
	gone.AllocsTotal = 1
	s := storyOf(start, made, gone)
	s.others = []string{"q"}
	return s
}

// played returns the page after these lines were answered.
func played(t *testing.T, s story, lines ...string) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, play(t.Context(), s, strings.NewReader(strings.Join(lines, "\n")), &out))
	return out.String()
}

func TestAGame(t *testing.T) {
	require.Equal(t, `Lesson 01, program p
Its other programs: q

What do the counters show after each statement? Answer with a number of bytes,
such as 4,000,256 or 3.8 MiB, or with the change, such as +512 or -4 MiB. The
answer = means unchanged, an empty line skips the question, ? shows the rules,
and q stops.

1 of 3
  import torch
    allocated 0, reserved 0, peak 0

2 of 3
  x = torch.randn(1000, 1000).cuda()
  allocated, 0 before: 4,000,000
    nearly, it is 4,000,256 (3.8 MiB)
    Every size is rounded up to a multiple of 512 bytes.
  reserved, 0 before: +20 MiB
    right
  peak, 0 before: 3.8 MiB
    right, exactly 4,000,256

3 of 3
  del x
  allocated, 4,000,256 before: nothing
    Not understood: "nothing": not a number of bytes, such as 4,000,256 or 3.8
    MiB
  allocated, 4,000,256 before: -4,000,256
    right
  reserved, 20,971,520 before: 0
    no, it is 20,971,520 (20 MiB)
    Reserved does not fall when a tensor dies: its block stays in the cache.
  peak, 4,000,256 before: 
    4,000,256 (3.8 MiB)

Your score
  allocated  1 of 2 right
  reserved   1 of 2 right
  peak       1 of 1 right, 1 skipped
  in all     3 of 5 right, 1 skipped

Most often overlooked (once)
  Every size is rounded up to a multiple of 512 bytes.
`, played(t, three(), "4,000,000", "+20 MiB", " 3.8 MiB\r", "nothing", "-4,000,256", "0", "", "not read"))
}

func TestAGameEndsEarlyWithItsScore(t *testing.T) {
	const score = `
Your score
  allocated  1 of 1 right
  reserved   0 of 0 right
  peak       0 of 0 right
  in all     1 of 1 right
`
	stopped := played(t, three(), "4000256", "q", "20 MiB")
	require.True(t, strings.HasSuffix(stopped, "  reserved, 0 before: q\n"+score), stopped)
	ended := played(t, three(), "4000256")
	require.True(t, strings.HasSuffix(ended, "  reserved, 0 before: \n"+score), ended)
}

func TestTheRulesAreShownAndTheQuestionStays(t *testing.T) {
	page := played(t, three(), "?", "4000256", "q")
	require.Contains(t, page, "  allocated, 0 before: ?\n    - A tensor's size is")
	require.Contains(t, page, "  allocated, 0 before: 4000256\n    right\n")
	for line := range strings.Lines(page) {
		require.LessOrEqual(t, len([]rune(strings.TrimSuffix(line, "\n"))), width)
	}
}

func TestTheRestOfALoopIsSummedUp(t *testing.T) {
	for rounds, want := range map[int64]string{
		5: `
and so on, one more statement like these, until after
  l.append(x)  # 4
    allocated 5,120, reserved 20,971,520, peak 5,120

Your score
`,
		6: `
and so on, 2 more statements like these, until after
  l.append(x)  # 5
    allocated 6,144, reserved 20,971,520, peak 6,144

Your score
`} {
		s := storyOf()
		for i := range rounds {
			s.rows = append(s.rows, row(fmt.Sprintf("l.append(x)  # %d", i), 1024*(i+1), 20971520, 1024*(i+1)))
		}
		page := played(t, s, strings.Repeat("\n", 20))
		require.Contains(t, page, want)
		require.Contains(t, page, fmt.Sprintf("\n4 of %d\n", rounds))
		require.NotContains(t, page, fmt.Sprintf("\n5 of %d\n", rounds))
	}
}

func TestAnInterruptEndsTheGameWithItsScore(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	in, keyboard := io.Pipe()
	defer keyboard.Close()
	var out bytes.Buffer
	ended := make(chan error)
	go func() { ended <- play(ctx, three(), in, &out) }()
	_, err := io.WriteString(keyboard, "4000256\n")
	require.NoError(t, err)
	interrupt()
	select {
	case err := <-ended:
		require.NoError(t, err)
	case <-time.After(10 * time.Second):
		require.Fail(t, "the game waits for an answer that never comes")
	}
	require.Contains(t, out.String(), "Your score")
}

func TestFaultsOfReadingAndWriting(t *testing.T) {
	fault := errors.New("fault")
	require.ErrorIs(t, play(t.Context(), three(), iotest.ErrReader(fault), io.Discard), fault)
	require.ErrorIs(t, play(t.Context(), three(), strings.NewReader(""), faulty{fault}), fault)
	require.ErrorIs(t, playJSON(t.Context(), three(), strings.NewReader(""), faulty{fault}), fault)
}

type faulty struct{ err error }

func (f faulty) Write([]byte) (int, error) { return 0, f.err }

func TestAGameForAProgram(t *testing.T) {
	var out bytes.Buffer
	answers := "4000000\n?\n20 MiB\n\n-3.8 MiB\n"
	require.NoError(t, playJSON(t.Context(), three(), strings.NewReader(answers), &out))
	require.JSONEq(t, `{
		"lesson": "01", "program": "p", "asked": 4, "right": 2, "skipped": 1,
		"by_counter": {
			"allocated": {"asked": 2, "right": 1, "skipped": 0},
			"reserved": {"asked": 1, "right": 1, "skipped": 0},
			"peak": {"asked": 1, "right": 0, "skipped": 1}
		},
		"answers": [
			{"statement": "x = torch.randn(1000, 1000).cuda()", "counter": "allocated", "predicted": 4000000, "actual": 4000256, "right": false, "near": true},
			{"statement": "x = torch.randn(1000, 1000).cuda()", "counter": "reserved", "predicted": 20971520, "actual": 20971520, "right": true},
			{"statement": "x = torch.randn(1000, 1000).cuda()", "counter": "peak", "predicted": null, "actual": 4000256, "right": false},
			{"statement": "del x", "counter": "allocated", "predicted": 15668, "actual": 0, "right": true}
		]
	}`, out.String())
	require.Equal(t, 1, strings.Count(out.String(), "\n"), "one line")
}

func TestAProgramIsToldOfAnAnswerThatMakesNoSense(t *testing.T) {
	var out bytes.Buffer
	err := playJSON(t.Context(), three(), strings.NewReader("0\nmuch\n"), &out)
	var misuse *MisuseError
	require.ErrorAs(t, err, &misuse)
	require.EqualError(t, err, `answer 2: "much": not a number of bytes, such as 4,000,256 or 3.8 MiB`)
	require.Empty(t, out.String())
}

func TestAGameWithoutAnswersIsStillAnObject(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, playJSON(t.Context(), three(), strings.NewReader(""), &out))
	var report map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &report))
	require.Equal(t, []any{}, report["answers"])
}
