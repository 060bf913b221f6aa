package predict

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/torchmem/workbook/lessons/lesson"
	"github.com/torchmem/workbook/runtime/oracle"
)

// row makes a row of a test. Nothing is rounded unless a test says so.
func row(statement string, allocated, reserved, peak int64) lesson.Row {
	return lesson.Row{
		Lesson: "01", Program: "p", Label: statement, Statement: statement,
		Counters: oracle.Counters{
			AllocatedBytes: allocated, ReservedBytes: reserved, AllocatedPeak: peak, RequestedBytes: allocated,
		},
	}
}

// storyOf makes a story of rows.
func storyOf(rows ...lesson.Row) story { return story{lesson: "01", program: "p", rows: rows} }

// shelf is a source of lessons that are in memory. It notes how it is asked.
func shelf(asked *[]string, rows ...lesson.Row) source {
	return func(_ context.Context, number string, flags ...string) ([]lesson.Row, error) {
		*asked = append(*asked, strings.Join(append([]string{number}, flags...), " "))
		if len(flags) == 0 {
			return rows, nil
		}
		var own []lesson.Row
		for _, r := range rows {
			if r.Program == flags[1] {
				own = append(own, r)
			}
		}
		return own, nil
	}
}

func TestAStoryIsOneProgramOfALesson(t *testing.T) {
	other, aside := row("y", 2, 2, 2), row("# nobody recorded this", 1, 1, 1)
	other.Program, aside.Program = "q", ""
	rows := []lesson.Row{row("x", 1, 1, 1), aside, other}

	for name, want := range map[string]struct {
		program, statement string
		others             []string
	}{
		"":  {"p", "x", []string{"q"}},
		"p": {"p", "x", []string{"q"}},
		"q": {"q", "y", []string{"p"}},
	} {
		var asked []string
		s, err := findStory(t.Context(), shelf(&asked, rows...), "01", name)
		require.NoError(t, err)
		require.Equal(t, want.program, s.program)
		require.Equal(t, want.others, s.others)
		require.Equal(t, want.statement, s.rows[0].Statement)
		require.Equal(t, []string{"01", "01 -program " + want.program}, asked)
	}
}

func TestAWrongProgramIsMisuse(t *testing.T) {
	var asked []string
	_, err := findStory(t.Context(), shelf(&asked, row("x", 1, 1, 1)), "01", "none")
	var misuse *MisuseError
	require.ErrorAs(t, err, &misuse)
	require.EqualError(t, err, `no program "none" in lesson 01: there are p`)
}

func TestALessonThatFailsIsNoMisuse(t *testing.T) {
	broken := func(context.Context, string, ...string) ([]lesson.Row, error) { return nil, errors.New("broken") }
	_, err := findStory(t.Context(), broken, "01", "")
	require.EqualError(t, err, "broken")

	var asked []string
	_, err = findStory(t.Context(), shelf(&asked), "01", "")
	require.EqualError(t, err, "lesson 01 shows no statement")
}

func TestTheReasonIsWhatTheCommandSaid(t *testing.T) {
	status := errors.New("exit status 1")
	require.EqualError(t, reason(status, "# some/package\nmain.go:3: oops\nexit status 1\n"), "main.go:3: oops")
	require.EqualError(t, reason(status, "exit status 2\n"), "exit status 1")
}

func TestRowsThatMakeNoSense(t *testing.T) {
	_, err := decode("01", strings.NewReader(`{"lesson":"01"} page`))
	require.ErrorContains(t, err, "read the rows of lesson 01")
}

func TestALoopIsAskedThreeTimes(t *testing.T) {
	start := row("import torch", 0, 0, 0)
	start.Label = "start"
	s := storyOf(
		start,
		row("l.append(x)  # 0", 1, 9, 1),
		row("l.append(x)  # 1", 2, 9, 2), // the first that reserves nothing
		row("l.append(x)  # 2", 3, 9, 3),
		row("l.append(x)  # 3", 4, 9, 4),
		row("l.append(x)  # 4", 5, 9, 5),
		row("l.append(x)  # 998", 6, 19, 6), // does something else
		row("l.append(x)  # 999", 7, 19, 7),
		row("l.clear()", 0, 19, 7),
	)
	require.Equal(t, []bool{false, true, true, true, true, false, true, false, true}, s.asked())
	require.Equal(t, 2, unasked([]bool{false, true, false, false}))
}

// TestOtherStatementsAreNoLoop has one statement that differs in a number that
// is not the number of the round.
func TestOtherStatementsAreNoLoop(t *testing.T) {
	s := storyOf(row("empty(1)", 0, 0, 0), row("empty(2)", 0, 0, 0), row("empty(3)", 0, 0, 0), row("empty(4)", 0, 0, 0))
	require.Equal(t, []bool{true, true, true, true}, s.asked())
}
